import type { ExportPlan } from '../../../store/shared/export-plan.ts';

/** What is known of kegs from their deliveries, by the time at which each keg was entered or put on a tap. */
const purchases: ExportPlan = {
  kind: 'purchases',
  table: '(SELECT p.*, k.started_time_ms, k.beverage_id FROM keg_purchases p JOIN kegs k ON k.id = p.keg_id)',
  time: 'x.started_time_ms',
  columns: `x.id, x.keg_id, b.name AS beverage, p.name AS producer, x.supplier, x.batch, x.code, x.location, x.received_on,
    x.born_on, x.best_before, x.cost_minor, x.deposit_minor, x.deposit_returned_on`,
  joins: 'JOIN beverages b ON b.id = x.beverage_id JOIN producers p ON p.id = b.producer_id',
};

/** The counts of the stock, a row for each kind that was counted. */
const counts: ExportPlan = {
  kind: 'stock_counts',
  table: `(SELECT l.*, c.time_ms, c.user_id, c.note, c.is_adjusted FROM stock_count_lines l
    JOIN stock_counts c ON c.id = l.count_id)`,
  time: 'x.time_ms',
  columns: `x.id, x.count_id, x.time_ms AS time, u.username, x.beverage, x.size, x.full_volume_ml AS full_ml, x.expected,
    x.counted, x.reason, x.value_minor, x.is_adjusted, x.note`,
  joins: 'LEFT JOIN users u ON u.id = x.user_id',
};

export const stockExports = [purchases, counts];
