import { createReports } from '../../../engine/reports/reports.ts';
import type { EngineParts } from '../../../engine/shared/parts.ts';
import type { SalesTables } from '../store/sales-store.ts';
import { createBalances } from './balance/balances.ts';
import { createPersonBalances } from './balance/by-person.ts';
import { createMoney } from './money.ts';
import type { SalesParts } from './parts.ts';
import { createSales } from './sales.ts';
import { createBalanceConditions } from './sales-conditions.ts';

/** Tills and what they sold, poured against sold, and money. */
export function createSalesServices(base: EngineParts, tables: SalesTables) {
  const parts: SalesParts = { ...base, store: { ...base.store, ...tables } };
  const sales = createSales(parts);
  const balances = createBalances(parts);
  return {
    sales,
    balances,
    personBalances: createPersonBalances(parts),
    money: createMoney(parts, createReports(parts)),
    /** Conditions of beers whose sales differ from what was poured. */
    conditions: createBalanceConditions({ sales, balances }),
  };
}

export type SalesServices = ReturnType<typeof createSalesServices>;
