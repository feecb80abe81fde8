import { formatTimeOfDay } from '../../../../core/clock/business-days.ts';
import { fromMinor } from '../../../../core/kegs/money.ts';
import { roundMl } from '../../../../core/measurement/round-ml.ts';
import { workbookPieces } from '../../../../engine/reports/workbook.ts';
import type { ExportRow } from '../../../../store/reports/export-table.ts';
import { type Balance, partNames, pouredUl } from '../../core/balance/balance.ts';
import { fromUl } from '../../core/balance/facts.ts';
import { toVerdict } from '../../core/balance/verdict.ts';
import type { BalanceView } from './balance-view.ts';

/** A table of a balance. */
export interface BalanceTable {
  readonly columns: readonly string[];
  readonly rows: readonly ExportRow[];
}

const toColumn = (part: (typeof partNames)[number]) => `${part.slice(0, -2)}_ml`;

const columns = [
  'of',
  'id',
  'name',
  'first',
  'last',
  'poured_ml',
  ...partNames.map(toColumn),
  'difference',
  'difference_ml',
  'uncertainty_ml',
  'servings',
  'value',
  'net_sales',
  'currency',
];

/** One row for the total, and for each beverage, tap, shift, hour of the day, week and day. */
export function balanceRows(view: BalanceView): BalanceTable {
  const { currency } = view;
  const row = (
    of: string,
    balance: Balance,
    more: {
      readonly id?: number;
      readonly name?: string | null;
      readonly first?: string;
      readonly last?: string;
    } = {},
  ): ExportRow => {
    const verdict = toVerdict(balance);
    return {
      of,
      id: more.id ?? null,
      name: more.name ?? null,
      first: more.first ?? view.first,
      last: more.last ?? view.last,
      poured_ml: fromUl(pouredUl(balance)),
      ...Object.fromEntries(partNames.map((part) => [toColumn(part), fromUl(balance[part])])),
      difference: verdict.kind,
      difference_ml: roundMl(verdict.volumeMl),
      uncertainty_ml: roundMl(verdict.uncertaintyMl),
      servings: verdict.servings === null ? null : roundMl(verdict.servings),
      value: verdict.valueMinor === null ? null : fromMinor(Math.round(verdict.valueMinor), currency),
      net_sales: fromMinor(Math.round(balance.netMinor), currency),
      currency,
    };
  };
  return {
    columns,
    rows: [
      row('total', view.total),
      ...view.beverages.map(({ beverageId, name, isCompared, balance }) =>
        row(isCompared ? 'beverage' : 'not_compared', balance, { id: beverageId, name }),
      ),
      ...view.taps.map(({ tapId, name, balance }) => row('tap', balance, { id: tapId, name })),
      ...view.shifts.map(({ name, balance }) => row('shift', balance, { name })),
      ...view.clockHours.map(({ hour, balance }) =>
        row('hour', balance, { name: formatTimeOfDay(hour * 60) }),
      ),
      ...view.weeks.map(({ first, last, balance }) => row('week', balance, { first, last })),
      ...view.days.map(({ first, last, balance }) => row('day', balance, { first, last })),
    ],
  };
}

/** The table as a workbook. */
export const balanceWorkbook = ({ columns: names, rows }: BalanceTable, pause: () => Promise<void>) =>
  workbookPieces({
    name: 'balance',
    columns: names,
    timeColumns: new Set<string>(),
    chunks: [rows],
    toShownMs: (ms) => ms,
    pause,
  });
