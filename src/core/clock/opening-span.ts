import { localDay, localInstant } from './local-days.ts';
import type { OpeningHours } from './opening-hours.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** From opening to closing, Unix milliseconds; `closesMs` is exclusive. */
export interface OpeningSpan {
  readonly opensMs: number;
  readonly closesMs: number;
}

/** The opening that is running, else the next one; null for a bar that never closes or has no hours. */
export function openingSpanAt(ms: number, hours: OpeningHours | null, timeZone: string): OpeningSpan | null {
  if (hours === null || hours.from === hours.until) return null;
  const [from, until] = [toMs(hours.from), toMs(hours.until)];
  const today = localDay(ms, timeZone);
  // An opening that began yesterday may still run after midnight.
  const spans = [today - 1, today, today + 1].map((day) => ({
    opensMs: localInstant(day * dayMs + from, timeZone),
    closesMs: localInstant((until > from ? day : day + 1) * dayMs + until, timeZone),
  }));
  return spans.find(({ closesMs }) => closesMs > ms) ?? null;
}

const toMs = (clock: string): number => (Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))) * minuteMs;
