import type { Moment } from '../../../core/clock/moment.ts';
import { createUncertainties } from '../../../engine/drinks/uncertainties.ts';
import { createKegs } from '../../../engine/kegs/kegs.ts';
import type { EngineParts } from '../../../engine/shared/parts.ts';
import type { StockTables } from '../store/stock-store.ts';
import { detectOldKegs } from './freshness-conditions.ts';
import { createPurchases } from './purchases.ts';
import { createStock } from './stock.ts';
import { createStockCounts } from './stock-counts.ts';

export type { Stock, StockKeg } from './stock.ts';
export type { CountSheetLine } from './stock-counts.ts';

/** Purchases of kegs, what is in stock and on taps, and counts of the stock. */
export function createStockServices(parts: EngineParts, tables: StockTables) {
  const { purchases } = tables;
  const kegs = createKegs(parts);
  const stock = createStock(parts, purchases, createUncertainties(parts.store));
  return {
    purchases: createPurchases(parts, purchases, kegs),
    stock,
    counts: createStockCounts(parts, tables, kegs),
    /** What a keg cost; null: not known. */
    kegCost: (kegId: number): number | null => purchases.byKeg(kegId).costMinor,
    costPerMl: purchases.costPerMl,
    alarmConditions: (now: Moment) => detectOldKegs(stock.findNotFresh(now), now),
  };
}

export type StockServices = ReturnType<typeof createStockServices>;
