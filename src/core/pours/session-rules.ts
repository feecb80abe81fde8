/** Start of a session, and its end unless another drink follows. Unix milliseconds. */
interface SessionSpan {
  readonly startTimeMs: number;
  /** The end of the last span of its drinks: usually the time of its last drink plus the time-out. */
  readonly endTimeMs: number;
}

/** The time-out that holds after drinks poured from a time on. */
export interface SessionTimeout {
  readonly fromMs: number;
  readonly timeoutMs: number;
}

/**
 * What one drink covers: from its pour until the time-out after it. `timeouts` are the newest first; the last one also
 * holds before its time.
 */
export function drinkSpan(drinkTimeMs: number, timeouts: readonly SessionTimeout[]): SessionSpan {
  const { timeoutMs } = timeouts.find(({ fromMs }) => fromMs <= drinkTimeMs) ?? timeouts.at(-1)!;
  return { startTimeMs: drinkTimeMs, endTimeMs: drinkTimeMs + timeoutMs };
}

/**
 * Groups what overlaps, itself or through others; given by ascending start. The groups of the spans of all drinks are the
 * sessions, in whatever order the drinks were recorded.
 */
export function groupOverlapping<S extends SessionSpan>(spans: Iterable<S>): S[][] {
  const groups: S[][] = [];
  let endMs = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    if (span.startTimeMs < endMs) groups.at(-1)!.push(span);
    else groups.push([span]);
    endMs = Math.max(endMs, span.endTimeMs);
  }
  return groups;
}

/** The span of several. */
export const joinSpans = (spans: readonly SessionSpan[]): SessionSpan => ({
  startTimeMs: Math.min(...spans.map(({ startTimeMs }) => startTimeMs)),
  endTimeMs: Math.max(...spans.map(({ endTimeMs }) => endTimeMs)),
});

/** Whether the session has not ended yet. */
export function isSessionActive(session: SessionSpan, nowMs: number): boolean {
  return session.endTimeMs > nowMs;
}
