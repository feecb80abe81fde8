import type { KeptTotal } from '../../../core/pours/counter-position.ts';

/** Tolerance of a board's uptime: its clock may be slow by this share, and its message late by this time. */
const clockShare = 0.02;
const clockSlackMs = 10_000;

/** A board that started earlier than the known one, by more than this, is another board. */
const startSlackMs = 60_000;

/** What a hello shows about a board. */
export interface BoardIdentity {
  readonly serialNumber: string | null;
  /** Null before version 18. */
  readonly uptimeMs: number | null;
}

/**
 * How a board that answers on a new link relates to the one whose totals are known: it ran on, it started
 * again, it may have started again, or it is another board.
 */
export type BoardRelation = 'continues' | 'restarted' | 'unproven' | 'other';

interface UptimeReport {
  readonly uptimeMs: number;
  /** Null when the time is unknown, since it is of an earlier boot and the clock was not set. */
  readonly atMonoMs: number | null;
  /** True when that time depends on the wall clock, which may be wrong. */
  readonly isEstimated: boolean;
}

/** Tracks one run of a board, from its start to its next: by serial number and uptime. */
export class BoardRun {
  #serialNumber: string | null = null;
  #uptime: UptimeReport | null = null;
  /** True while all that is known was stored by an earlier run of the daemon. */
  #isStored = false;

  get serialNumber(): string | null {
    return this.#serialNumber;
  }

  /** When the board started, kernel-monotonic milliseconds; null when unknown. */
  get startMonoMs(): number | null {
    const uptime = this.#uptime;
    return uptime === null || uptime.atMonoMs === null ? null : uptime.atMonoMs - uptime.uptimeMs;
  }

  /** Continues with what was stored of the board. */
  continueFrom({ serialNumber, uptimeMs, atMonoMs, isEstimated }: KeptTotal): void {
    this.#serialNumber = serialNumber;
    this.#uptime = uptimeMs === null ? null : { uptimeMs, atMonoMs, isEstimated };
    this.#isStored = true;
  }

  /**
   * Compares the first hello of a link with the known board. A board without serial number and uptime cannot
   * be told from another one: it is trusted while the daemon runs, not across a restart of the daemon.
   */
  compare({ serialNumber, uptimeMs }: BoardIdentity, nowMonoMs: number): BoardRelation {
    if (serialNumber !== this.#serialNumber) return 'other';
    const unproven = serialNumber !== null || !this.#isStored ? 'unproven' : 'other';
    const before = this.#uptime;
    if (uptimeMs === null || before === null) return unproven;
    if (uptimeMs === 0 || uptimeMs < before.uptimeMs) return 'restarted';
    if (before.atMonoMs === null) return unproven;
    const elapsedMs = nowMonoMs - before.atMonoMs;
    const toleranceMs = elapsedMs * clockShare + clockSlackMs;
    const isTooLow = uptimeMs < before.uptimeMs + elapsedMs - toleranceMs;
    const isTooHigh = uptimeMs > before.uptimeMs + elapsedMs * (1 + clockShare) + startSlackMs;
    // A board that restarted at once would be within the tolerance if it had run for a shorter time.
    if (!isTooLow && !isTooHigh) return before.uptimeMs > toleranceMs ? 'continues' : unproven;
    if (before.isEstimated) return unproven;
    return isTooLow ? 'restarted' : 'other';
  }

  /** Takes the board's identity from the first hello of a link. */
  identified({ serialNumber }: BoardIdentity, isOther: boolean): void {
    this.#serialNumber = serialNumber;
    this.#isStored = false;
    if (isOther) this.#uptime = null;
  }

  /**
   * Records the board's uptime. Returns true when it shows that the board restarted since the last message.
   */
  recordUptime(
    uptimeMs: number,
    nowMonoMs: number,
    link: { readonly openedMonoMs: number; readonly isFirst: boolean },
  ): boolean {
    const before = this.#uptime;
    this.#uptime = { uptimeMs, atMonoMs: nowMonoMs, isEstimated: false };
    if (before === null) return nowMonoMs - uptimeMs >= link.openedMonoMs;
    // The first hello after a start has an uptime of 0; two restarts in a row give it twice.
    if (uptimeMs === 0 || uptimeMs < before.uptimeMs) return true;
    // While disconnected the board may have restarted and already exceed its former uptime.
    if (!link.isFirst || before.atMonoMs === null || before.isEstimated) return false;
    return uptimeMs < leastUptimeMs(before.uptimeMs, nowMonoMs - before.atMonoMs);
  }
}

/** Whether two stored totals are of one run of their board; true when that cannot be known. */
export function areOfOneRun(a: KeptTotal, b: KeptTotal): boolean {
  if (a.serialNumber !== b.serialNumber) return false;
  if (a.atMonoMs === null || b.atMonoMs === null || a.uptimeMs === null || b.uptimeMs === null) return true;
  const apartMs = Math.abs(a.atMonoMs - b.atMonoMs);
  return Math.abs(a.atMonoMs - a.uptimeMs - (b.atMonoMs - b.uptimeMs)) <= apartMs * clockShare + clockSlackMs;
}

function leastUptimeMs(uptimeMs: number, elapsedMs: number): number {
  return uptimeMs + elapsedMs * (1 - clockShare) - clockSlackMs;
}
