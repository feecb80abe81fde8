import { coverage } from '../../../../core/measurement/uncertainty.ts';
import { uHand } from './balance.ts';
import { type BalancePour, type BalanceSale, fromUl, saleUl } from './facts.ts';

/** A local weekday (0 is Monday) and hour of the business day: hours after midnight belong to the evening before. */
export interface WeekHour {
  readonly weekday: number;
  /** 0 to 23, as the clock shows it. */
  readonly hour: number;
}

/** What was poured and rung up in an hour of the week. */
export interface HourBalance extends WeekHour {
  readonly pouredMl: number;
  readonly rungMl: number;
  readonly servings: number;
  /** Sum of the squares of the servings, mL². */
  readonly handMl2: number;
}

type FindWeekHour = (timeMs: number) => WeekHour;

/** Poured and rung up by hour of the week. `offsetMs` is how much later the till's times are. */
export function balanceByHour(
  pours: readonly BalancePour[],
  sales: readonly BalanceSale[],
  findWeekHour: FindWeekHour,
  offsetMs = 0,
): readonly HourBalance[] {
  const hours = new Map<number, { -readonly [name in keyof HourBalance]: number }>();
  const at = (timeMs: number) => {
    const weekHour = findWeekHour(timeMs);
    const key = weekHour.weekday * 24 + weekHour.hour;
    const known = hours.get(key) ?? { ...weekHour, pouredMl: 0, rungMl: 0, servings: 0, handMl2: 0 };
    hours.set(key, known);
    return known;
  };
  for (const { timeMs, volumeUl, missedUl, isHeld } of pours)
    if (!isHeld) at(timeMs).pouredMl += fromUl(volumeUl + missedUl);
  for (const sale of sales) {
    const hour = at(sale.timeMs - offsetMs);
    hour.rungMl += fromUl(saleUl(sale));
    hour.servings += sale.servings;
    hour.handMl2 += sale.servings * fromUl(sale.liquidUl) ** 2;
  }
  return [...hours.entries()].sort(([one], [other]) => one - other).map(([, hour]) => hour);
}

/** A weekday and a span of hours in which most of a difference arose. */
export interface HotTime {
  readonly weekday: number;
  /** As the clock shows them; `untilHour` is exclusive. */
  readonly sinceHour: number;
  readonly untilHour: number;
  readonly volumeMl: number;
}

/** Most of a difference is at least this share of it. */
const mostShare = 0.4;
const longestHours = 4;

/**
 * The shortest span of one weekday that holds most of a difference; null if it is spread, or chance explains the span. `fillShare` is
 * what hands pour of a serving, as a share, so that over-pour does not point at the busiest hour.
 */
export function findHotTime(
  hours: readonly HourBalance[],
  {
    volumeMl,
    fillShare,
    dayStartHour,
  }: {
    readonly volumeMl: number;
    readonly fillShare: number;
    readonly dayStartHour: number;
  },
): HotTime | null {
  const sign = Math.sign(volumeMl);
  const spans = hours.flatMap(({ weekday }, i) => {
    if (i > 0 && hours[i - 1]!.weekday === weekday) return [];
    const ofDay = new Map(
      hours
        .filter((hour) => hour.weekday === weekday)
        .map((hour) => [(hour.hour - dayStartHour + 24) % 24, hour]),
    );
    return Array.from({ length: 24 }, (_, since) => since).flatMap((since) =>
      Array.from({ length: longestHours }, (_, more) => since + more + 1).flatMap((until) => {
        if (until > 24) return [];
        const inside = [...ofDay].filter(([hour]) => hour >= since && hour < until).map(([, hour]) => hour);
        const excess = inside.reduce((sum, { pouredMl, rungMl }) => sum + pouredMl - fillShare * rungMl, 0);
        const servings = inside.reduce((sum, hour) => sum + hour.servings, 0);
        const handMl2 = inside.reduce((sum, hour) => sum + Math.max(0, hour.handMl2), 0);
        // A pour and its line on both sides of the span's ends, once a week.
        const meanMl2 = servings > 0 ? handMl2 / servings : 0;
        const uncertaintyMl = coverage * Math.hypot(uHand * Math.sqrt(handMl2), Math.sqrt(8 * meanMl2));
        const isClear = sign * excess > uncertaintyMl && sign * excess >= mostShare * Math.abs(volumeMl);
        return isClear ? [{ weekday, since, until, excess: sign * excess }] : [];
      }),
    );
  });
  const largest = Math.max(0, ...spans.map(({ excess }) => excess));
  const [best] = spans
    .filter(({ excess }) => excess >= 0.85 * largest)
    .sort((one, other) => one.until - one.since - (other.until - other.since) || other.excess - one.excess);
  if (best === undefined) return null;
  const clock = (hour: number) => (hour + dayStartHour) % 24;
  return {
    weekday: best.weekday,
    sinceHour: clock(best.since),
    untilHour: clock(best.until),
    volumeMl: best.excess,
  };
}
