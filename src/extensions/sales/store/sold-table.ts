import type { Database } from '../../../store/database.ts';
import type { SaleKind } from '../core/sale-line.ts';
import { itemState } from './till-items-table.ts';

/** Kinds that are rung up for beer that is poured, and those that take it back. */
export type SoldKind = Exclude<SaleKind, 'training'>;

/** What was sold of a serving of a beverage in a time span. */
export interface SoldTotal {
  readonly beverageId: number;
  /** Null: a component with a volume of its own. */
  readonly sizeId: number | null;
  /** Beer in one serving. */
  readonly liquidMl: number;
  readonly kind: SoldKind;
  readonly lines: number;
  /** Servings that were poured for it: negative for voids, 0 for refunds that are lines of their own. */
  readonly servings: number;
  readonly volumeMl: number;
  /** After discounts and without tax, in the smallest unit of the currency: of a product with several components by volume. 0 without amounts. */
  readonly netMinor: number;
  /** False where nobody said whether the till's amounts contain tax: then they count as they are. */
  readonly isTaxKnown: boolean;
}

/** One component of one line. */
export interface SoldLine extends Omit<SoldTotal, 'lines'> {
  readonly saleId: number;
  readonly tillId: number;
  readonly timeMs: number;
  /** Who rang it up; null where that is not kept. */
  readonly seller: string | null;
}

/** A product with lines in a time span that nobody has mapped or ignored. */
export interface UnmappedTotal {
  readonly itemId: number;
  readonly lines: number;
  /** Poured and paid, as of products that are mapped. */
  readonly quantity: number;
  readonly netMinor: number;
}

interface TimeSpan {
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs: number;
}

interface SoldRow {
  readonly beverage_id: number;
  readonly serving_size_id: number | null;
  readonly liquid_ml: number;
  readonly kind: SoldKind;
  readonly servings: number;
  readonly net_minor: number;
  readonly is_tax_known: number;
}

/**
 * Quantity of a line that was poured. A void or refund with a negative quantity is a line of its own, else it marks the line itself:
 * one that was voided leaves nothing. A refund does not un-pour.
 */
const pouredQuantity = `CASE l.kind WHEN 'refund' THEN max(l.quantity, 0) WHEN 'void' THEN min(l.quantity, 0) ELSE l.quantity END`;

/** What was paid for a line, after discounts: nothing where the beer was given away or the line itself was taken back. */
const paidMinor = `CASE WHEN l.kind IN ('comp', 'staff', 'sample') OR (l.kind IN ('void', 'refund') AND l.quantity > 0) THEN 0
    ELSE coalesce(l.net_minor, l.gross_minor - coalesce(l.discount_minor, 0), 0) END`;

/** Divides an amount of a till by its tax. Servings may have a rate of their own. */
const withoutTax = (amount: string, till: string, servingTax: string): string =>
  `${amount} / (1 + iif(${till}.included_tax_basis_points > 0,
    coalesce(${servingTax}, ${till}.included_tax_basis_points), 0) / 10000.0)`;

/** Beer in one serving of a component: what is set for it, else what its size holds, else what it held when it was mapped. */
const servingMl = (component: string, serving: string, size: string): string =>
  `coalesce(${serving}.liquid_ml, ${size}.volume_ml, ${component}.liquid_ml)`;
const servingJoins = (component: string, serving: string, size: string): string =>
  `LEFT JOIN servings ${serving} ON ${serving}.beverage_id = ${component}.beverage_id
     AND ${serving}.serving_size_id = ${component}.serving_size_id
   LEFT JOIN serving_sizes ${size} ON ${size}.id = ${component}.serving_size_id`;

