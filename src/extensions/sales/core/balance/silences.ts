import { coverage } from '../../../../core/measurement/uncertainty.ts';
import { uHand, uServing } from './balance.ts';
import { type BalancePour, type BalanceSale, fromUl, saleUl } from './facts.ts';

const minuteMs = 60_000;
/** A till or a meter that is silent for less may be so by chance. */
const leastSilenceMs = 40 * minuteMs;
/** What belongs to the other side of the end of a silence: lines are rung up before or after the pour. */
const marginMs = 10 * minuteMs;
/** So many pours without a line, or servings without a pour, are no chance. */
const leastEvents = 8;

/** A time in which one side is missing, and what the other side says of it. */
export interface Silence {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Pours without a line, or servings without a pour. */
  readonly events: number;
  readonly volumeMl: number;
  /** Half width of the 95 % interval. */
  readonly uncertaintyMl: number;
}

interface Span {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/**
 * Times without any line of any till, of whatever product, in which beer was poured. `lineTimesMs` are those of all lines, by the
 * clock of the pours.
 */
export function tillSilences(
  lineTimesMs: readonly number[],
  pours: readonly BalancePour[],
  days: readonly Span[],
): readonly Silence[] {
  const counted = pours.filter(({ isHeld }) => !isHeld);
  const volumes = counted.map(({ timeMs, volumeUl, missedUl }) => ({
    timeMs,
    events: 1,
    volumeMl: fromUl(volumeUl + missedUl),
  }));
  return silences(lineTimesMs, volumes, days).map((silence) => ({
    ...silence,
    uncertaintyMl: Math.hypot(
      coverage * uServing * silence.volumeMl,
      coverage * uHand * (silence.volumeMl / Math.sqrt(silence.events)),
      atEnds(silence),
    ),
  }));
}

/** Times without any pour of a beverage in which it was rung up: its meter, its cable or its counting stood still. */
export function meterSilences(
  pours: readonly BalancePour[],
  sales: readonly BalanceSale[],
  days: readonly Span[],
): readonly Silence[] {
  const served = sales.map((sale) => ({
    timeMs: sale.timeMs,
    events: sale.servings,
    volumeMl: fromUl(saleUl(sale)),
  }));
  return silences(
    pours.map(({ timeMs }) => timeMs),
    served,
    days,
  ).map((silence) => ({
    ...silence,
    uncertaintyMl: Math.hypot(
      coverage * uServing * silence.volumeMl,
      coverage * uHand * (silence.volumeMl / Math.sqrt(Math.max(1, silence.events))),
      atEnds(silence),
    ),
  }));
}

/** Servings at the ends of a silence whose other half lies outside of it. */
function atEnds({ sinceMs, untilMs, events, volumeMl }: Omit<Silence, 'uncertaintyMl'>): number {
  const meanMl = volumeMl / Math.max(1, events);
  const inMargin = (events * marginMs) / Math.max(marginMs, untilMs - sinceMs);
  return coverage * meanMl * Math.sqrt(Math.max(4, inMargin));
}

interface Event {
  readonly timeMs: number;
  readonly events: number;
  readonly volumeMl: number;
}

/** The gaps of one side that hold much of the other. */
function silences(
  times: readonly number[],
  others: readonly Event[],
  days: readonly Span[],
): readonly Omit<Silence, 'uncertaintyMl'>[] {
  const sortedTimes = [...times].sort((one, other) => one - other);
  const sorted = [...others].sort((one, other) => one.timeMs - other.timeMs);
  let at = 0;
  let from = 0;
  return days.flatMap(({ sinceMs, untilMs }) => {
    const marks = [sinceMs];
    while (at < sortedTimes.length && sortedTimes[at]! < sinceMs) at += 1;
    for (; at < sortedTimes.length && sortedTimes[at]! < untilMs; at += 1) marks.push(sortedTimes[at]!);
    marks.push(untilMs);
    while (from < sorted.length && sorted[from]!.timeMs < sinceMs) from += 1;
    const ofDay: Event[] = [];
    for (; from < sorted.length && sorted[from]!.timeMs < untilMs; from += 1) ofDay.push(sorted[from]!);
    return marks.slice(1).flatMap((end, i) => {
      const start = marks[i]!;
      if (end - start < leastSilenceMs) return [];
      const inside = ofDay.filter(({ timeMs }) => timeMs > start && timeMs < end);
      const first = inside[0];
      const last = inside.at(-1);
      if (first === undefined || last === undefined) return [];
      const clear = inside.filter(({ timeMs }) => timeMs > start + marginMs && timeMs < end - marginMs);
      const total = (list: readonly Event[], read: (one: Event) => number) =>
        list.reduce((sum, one) => sum + read(one), 0);
      // Opening and closing hours are no silence: the other side must go on well beyond the margin.
      if (total(clear, ({ events }) => events) < leastEvents) return [];
      return [
        {
          sinceMs: Math.max(start, first.timeMs),
          untilMs: Math.min(end, last.timeMs),
          events: total(inside, ({ events }) => events),
          volumeMl: total(inside, ({ volumeMl }) => volumeMl),
        },
      ];
    });
  });
}
