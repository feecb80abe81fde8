import { TickCounter } from '../../core/tick-counter.ts';

/** Faster than any beer meter turns, in ticks a second. */
const maxHz = 833;

/**
 * The most ticks believed in one report while no report can be missing: a board reports every 101 ms, or after half a
 * second when a tune held it up. Less than 256, since a board that reads its counter while a byte carries is off by that.
 */
const maxPerReport = 240;

/** The most believed after any gap, however long: fifty litres of a fine meter. */
const maxAfterGap = 100_000;

/** A board has six meters; a name that is made up by a broken one must not fill our memory. */
const maxMeters = 16;

/** A board's clock may be this much slow, as a share, and this late in reaching us. */
const clockShare = 0.02;
const clockSlackMs = 10_000;

/** Ticks one report added to its meter's total. */
export interface ReportedTicks {
  /** The meter's name on its board: `flow0`. */
  readonly meter: string;
  readonly ticks: number;
  /** When the report reached us, kernel-monotonic milliseconds. */
  readonly arrivedMonoMs: number;
  /** False when reports before this one are missing: the ticks may have fallen any time since the last one. */
  readonly isContinuous: boolean;
  /** 0 when the totals prove that none is missing; null where they cannot. */
  readonly lost: 0 | null;
  /** The change of a total that was not believed, for the log. */
  readonly jumpedBy?: number;
}

interface MeterTotal {
  readonly counter: TickCounter;
  reportedMonoMs: number;
  /** Whether a report may be missing since the last one. */
  mayHaveGap: boolean;
}

interface UptimeReport {
  readonly uptimeMs: number;
  readonly atMonoMs: number;
}

/** The totals of one board. It outlives the link: a board that was out of hearing goes on where it was. */
export class BoardCounters {
  readonly #meters = new Map<string, MeterTotal>();
  /** When the board began again while we listened; from then on the first total of a meter is all its own. */
  #zeroMonoMs: number | null = null;
  #uptimeReport: UptimeReport | null = null;

  /** The board says how long it runs. True when that shows that it began again since we heard it last. */
  recordUptime(
    uptimeMs: number,
    nowMonoMs: number,
    link: { readonly openedMonoMs: number; readonly isFirst: boolean },
  ): boolean {
    const before = this.#uptimeReport;
    this.#uptimeReport = { uptimeMs, atMonoMs: nowMonoMs };
    if (before === null) return nowMonoMs - uptimeMs >= link.openedMonoMs;
    // Its first word of all says zero; one that begins again twice in a row says it twice.
    if (uptimeMs === 0 || uptimeMs < before.uptimeMs) return true;
    // Out of hearing it may have begun again and already run for longer than before.
    const leastMs = before.uptimeMs + (nowMonoMs - before.atMonoMs) * (1 - clockShare) - clockSlackMs;
    return link.isFirst && uptimeMs < leastMs;
  }

  /**
   * The board began again: every total counts from zero. What fell before and was not reported yet is gone with it, so
   * this gives a report without ticks for each meter, to say that its present pour is not proven any more.
   * `zeroMonoMs` is when it began: a total that is too high for the time since then belongs to an older count.
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

  /** Something was lost on the wire, or nobody listened for a while. */
  markGap(): void {
    for (const meter of this.#meters.values()) meter.mayHaveGap = true;
  }

  /** Takes one report. Null for one more meter than any board has. */
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