/** Components of the lines of a time span, by the mapping of their time. */
const soldLines = `
  SELECT l.id AS sale_id, l.till_id, l.time_ms, l.seller, l.kind, c.beverage_id, c.serving_size_id,
    ${servingMl('c', 'v', 'z')} AS liquid_ml,
    c.count * ${pouredQuantity} AS servings,
    t.included_tax_basis_points IS NOT NULL AS is_tax_known,
    ${withoutTax(paidMinor, 't', 'v.tax_basis_points')} * c.count * ${servingMl('c', 'v', 'z')} / (SELECT total(o.count * ${servingMl('o', 'ov', 'oz')})
      FROM till_item_components o ${servingJoins('o', 'ov', 'oz')} WHERE o.mapping_id = l.mapping_id) AS net_minor
  FROM (SELECT s.*, (SELECT m.id FROM till_item_mappings m WHERE m.item_id = s.item_id AND m.since_ms <= s.time_ms
          ORDER BY m.since_ms DESC LIMIT 1) AS mapping_id
        FROM sales s
        WHERE s.time_ms >= @sinceMs AND s.time_ms < @untilMs AND s.is_current = 1 AND s.kind <> 'training') l
  JOIN tills t ON t.id = l.till_id
  JOIN till_item_components c ON c.mapping_id = l.mapping_id
  ${servingJoins('c', 'v', 'z')}`;

/** What was sold, by beverage and serving. */
export function soldTable(db: Database) {
  const totals = db.prepare<TimeSpan, SoldRow & { lines: number; volume_ml: number }>(
    `SELECT beverage_id, serving_size_id, liquid_ml, kind, count(DISTINCT sale_id) AS lines, total(servings) AS servings,
       total(servings * liquid_ml) AS volume_ml, total(net_minor) AS net_minor,
       min(is_tax_known) AS is_tax_known
     FROM (${soldLines}) GROUP BY beverage_id, serving_size_id, liquid_ml, kind
     ORDER BY beverage_id, serving_size_id, liquid_ml, kind`,
  );
  const lines = db.prepare<
    TimeSpan,
    SoldRow & { sale_id: number; till_id: number; time_ms: number; seller: string | null }
  >(`${soldLines} ORDER BY l.time_ms, l.id, c.position`);
  const unmapped = db.prepare<
    TimeSpan,
    { item_id: number; lines: number; quantity: number; net_minor: number }
  >(
    `SELECT l.item_id, count(*) AS lines, total(${pouredQuantity}) AS quantity,
       total(${withoutTax(paidMinor, 't', 'NULL')}) AS net_minor
     FROM sales l JOIN till_items i ON i.id = l.item_id JOIN tills t ON t.id = l.till_id
     WHERE l.time_ms >= @sinceMs AND l.time_ms < @untilMs AND l.is_current = 1 AND l.kind <> 'training'
       AND (${itemState} = 'unknown' OR (${itemState} = 'mapped' AND NOT EXISTS (SELECT 1 FROM till_item_mappings m
         WHERE m.item_id = l.item_id AND m.since_ms <= l.time_ms)))
     GROUP BY l.item_id ORDER BY lines DESC, l.item_id`,
  );
  const toSold = (row: SoldRow) => ({
    beverageId: row.beverage_id,
    sizeId: row.serving_size_id,
    liquidMl: row.liquid_ml,
    kind: row.kind,
    servings: row.servings,
    netMinor: row.net_minor,
    isTaxKnown: row.is_tax_known === 1,
  });
  return {
    /** Totals by beverage, serving and kind. */
    totals: (span: TimeSpan): readonly SoldTotal[] =>
      totals.all(span).map((row) => ({ ...toSold(row), lines: row.lines, volumeMl: row.volume_ml })),
    /** Each component of each line, oldest first; for spans of some days. */
    lines: (span: TimeSpan): readonly SoldLine[] =>
      lines.all(span).map((row) => ({
        ...toSold(row),
        saleId: row.sale_id,
        tillId: row.till_id,
        timeMs: row.time_ms,
        seller: row.seller,
        volumeMl: row.servings * row.liquid_ml,
      })),
    /** Products that are missing in the totals. */
    unmapped: (span: TimeSpan): readonly UnmappedTotal[] =>
      unmapped.all(span).map((row) => ({
        itemId: row.item_id,
        lines: row.lines,
        quantity: row.quantity,
        netMinor: row.net_minor,
      })),
  };
}
