import { TickCounter } from '../../core/pours/tick-counter.ts';

/** Upper bound of a beer meter's rate, ticks per second. */
const maxHz = 833;

/**
 * Most ticks accepted in one report while no report can be missing: a board reports every 101 ms, or after
 * half a second while it plays a tune. Less than 256, since a board that reads its counter during a carry
 * between bytes is off by 256.
 */
const maxPerReport = 240;

/** Most ticks accepted after a gap of any length: fifty litres of a fine meter. */
const maxAfterGap = 100_000;

/**
 * Upper bound of meters per board (a board has six), so that a broken board's invented names use bounded
 * memory.
 */
const maxMeters = 16;

/** Tolerance of a board's uptime: its clock may be slow by this share, and its message late by this time. */
const clockShare = 0.02;
const clockSlackMs = 10_000;

/** Ticks that one report added to its meter's total. */
export interface ReportedTicks {
  /** The meter's name on its board: `flow0`. */
  readonly meter: string;
  readonly ticks: number;
  /** When the report was received, kernel-monotonic milliseconds. */
  readonly arrivedMonoMs: number;
  /**
   * False when earlier reports may be missing: the ticks may have occurred at any time since the last report.
   */
  readonly isContinuous: boolean;
  /** 0 when the totals prove that no tick is missing; null when unknown. */
  readonly lost: 0 | null;
  /** A change of the total that was rejected as implausible, for the log. */
  readonly jumpedBy?: number;
}

interface MeterTotal {
  readonly counter: TickCounter;
  reportedMonoMs: number;
  /** True when a report may be missing since the last one. */
  mayHaveGap: boolean;
}

interface UptimeReport {
  readonly uptimeMs: number;
  readonly atMonoMs: number;
}

/**
 * The meter totals of one board. Kept when the link closes, so that a reconnected board continues its count.
 */
export class BoardCounters {
  readonly #meters = new Map<string, MeterTotal>();
  /** When the board restarted while connected; after that the first total of a meter counts in full. */
  #zeroMonoMs: number | null = null;
  #uptimeReport: UptimeReport | null = null;

  /**
   * Records the board's uptime. Returns true when it shows that the board restarted since the last message.
   */
  recordUptime(
    uptimeMs: number,
    nowMonoMs: number,
    link: { readonly openedMonoMs: number; readonly isFirst: boolean },
  ): boolean {
    const before = this.#uptimeReport;
    this.#uptimeReport = { uptimeMs, atMonoMs: nowMonoMs };
    if (before === null) return nowMonoMs - uptimeMs >= link.openedMonoMs;
    // The first hello after a start has an uptime of 0; two restarts in a row give it twice.
    if (uptimeMs === 0 || uptimeMs < before.uptimeMs) return true;
    // While disconnected the board may have restarted and already exceed its former uptime.
    const leastMs = before.uptimeMs + (nowMonoMs - before.atMonoMs) * (1 - clockShare) - clockSlackMs;
    return link.isFirst && uptimeMs < leastMs;
  }

  /**
   * The board restarted: every total counts from zero. Ticks that were not reported before are lost, so a
   * report without ticks is returned for each meter, which marks the loss on its running pour as unknown.
   * `zeroMonoMs` is the time of the start: a total too high for the time since then belongs to the earlier
   * count.
   */
  restarted(nowMonoMs: number, zeroMonoMs: number): ReportedTicks[] {
    this.#zeroMonoMs = zeroMonoMs;
    return [...this.#meters].map(([meter, counted]) => {
      counted.counter.reset();
      counted.mayHaveGap = true;
      counted.reportedMonoMs = zeroMonoMs;
      return { meter, ticks: 0, arrivedMonoMs: nowMonoMs, isContinuous: false, lost: null };
    });
  }

  /** Marks every meter as having a possible gap: bytes were lost or the link was closed. */
  markGap(): void {
    for (const meter of this.#meters.values()) meter.mayHaveGap = true;
  }

  /** Takes one report. Null when the board exceeds the number of meters. */
  report(meter: string, total: number, arrivedMonoMs: number): ReportedTicks | null {
    const counted = this.#meters.get(meter) ?? this.#open(meter, arrivedMonoMs);
    if (counted === null) return null;
    const { counter, mayHaveGap } = counted;
    const gapMs = Math.max(0, arrivedMonoMs - counted.reportedMonoMs);
    const gapTicks = Math.ceil((gapMs / 1_000) * maxHz);
    const maxJump = mayHaveGap ? Math.min(maxAfterGap, maxPerReport + gapTicks) : maxPerReport;
    counted.reportedMonoMs = arrivedMonoMs;
    const step = counter.read(total, maxJump);
    const plain = { meter, arrivedMonoMs, isContinuous: !mayHaveGap };
    switch (step.kind) {
      case 'counted':
        counted.mayHaveGap = false;
        return { ...plain, ticks: step.ticks, lost: 0 };
      case 'restarted':
        counted.mayHaveGap = false;
        return { ...plain, ticks: step.ticks, lost: null };
      case 'jumped':
        return { ...plain, ticks: 0, lost: null, jumpedBy: step.ticks };
      default:
        counted.mayHaveGap = false;
        return { ...plain, ticks: 0, lost: 0 };
    }
  }

  #open(meter: string, nowMonoMs: number): MeterTotal | null {
    if (this.#meters.size >= maxMeters) return null;
    const counter = new TickCounter({ maxJump: maxPerReport });
    const zeroMonoMs = this.#zeroMonoMs;
    if (zeroMonoMs !== null) counter.reset();
    const counted = { counter, reportedMonoMs: zeroMonoMs ?? nowMonoMs, mayHaveGap: zeroMonoMs !== null };
    this.#meters.set(meter, counted);
    return counted;
  }
}
