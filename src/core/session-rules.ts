/** When a session began and when it is over unless somebody pours again. Unix milliseconds. */
export interface SessionSpan {
  readonly startTimeMs: number;
  /** Time of its last drink plus the timeout. */
  readonly endTimeMs: number;
}

/** A session's first or only drink makes this of it. */
export function openSession(drinkTimeMs: number, timeoutMs: number): SessionSpan {
  return { startTimeMs: drinkTimeMs, endTimeMs: drinkTimeMs + timeoutMs };
}

/**
 * Whether a drink of that time belongs to the session: from one timeout before its start until its end, which is no
 * longer part of it. A drink delivered days late is therefore not drawn into tonight's.
 */
export function joinsSession(session: SessionSpan, drinkTimeMs: number, timeoutMs: number): boolean {
  return drinkTimeMs >= session.startTimeMs - timeoutMs && drinkTimeMs < session.endTimeMs;
}

/**
 * The session a drink belongs to, or null when it opens its own. Where two would take it, the one that was already
 * running wins over one that began later; among those the newest.
 */
export function chooseSession<S extends SessionSpan>(
  sessions: Iterable<S>,
  drinkTimeMs: number,
  timeoutMs: number,
): S | null {
  let chosen: S | null = null;
  for (const session of sessions) {
    if (!joinsSession(session, drinkTimeMs, timeoutMs)) continue;
    if (chosen === null || isNearer(session, chosen, drinkTimeMs)) chosen = session;
  }
  return chosen;
}

/** What the session becomes with one drink more. */
export function extendSession(session: SessionSpan, drinkTimeMs: number, timeoutMs: number): SessionSpan {
  return {
    startTimeMs: Math.min(session.startTimeMs, drinkTimeMs),
    endTimeMs: Math.max(session.endTimeMs, drinkTimeMs + timeoutMs),
  };
}

/** What a session is by its drinks alone, after a correction; null when none is left and it should vanish. */
export function rebuildSession(
  drinks: Iterable<{ readonly pourTimeMs: number; readonly volumeMl: number }>,
  timeoutMs: number,
): (SessionSpan & { readonly volumeMl: number }) | null {
  let span: SessionSpan | null = null;
  let volumeMl = 0;
  for (const drink of drinks) {
    span =
      span === null
        ? openSession(drink.pourTimeMs, timeoutMs)
        : extendSession(span, drink.pourTimeMs, timeoutMs);
    volumeMl += drink.volumeMl;
  }
  return span && { ...span, volumeMl };
}

/** Whether people are still at it. */
export function isSessionActive(session: SessionSpan, nowMs: number): boolean {
  return session.endTimeMs > nowMs;
}

function isNearer(session: SessionSpan, than: SessionSpan, drinkTimeMs: number): boolean {
  const isRunning = session.startTimeMs <= drinkTimeMs;
  if (isRunning !== than.startTimeMs <= drinkTimeMs) return isRunning;
  return isRunning ? session.startTimeMs > than.startTimeMs : session.startTimeMs < than.startTimeMs;
}
