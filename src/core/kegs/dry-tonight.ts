import type { ConditionState } from '../alarms/alarm-rules.ts';
import type { OpeningSpan } from '../clock/opening-span.ts';

const hourMs = 3_600_000;

/** Reported so long before opening at the earliest: time to fetch a keg, milliseconds. */
const leadMs = 4 * hourMs;
/** Without opening hours the rest of an evening, milliseconds. */
const eveningMs = 6 * hourMs;
/** The prediction moves with every pour; it counts as safe again only this long after the limit, milliseconds. */
const hysteresisMs = hourMs;

interface KegPrediction {
  readonly remainMl: number;
  /** When it will be empty, Unix milliseconds; null without enough drinks, and when that is weeks away. */
  readonly endMs: number | null;
}

/** Whether a keg runs dry before the bar closes. `span` is the running or next opening; null without opening hours. */
export function toDryTonightCondition(
  { remainMl, endMs }: KegPrediction,
  nowMs: number,
  span: OpeningSpan | null,
): ConditionState {
  // It should be empty already: an alarm stays, and none is raised for a keg that gives a few more glasses.
  if (remainMl <= 0) return 'between';
  const limitMs = span === null ? nowMs + eveningMs : span.closesMs;
  const isTooEarly = span !== null && nowMs < span.opensMs - leadMs;
  if (endMs === null || isTooEarly) return 'good';
  if (endMs < limitMs) return 'bad';
  return endMs < limitMs + hysteresisMs ? 'between' : 'good';
}
