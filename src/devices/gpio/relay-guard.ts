/**
 * Every relay is shut when the main loop has sent no heartbeat for this long: nothing else would stop the
 * flow.
 */
const heartbeatTimeoutMs = 2_000;

/** Why a relay was shut without a command. */
type ShutReason = 'time' | 'ticks' | 'no_heartbeat';

interface OpenRelay {
  readonly untilMs: number;
  readonly line: number;
  readonly untilTicks: number;
}

/** Tracks open relays and when each must shut. Has no timer: the caller polls it. */
export class RelayGuard {
  readonly #open = new Map<number, OpenRelay>();
  #heartbeatMs = Number.NEGATIVE_INFINITY;

  /** Records that a relay is opened now; opening it again renews its limits. */
  open(
    relay: number,
    nowMs: number,
    limits: {
      readonly maxMs: number;
      /** Ticks of the GPIO line `line` after which the relay shuts, and those it has counted already. */
      readonly maxTicks?: number;
      readonly line?: number;
      readonly ticksNow?: number;
    },
  ): void {
    this.#heartbeatMs = nowMs;
    this.#open.set(relay, {
      untilMs: nowMs + limits.maxMs,
      line: limits.line ?? -1,
      untilTicks: (limits.ticksNow ?? 0) + (limits.maxTicks ?? Number.POSITIVE_INFINITY),
    });
  }

  shut(relay: number): void {
    this.#open.delete(relay);
  }

  /** Records a heartbeat of the main loop. */
  noteHeartbeat(nowMs: number): void {
    this.#heartbeatMs = nowMs;
  }

  /** Returns the relays that must be shut now and stops tracking them. */
  takeExpired(
    nowMs: number,
    countTicks: (line: number) => number,
  ): { readonly relay: number; readonly reason: ShutReason }[] {
    const expired: { relay: number; reason: ShutReason }[] = [];
    for (const [relay, one] of this.#open) {
      const reason = this.#reason(one, nowMs, countTicks);
      if (reason === null) continue;
      expired.push({ relay, reason });
      this.#open.delete(relay);
    }
    return expired;
  }

  /** Milliseconds until the next check is needed; infinite while every relay is shut. */
  msUntilNextCheck(nowMs: number): number {
    let atMs = Number.POSITIVE_INFINITY;
    for (const one of this.#open.values())
      atMs = Math.min(atMs, one.untilMs, this.#heartbeatMs + heartbeatTimeoutMs);
    return Math.max(0, atMs - nowMs);
  }

  #reason(one: OpenRelay, nowMs: number, countTicks: (line: number) => number): ShutReason | null {
    if (nowMs >= one.untilMs) return 'time';
    if (one.line >= 0 && countTicks(one.line) >= one.untilTicks) return 'ticks';
    return nowMs - this.#heartbeatMs >= heartbeatTimeoutMs ? 'no_heartbeat' : null;
  }
}
