import type { DayRule } from '../../../../core/clock/business-days.ts';
import { offsetMs } from '../../../../core/clock/local-days.ts';
import { findShift, type Shift } from '../../../../core/clock/shifts.ts';
import { addBalances, type Balance, computeBalance } from '../../core/balance/balance.ts';
import type { BalanceFacts, FindMeter } from '../../core/balance/facts.ts';
import type { WeekHour } from '../../core/balance/times.ts';

/** What the clock at the bar shows; the weekday is that of the business day. */
interface BarClock extends WeekHour {
  /** Minutes after midnight. */
  readonly minutes: number;
}

/** Poured against sold of the days' parts: drips and gas, which have no time of day, are in none of them. */
export interface ClockBalances {
  /** In the order of their starts; empty where the bar has none. */
  readonly shifts: readonly (Shift & { readonly balance: Balance })[];
  /** Hours with any, in the order of the business day. */
  readonly clockHours: readonly { readonly hour: number; readonly balance: Balance }[];
}

/** Computes the balances of shifts and hours, of compared beverages. `tillOffsetMs` is how much later the till's times are. */
export function computeClockBalances(
  facts: BalanceFacts,
  rules: {
    readonly shifts: readonly Shift[];
    readonly endsMinutes: number;
    readonly days: number;
    readonly tillOffsetMs: number;
    readonly beverageIds: ReadonlySet<number | null>;
    readonly findMeter: FindMeter;
    readonly findBarClock: (timeMs: number) => BarClock;
  },
): ClockBalances {
  const { shifts, endsMinutes, findBarClock } = rules;
  const byShift = balancesBy(facts, rules, (timeMs) => findShift(shifts, findBarClock(timeMs).minutes));
  const byHour = balancesBy(facts, rules, (timeMs) => findBarClock(timeMs).hour);
  const firstHour = Math.floor(endsMinutes / 60);
  const empty = computeBalance({ pours: [], losses: [], sales: [] }, rules.findMeter);
  return {
    shifts: shifts.map((shift, index) => ({ ...shift, balance: byShift.get(index) ?? empty })),
    clockHours: Array.from({ length: 24 }, (_, after) => (firstHour + after) % 24).flatMap((hour) => {
      const balance = byHour.get(hour);
      return balance === undefined ? [] : [{ hour, balance }];
    }),
  };
}

function balancesBy(
  { pours, losses, sales }: BalanceFacts,
  {
    days,
    tillOffsetMs,
    beverageIds,
    findMeter,
  }: {
    readonly days: number;
    readonly tillOffsetMs: number;
    readonly beverageIds: ReadonlySet<number | null>;
    readonly findMeter: FindMeter;
  },
  toKey: (timeMs: number) => number | null,
): ReadonlyMap<number, Balance> {
  type Parts = { readonly [name in keyof BalanceFacts]: BalanceFacts[name][number][] };
  const parts = new Map<number, Map<number, Parts>>();
  const partsOf = (timeMs: number, beverageId: number | null): Parts | null => {
    const key = toKey(timeMs);
    if (key === null || beverageId === null || !beverageIds.has(beverageId)) return null;
    const ofKey = parts.get(key) ?? new Map<number, Parts>();
    parts.set(key, ofKey);
    const known = ofKey.get(beverageId) ?? { pours: [], losses: [], sales: [] };
    ofKey.set(beverageId, known);
    return known;
  };
  for (const pour of pours) partsOf(pour.timeMs, pour.beverageId)?.pours.push(pour);
  for (const loss of losses)
    if (loss.kind === 'spilled' || loss.kind === 'cleaning')
      partsOf(loss.timeMs, loss.beverageId)?.losses.push(loss);
  for (const sale of sales) partsOf(sale.timeMs - tillOffsetMs, sale.beverageId)?.sales.push(sale);
  return new Map(
    [...parts].map(([key, ofKey]) => {
      const balances = [...ofKey.values()].map((one) => computeBalance(one, findMeter));
      // A serving may be rung up on the other side of the start and of the end, each day anew.
      const cutoffs = balances.map((one) => ({ ...one, cutoffMl2: one.cutoffMl2 * days * 2 }));
      return [key, addBalances(cutoffs, 'beverages')];
    }),
  );
}

const quarterMs = 15 * 60_000;

/** Returns a function that tells what the clock at the bar shows. */
export function barClock({ timeZone, endsMinutes }: DayRule): (timeMs: number) => BarClock {
  // Zones change their offset at whole quarters of an hour; to ask for each pour would take longer than all else.
  const known = new Map<number, number>();
  const findOffset = (timeMs: number): number => {
    const quarter = Math.floor(timeMs / quarterMs);
    const cached = known.get(quarter);
    if (cached !== undefined) return cached;
    const offset = offsetMs(quarter * quarterMs, timeZone);
    known.set(quarter, offset);
    return offset;
  };
  return (timeMs) => {
    const shown = timeMs + findOffset(timeMs);
    const dayNumber = Math.floor((shown - endsMinutes * 60_000) / 86_400_000);
    const minutes = Math.floor((((shown % 86_400_000) + 86_400_000) % 86_400_000) / 60_000);
    // 1 January 1970 was a Thursday.
    return { weekday: (((dayNumber + 3) % 7) + 7) % 7, hour: Math.floor(minutes / 60), minutes };
  };
}
