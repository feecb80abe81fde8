import { offsetMs } from '../clock/local-days.ts';

/** Volume that flowed at one time. */
export interface VolumeSample {
  /** Unix milliseconds. */
  readonly timeMs: number;
  readonly volumeMl: number;
}

/** A quarter of a day. */
export type DayPart = 'night' | 'morning' | 'afternoon' | 'evening';

/** Estimated time at which a keg is empty. */
export interface RunOut {
  /** Within that part of the day, Unix milliseconds. */
  readonly timeMs: number;
  readonly part: DayPart;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Part of a day: short enough to separate evening and night, long enough to contain drinks. */
const slotMs = 6 * hourMs;
const parts: readonly DayPart[] = ['night', 'morning', 'afternoon', 'evening'];
const slotsOfDay = parts.length;
const slotsOfWeek = 7 * slotsOfDay;

/** Older samples say little about the future. */
const lookBackMs = 28 * dayMs;
/** With fewer drinks, or fewer days with drinks, no estimate is made. */
const minDrinks = 12;
const minDays = 3;
/** A tap unused for this long has no estimate. */
const dormantMs = 14 * dayMs;
/** Longest prediction; later dates are not credible. */
const maxHorizonMs = 28 * dayMs;
/** How far ahead a prediction reaches, as a multiple of the observed time. */
const horizonFactor = 2;
/** A weekday has its own average once observed this often; before that all days share one. */
const minWeeks = 2;

/** Average flow of one tap or keg by weekday and part of the day. */
export interface FlowPattern {
  /** Millilitres per slot of the week, starting with Sunday night. */
  readonly mlBySlot: readonly number[];
  /** How far ahead the estimate is valid, milliseconds. */
  readonly horizonMs: number;
}

/**
 * Estimates the flow from the drinks of the last four weeks; null when they are too few, fall on too few
 * days, or are too old. Drinks with future times are ignored.
 */
export function estimateFlowPattern(
  drinks: readonly VolumeSample[],
  nowMs: number,
  timeZone: string,
): FlowPattern | null {
  const recent = drinks.filter(({ timeMs }) => timeMs > nowMs - lookBackMs && timeMs <= nowMs);
  if (recent.length < minDrinks) return null;
  const toLocalMs = localClock(timeZone);
  const days = new Set(recent.map(({ timeMs }) => Math.floor(toLocalMs(timeMs) / dayMs)));
  const firstMs = Math.min(...recent.map(({ timeMs }) => timeMs));
  const lastMs = Math.max(...recent.map(({ timeMs }) => timeMs));
  if (days.size < minDays || nowMs - lastMs > dormantMs) return null;

  const mlInSlot = new Array<number>(slotsOfWeek).fill(0);
  for (const { timeMs, volumeMl } of recent) mlInSlot[toSlot(toLocalMs(timeMs))]! += volumeMl;
  const slotCounts = countSlots(toLocalMs(firstMs), toLocalMs(nowMs));
  const mlBySlot = mlInSlot.map((ml, slot) => {
    if (slotCounts[slot]! >= minWeeks) return ml / slotCounts[slot]!;
    const sameSlots = Array.from({ length: 7 }, (_, day) => (slot + day * slotsOfDay) % slotsOfWeek);
    const times = sum(sameSlots.map((other) => slotCounts[other]!));
    return times > 0 ? sum(sameSlots.map((other) => mlInSlot[other]!)) / Math.max(1, times) : 0;
  });
  return { mlBySlot, horizonMs: Math.min(maxHorizonMs, horizonFactor * (nowMs - firstMs)) };
}

/** When this volume will be used up; null when that is beyond the horizon. */
export function predictRunOut(
  remainMl: number,
  pattern: FlowPattern,
  nowMs: number,
  timeZone: string,
): RunOut | null {
  const toLocalMs = localClock(timeZone);
  let remaining = remainMl;
  let timeMs = nowMs;
  while (timeMs < nowMs + pattern.horizonMs) {
    const slot = toSlot(toLocalMs(timeMs));
    const restMs = slotMs - (((toLocalMs(timeMs) % slotMs) + slotMs) % slotMs);
    const flowsMl = (pattern.mlBySlot[slot]! * restMs) / slotMs;
    if (flowsMl > 0 && remaining <= flowsMl) {
      const durationMs = Math.floor((restMs * Math.max(0, remaining)) / flowsMl);
      // The exact end of a slot belongs to the next one.
      return { timeMs: timeMs + Math.min(durationMs, restMs - 1), part: parts[slot % slotsOfDay]! };
    }
    remaining -= flowsMl;
    timeMs += restMs;
  }
  return null;
}

/** How often each slot of the week occurred between two local times, fractions included. */
function countSlots(fromLocalMs: number, untilLocalMs: number): readonly number[] {
  const counts = new Array<number>(slotsOfWeek).fill(0);
  for (let at = Math.floor(fromLocalMs / slotMs) * slotMs; at < untilLocalMs; at += slotMs) {
    // The first slot counts as whole: it is unknown whether there was demand before the first drink.
    const elapsedMs = Math.min(at + slotMs, untilLocalMs) - at;
    counts[toSlot(at)]! += elapsedMs / slotMs;
  }
  return counts;
}

/** Slot of the week; 1 January 1970 was a Thursday. */
function toSlot(localMs: number): number {
  const day = Math.floor(localMs / dayMs);
  const part = Math.floor((localMs - day * dayMs) / slotMs);
  return ((((day + 4) % 7) + 7) % 7) * slotsOfDay + part;
}

/** UTC days whose offset is cached: four weeks each way and a margin. */
const maxOffsets = 100;

/** Cached: a bar uses one zone, and getting a zone's offset costs far more than adding it. */
let cached: { readonly timeZone: string; readonly offsets: Map<number, number> } | null = null;

/**
 * Local time of the bar as if it were UTC; the hours around a clock change may use that day's other offset.
 */
function localClock(timeZone: string): (ms: number) => number {
  if (cached?.timeZone !== timeZone) cached = { timeZone, offsets: new Map() };
  const { offsets } = cached;
  return (ms) => {
    const day = Math.floor(ms / dayMs);
    const known = offsets.get(day);
    if (known !== undefined) return ms + known;
    if (offsets.size >= maxOffsets) offsets.clear();
    const offset = offsetMs(day * dayMs + dayMs / 2, timeZone);
    offsets.set(day, offset);
    return ms + offset;
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
