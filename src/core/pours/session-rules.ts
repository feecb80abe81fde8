/** Start of a session, and its end unless another drink follows. Unix milliseconds. */
interface SessionSpan {
  readonly startTimeMs: number;
  /** Time of its last drink plus the timeout. */
  readonly endTimeMs: number;
}

/** The session of a first or only drink. */
export function openSession(drinkTimeMs: number, timeoutMs: number): SessionSpan {
  return { startTimeMs: drinkTimeMs, endTimeMs: drinkTimeMs + timeoutMs };
}

/**
 * Whether a drink at that time belongs to the session: from one time-out before its start until its end
 * (exclusive). A drink delivered days late therefore does not join the current session.
 */
export function joinsSession(session: SessionSpan, drinkTimeMs: number, timeoutMs: number): boolean {
  return drinkTimeMs >= session.startTimeMs - timeoutMs && drinkTimeMs < session.endTimeMs;
}

/**
 * The session a drink belongs to, or null when it starts its own. A session already running at that time wins
 * over one that began later; among running ones the newest wins.
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

/** The session with one more drink. */
export function extendSession(session: SessionSpan, drinkTimeMs: number, timeoutMs: number): SessionSpan {
  return {
    startTimeMs: Math.min(session.startTimeMs, drinkTimeMs),
    endTimeMs: Math.max(session.endTimeMs, drinkTimeMs + timeoutMs),
  };
}

/**
 * The session computed from its drinks alone, after a correction; null when none is left and it must be
 * deleted.
 */
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

/** Whether the session has not ended yet. */
export function isSessionActive(session: SessionSpan, nowMs: number): boolean {
  return session.endTimeMs > nowMs;
}

function isNearer(session: SessionSpan, than: SessionSpan, drinkTimeMs: number): boolean {
  const isRunning = session.startTimeMs <= drinkTimeMs;
  if (isRunning !== than.startTimeMs <= drinkTimeMs) return isRunning;
  return isRunning ? session.startTimeMs > than.startTimeMs : session.startTimeMs < than.startTimeMs;
}
