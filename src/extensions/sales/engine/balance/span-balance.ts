import type { BusinessDay, DayRule } from '../../../../core/clock/business-days.ts';
import { parseShifts } from '../../../../core/clock/shifts.ts';
import {
  addBalances,
  type Balance,
  computeBalance,
  differenceUl,
  pouredUl,
} from '../../core/balance/balance.ts';
import type { BalanceFacts, FindMeter } from '../../core/balance/facts.ts';
import { fromUl } from '../../core/balance/facts.ts';
import { type Fill, fillsBySize, type Overpour, toOverpour } from '../../core/balance/fills.ts';
import type { BalanceFinding } from '../../core/balance/finding.ts';
import { findCauses } from '../../core/balance/findings.ts';
import { findTillOffset } from '../../core/balance/till-offset.ts';
import { balanceByHour, findHotTime, type HotTime, type HourBalance } from '../../core/balance/times.ts';
import type { SalesDatabase } from '../../store/sales-store.ts';
import { barClock, type ClockBalances, computeClockBalances } from './clock-balances.ts';
import { findMeters, readFacts } from './read-facts.ts';
import { readUnmapped } from './unmapped.ts';

/** Poured against sold of a beverage. */
export interface BeverageBalance {
  readonly beverageId: number;
  readonly name: string;
  /** False where a meter or the till has nothing of it: it is in no total. */
  readonly isCompared: boolean;
  /** The only tap that poured it; null: several, or none. */
  readonly tapId: number | null;
  readonly balance: Balance;
  readonly sizes: readonly Overpour[];
}

/** Poured against sold of a part of the span. */
export interface PartBalance {
  /** First and last business day. */
  readonly first: string;
  readonly last: string;
  readonly balance: Balance;
}

/** Poured against sold of a span of business days. */
export interface SpanBalance extends ClockBalances {
  readonly days: readonly PartBalance[];
  /** Monday to Sunday; the first and the last may be shorter. */
  readonly weeks: readonly PartBalance[];
  /** Of the beverages that are compared. */
  readonly total: Balance;
  readonly beverages: readonly BeverageBalance[];
  /** Of beverages that one tap alone poured. */
  readonly taps: readonly {
    readonly tapId: number;
    readonly name: string | null;
    readonly balance: Balance;
  }[];
  /** Pours at taps without a keg: they belong to no beverage. */
  readonly withoutBeverageUl: number;
  readonly hours: readonly HourBalance[];
  readonly when: HotTime | null;
  /** The beverage with the largest part of the difference; null where none agrees with its direction. */
  readonly mostBeverageId: number | null;
  readonly findings: readonly BalanceFinding[];
  readonly tillOffsetMin: number | null;
  /** Products without a mapping that are in no finding: food, and what nobody can tell. */
  readonly otherUnmapped: number;
  /** Lines of the till of any kind. */
  readonly lines: number;
}

/** Computes the balance of business days, at least one, oldest first. */
export function computeSpanBalance(
  store: SalesDatabase,
  days: readonly BusinessDay[],
  rule: DayRule,
): SpanBalance {
  const span = { sinceMs: days[0]!.sinceMs, untilMs: days.at(-1)!.untilMs };
  const facts = readFacts(store, days, rule);
  const findMeter = findMeters(store, span.untilMs);
  const lineTimesMs = store.balanceFacts.lineTimes(span);
  const unmapped = readUnmapped(store, span, facts.sales.length > 0);
  const byDay = days.map((day) => ofDay(facts, day));
  const ids = new Set<number>();
  for (const { pours, losses, sales } of [facts])
    for (const { beverageId } of [...pours, ...losses, ...sales])
      if (beverageId !== null) ids.add(beverageId);
  const beverages = [...ids]
    .sort((one, other) => one - other)
    .map((id) => toBeverage(store, id, { facts, byDay, findMeter }));
  const compared = beverages.filter(({ isCompared }) => isCompared);
  const dayParts = days.map(
    ({ date }, i): PartBalance => ({
      first: date,
      last: date,
      balance: addBalances(
        compared.map((beverage) => beverage.days[i]!),
        'beverages',
      ),
    }),
  );
  const total = addBalances(
    compared.map(({ balance }) => balance),
    'beverages',
  );
  const offsetMin = findTillOffset(
    facts.pours.filter(({ isHeld }) => !isHeld).map(({ timeMs }) => timeMs),
    facts.sales.map(({ timeMs }) => timeMs),
  );
  const isCompared = new Set<number | null>(compared.map(({ beverageId }) => beverageId));
  const findBarClock = barClock(rule);
  const hours = balanceByHour(
    facts.pours.filter(({ beverageId }) => isCompared.has(beverageId)),
    facts.sales.filter(({ beverageId }) => isCompared.has(beverageId)),
    findBarClock,
    (offsetMin ?? 0) * 60_000,
  );
  const dayStartHour = Math.floor(rule.endsMinutes / 60);
  const signedMl = fromUl(differenceUl(total));
  return {
    days: dayParts,
    weeks: toWeeks(dayParts),
    total,
    beverages: beverages.map(({ days: _days, ...beverage }) => beverage),
    taps: toTaps(store, compared),
    withoutBeverageUl: pouredUl(
      computeBalance(
        { pours: facts.pours.filter(({ beverageId }) => beverageId === null), losses: [], sales: [] },
        findMeter,
      ),
    ),
    hours,
    ...computeClockBalances(facts, {
      shifts: parseShifts(store.reports.settings().shifts),
      endsMinutes: rule.endsMinutes,
      days: days.length,
      tillOffsetMs: (offsetMin ?? 0) * 60_000,
      beverageIds: isCompared,
      findMeter,
      findBarClock,
    }),
    when: findHotTime(hours, { volumeMl: signedMl, fillShare: meanFill(compared), dayStartHour }),
    mostBeverageId: findMost(compared, signedMl),
    findings: findCauses({
      facts,
      findMeter,
      days,
      lineTimesMs,
      unmapped: unmapped.products,
      offsetMin,
      findWeekHour: findBarClock,
      dayStartHour,
    }),
    tillOffsetMin: offsetMin,
    otherUnmapped: unmapped.others,
    lines: lineTimesMs.length,
  };
}

