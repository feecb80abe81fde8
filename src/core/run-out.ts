import { offsetMs } from './local-days.ts';

/** Beer that flowed at one time. */
export interface VolumeSample {
  /** Unix milliseconds. */
  readonly timeMs: number;
  readonly volumeMl: number;
}

/** A quarter of a day, as people say it. */
export type DayPart = 'night' | 'morning' | 'afternoon' | 'evening';

/** About when a keg is empty. */
export interface RunOut {
  /** Somewhere within that part of the day, Unix milliseconds. */
  readonly timeMs: number;
  readonly part: DayPart;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A part of the day: short enough to tell an evening from a night, long enough that every one of them has its drinks. */
const slotMs = 6 * hourMs;
const parts: readonly DayPart[] = ['night', 'morning', 'afternoon', 'evening'];
const slotsOfDay = parts.length;
const slotsOfWeek = 7 * slotsOfDay;

/** What flowed longer ago says little of what will. */
export const lookBackMs = 28 * dayMs;
/** Fewer drinks, or fewer days with any, are no habit. */
const minDrinks = 12;
const minDays = 3;
/** A tap nobody has used for so long keeps no habit either. */
const dormantMs = 14 * dayMs;
/** Nobody believes a day that is further away. */
const maxHorizonMs = 28 * dayMs;
/** How far one sees ahead, by how far one looks back. */
const horizonFactor = 2;
/** A weekday's own habit counts once it was seen so often; until then all days are alike. */
const minWeeks = 2;

/** How beer flows at one tap or out of one keg, by weekday and part of the day. */
export interface Habit {
  /** Millilitres in a whole slot, for each of the week, the night of Sunday first. */
  readonly mlBySlot: readonly number[];
  /** How far ahead it can be believed, milliseconds. */
  readonly horizonMs: number;
}

/**
 * What the drinks of the last four weeks tell of the next ones; null when they are too few, fall on too few days, or lie
 * too long ago. Drinks of the time to come are left out.
 */
export function estimateHabit(
  drinks: readonly VolumeSample[],
  nowMs: number,
  timeZone: string,
): Habit | null {
  const recent = drinks.filter(({ timeMs }) => timeMs > nowMs - lookBackMs && timeMs <= nowMs);
  if (recent.length < minDrinks) return null;
  const toLocalMs = localClock(timeZone);
  const days = new Set(recent.map(({ timeMs }) => Math.floor(toLocalMs(timeMs) / dayMs)));
  const firstMs = Math.min(...recent.map(({ timeMs }) => timeMs));
  const lastMs = Math.max(...recent.map(({ timeMs }) => timeMs));
  if (days.size < minDays || nowMs - lastMs > dormantMs) return null;

  const mlInSlot = new Array<number>(slotsOfWeek).fill(0);
  for (const { timeMs, volumeMl } of recent) mlInSlot[toSlot(toLocalMs(timeMs))]! += volumeMl;
  const seen = countSlots(toLocalMs(firstMs), toLocalMs(nowMs));
  const mlBySlot = mlInSlot.map((ml, slot) => {
    if (seen[slot]! >= minWeeks) return ml / seen[slot]!;
    const alike = Array.from({ length: 7 }, (_, day) => (slot + day * slotsOfDay) % slotsOfWeek);
    const times = sum(alike.map((other) => seen[other]!));
    return times > 0 ? sum(alike.map((other) => mlInSlot[other]!)) / Math.max(1, times) : 0;
  });
  return { mlBySlot, horizonMs: Math.min(maxHorizonMs, horizonFactor * (nowMs - firstMs)) };
}

/** About when so much is gone; null when that is further away than the habit can see. */
export function predictRunOut(
  remainMl: number,
  habit: Habit,
  nowMs: number,
  timeZone: string,
): RunOut | null {
  const toLocalMs = localClock(timeZone);
  let remaining = remainMl;
  let timeMs = nowMs;
  while (timeMs < nowMs + habit.horizonMs) {
    const slot = toSlot(toLocalMs(timeMs));
    const restMs = slotMs - (((toLocalMs(timeMs) % slotMs) + slotMs) % slotMs);
    const flowsMl = (habit.mlBySlot[slot]! * restMs) / slotMs;
    if (flowsMl > 0 && remaining <= flowsMl) {
      const takesMs = Math.floor((restMs * Math.max(0, remaining)) / flowsMl);
      // The slot's very end is the next one's beginning.
      return { timeMs: timeMs + Math.min(takesMs, restMs - 1), part: parts[slot % slotsOfDay]! };
    }
    remaining -= flowsMl;
    timeMs += restMs;
  }
  return null;
}

/** How often each slot of the week was lived through between two times that the bar's clock showed, parts included. */
function countSlots(fromShownMs: number, toShownMs: number): readonly number[] {
  const seen = new Array<number>(slotsOfWeek).fill(0);
  for (let at = Math.floor(fromShownMs / slotMs) * slotMs; at < toShownMs; at += slotMs) {
    // The slot in which it began is taken whole: nobody knows when somebody might have come before.
    const livedMs = Math.min(at + slotMs, toShownMs) - at;
    seen[toSlot(at)]! += livedMs / slotMs;
  }
  return seen;
}

/** The slot of the week; the first of January 1970 was a Thursday. */
function toSlot(shownMs: number): number {
  const day = Math.floor(shownMs / dayMs);
  const part = Math.floor((shownMs - day * dayMs) / slotMs);
  return ((((day + 4) % 7) + 7) % 7) * slotsOfDay + part;
}

/** Days of UTC whose offset is remembered: four weeks each way, and some. */
const maxOffsets = 100;

/** A bar stands in one zone, and asking a zone for its offset costs far more than the sum. */
let cached: { readonly timeZone: string; readonly offsets: Map<number, number> } | null = null;

/** What the bar's clocks show, as if it were UTC; the hours around a change of the clocks may be taken for the day's other. */
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
