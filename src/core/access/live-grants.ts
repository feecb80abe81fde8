/** Limits of a grant; 0 means no limit. */
export interface GrantLimits {
  readonly maxVolumeMl: number;
  readonly maxDurationMs: number;
  /** Longest time without flow. */
  readonly maxIdleMs: number;
}

/** Why a grant at one of our own taps ended; the first six names are the same as on kegboards. */
export type GrantEnd =
  | 'max_volume'
  | 'max_duration'
  | 'max_idle'
  | 'detach' // the token was removed
  | 'command' // staff closed the tap
  | 'replaced' // another token took the tap
  | 'user' // the account was switched off or is gone
  | 'fault' // the relay cannot be switched, or its controller is disconnected
  | 'stopped' // the daemon stopped
  | 'restart'; // the daemon crashed; no earlier grant is opened again

/** A tap opened by a grant. */
export interface GrantedTap {
  readonly tapId: number;
  /** Full names; a tap without a relay is not opened, its pours are only attributed. */
  readonly meter: string | null;
  readonly toggle: string | null;
  readonly ticksPerMl: number | null;
}

/**
 * Where a reader is: on controller `controller`; `reader` distinguishes several readers of one controller.
 */
interface ReaderLocation {
  readonly controller: string;
  readonly reader?: string;
}

/** A grant to be started. */
export interface NewGrant {
  readonly id: string;
  readonly username: string;
  readonly limits: GrantLimits;
  readonly taps: readonly GrantedTap[];
}

/** Taps that a grant no longer opens. */
export interface GrantRelease {
  readonly grantId: string;
  readonly username: string;
  readonly taps: readonly GrantedTap[];
  readonly reason: GrantEnd;
  /** True when the grant has no open tap left. */
  readonly isOver: boolean;
  /** Volume poured under it so far, over all its meters. */
  readonly volumeMl: number;
}

/** The token a grant was given for, and its reader. */
export interface PresentedToken extends ReaderLocation {
  readonly device: string;
  readonly value: string;
}

/** A running grant. */
interface LiveGrant extends NewGrant {
  readonly token: PresentedToken;
  readonly startedMonoMs: number;
  readonly volumeMl: number;
}

interface RunningGrant {
  readonly grant: NewGrant;
  readonly token: PresentedToken;
  readonly startedMonoMs: number;
  taps: readonly GrantedTap[];
  volumeMl: number;
  lastMonoMs: number;
}

/** Running grants at our own taps, and when each must end. Has no timer: the caller steps it. */
export class LiveGrants {
  readonly #live = new Map<string, RunningGrant>();

  /** Starts a grant. A tap has one grant at a time: a new grant takes the tap over. */
  begin(grant: NewGrant, token: PresentedToken, nowMonoMs: number): GrantRelease[] {
    const tapIds = new Set(grant.taps.map(({ tapId }) => tapId));
    const replaced = [...this.#live.values()].flatMap((live) =>
      this.#release(live, (tap) => tapIds.has(tap.tapId), 'replaced'),
    );
    this.#live.set(grant.id, {
      grant,
      token,
      startedMonoMs: nowMonoMs,
      taps: grant.taps,
      volumeMl: 0,
      lastMonoMs: nowMonoMs,
    });
    return replaced;
  }

  /**
   * The token was presented again: restarts the idle time-out, not the other limits. Returns false when it
   * opens no tap now.
   */
  renew(token: PresentedToken, nowMonoMs: number): boolean {
    const matches = [...this.#live.values()].filter((live) => isSameToken(live.token, token));
    for (const live of matches) live.lastMonoMs = nowMonoMs;
    return matches.length > 0;
  }

  /** Counts ticks of a meter. */
  addTicks(meter: string, ticks: number, nowMonoMs: number): void {
    for (const live of this.#live.values()) {
      const tap = live.taps.find((one) => one.meter === meter);
      if (tap === undefined) continue;
      live.lastMonoMs = nowMonoMs;
      if (tap.ticksPerMl !== null) live.volumeMl += ticks / tap.ticksPerMl;
    }
  }

  /** Ends the grants of a token that was removed from its reader. */
  tokenRemoved(token: PresentedToken): GrantRelease[] {
    return this.#releaseWhere((live) => isSameToken(live.token, token), 'detach');
  }

  end(grantId: string, reason: GrantEnd): GrantRelease[] {
    return this.#releaseWhere(({ grant }) => grant.id === grantId, reason);
  }

  /** Ends every grant that opens the tap with this relay. */
  endToggle(toggle: string, reason: GrantEnd): GrantRelease[] {
    return [...this.#live.values()].flatMap((live) =>
      this.#release(live, (tap) => tap.toggle === toggle, reason),
    );
  }

  endAll(reason: GrantEnd): GrantRelease[] {
    return this.#releaseWhere(() => true, reason);
  }

  /** Ends grants that have reached a limit. */
  step(nowMonoMs: number): GrantRelease[] {
    return [...this.#live.values()].flatMap((live) => {
      const reason = limitReached(live, nowMonoMs);
      return reason === null ? [] : this.#release(live, () => true, reason);
    });
  }

  all(): readonly LiveGrant[] {
    return [...this.#live.values()].map(({ grant, token, startedMonoMs, taps, volumeMl }) => ({
      ...grant,
      token,
      startedMonoMs,
      taps,
      volumeMl,
    }));
  }

  #releaseWhere(isMatch: (live: RunningGrant) => boolean, reason: GrantEnd): GrantRelease[] {
    return [...this.#live.values()]
      .filter(isMatch)
      .flatMap((live) => this.#release(live, () => true, reason));
  }

  #release(live: RunningGrant, isMatch: (tap: GrantedTap) => boolean, reason: GrantEnd): GrantRelease[] {
    const taps = live.taps.filter(isMatch);
    if (taps.length === 0) return [];
    live.taps = live.taps.filter((tap) => !taps.includes(tap));
    const isOver = live.taps.length === 0;
    const { id: grantId, username } = live.grant;
    if (isOver) this.#live.delete(grantId);
    return [{ grantId, username, taps, reason, isOver, volumeMl: live.volumeMl }];
  }
}

function limitReached(
  { grant, startedMonoMs, lastMonoMs, volumeMl }: RunningGrant,
  now: number,
): GrantEnd | null {
  const { maxVolumeMl, maxDurationMs, maxIdleMs } = grant.limits;
  if (maxVolumeMl > 0 && volumeMl >= maxVolumeMl) return 'max_volume';
  if (maxDurationMs > 0 && now - startedMonoMs >= maxDurationMs) return 'max_duration';
  return maxIdleMs > 0 && now - lastMonoMs >= maxIdleMs ? 'max_idle' : null;
}

function isSameToken(a: PresentedToken, b: PresentedToken): boolean {
  return (
    a.controller === b.controller && a.reader === b.reader && a.device === b.device && a.value === b.value
  );
}