function ofDay({ pours, losses, sales }: BalanceFacts, { sinceMs, untilMs }: BusinessDay): BalanceFacts {
  const isOf = ({ timeMs }: { readonly timeMs: number }) => timeMs >= sinceMs && timeMs < untilMs;
  return { pours: pours.filter(isOf), losses: losses.filter(isOf), sales: sales.filter(isOf) };
}

type WithDays = BeverageBalance & { readonly days: readonly Balance[] };

function toBeverage(
  store: SalesDatabase,
  id: number,
  {
    facts,
    byDay,
    findMeter,
  }: {
    readonly facts: BalanceFacts;
    readonly byDay: readonly BalanceFacts[];
    readonly findMeter: FindMeter;
  },
): WithDays {
  const only = ({ pours, losses, sales }: BalanceFacts): BalanceFacts => ({
    pours: pours.filter(({ beverageId }) => beverageId === id),
    losses: losses.filter(({ beverageId }) => beverageId === id),
    sales: sales.filter(({ beverageId }) => beverageId === id),
  });
  const own = only(facts);
  const days = byDay.map((day) => computeBalance(only(day), findMeter));
  const balance = addBalances(days, 'days');
  const taps = new Set(own.pours.filter(({ isHeld }) => !isHeld).map(({ tapId }) => tapId));
  const [tapId = null] = taps.size === 1 ? taps : [];
  const sizes = fillsBySize(own.pours, own.sales).sizes.map((fill: Fill) =>
    toOverpour(fill, balance.meterSums),
  );
  return {
    beverageId: id,
    name: store.kegs.beverages.byId(id)?.name ?? '',
    isCompared: balance.drinks > 0 && own.sales.length > 0,
    tapId,
    balance,
    sizes,
    days,
  };
}

/** Weeks from Monday to Sunday. */
function toWeeks(days: readonly PartBalance[]): readonly PartBalance[] {
  const weeks: PartBalance[][] = [];
  for (const day of days) {
    const isMonday = new Date(Date.parse(day.first)).getUTCDay() === 1;
    if (weeks.length === 0 || isMonday) weeks.push([]);
    weeks.at(-1)!.push(day);
  }
  return weeks.map((week) => ({
    first: week[0]!.first,
    last: week.at(-1)!.last,
    balance: addBalances(
      week.map(({ balance }) => balance),
      'days',
    ),
  }));
}

function toTaps(store: SalesDatabase, beverages: readonly BeverageBalance[]): SpanBalance['taps'] {
  const ids = [...new Set(beverages.flatMap(({ tapId }) => (tapId === null ? [] : [tapId])))];
  return ids
    .sort((one, other) => one - other)
    .map((tapId) => ({
      tapId,
      name: store.taps.anyName(tapId),
      balance: addBalances(
        beverages.filter((beverage) => beverage.tapId === tapId).map(({ balance }) => balance),
        'beverages',
      ),
    }));
}

/** What hands pour of all that is sold, as a share. */
function meanFill(beverages: readonly BeverageBalance[]): number {
  const fills = beverages.flatMap(({ sizes }) => sizes.map(({ fill }) => fill));
  const servedMl = fills.reduce((sum, { servings, liquidMl }) => sum + servings * liquidMl, 0);
  const meanMl = fills.reduce((sum, { servings, meanMl }) => sum + servings * meanMl, 0);
  return servedMl > 0 ? meanMl / servedMl : 1;
}

function findMost(beverages: readonly BeverageBalance[], signedMl: number): number | null {
  const sign = Math.sign(signedMl);
  const [most] = beverages
    .map(({ beverageId, balance }) => ({ beverageId, differenceUl: sign * differenceUl(balance) }))
    .filter((one) => one.differenceUl > 0)
    .sort((one, other) => other.differenceUl - one.differenceUl);
  return most?.beverageId ?? null;
}
