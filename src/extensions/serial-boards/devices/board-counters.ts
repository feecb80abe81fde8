import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { CounterReading } from '../../../core/pours/counter-position.ts';
import { TickCounter } from '../../../core/pours/tick-counter.ts';
import { areOfOneRun, type BoardIdentity, BoardRun } from './board-run.ts';
import { findGap, type KeptMeterTotal, type ReportedTicks } from './reported-ticks.ts';

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

/** Reports at most this far apart belong to one flow, whatever was lost between them. */
const sameFlowMs = 1_000;

/** A flowing meter reports again within this time, also while the board plays a tune. */
const nextReportMs = 500;

interface MeterTotal {
  readonly counter: TickCounter;
  reportedMonoMs: number;
  /** Until when ticks belong to the flow of the last report with ticks. */
  flowUntilMonoMs: number;
  /** True when the next total may differ by more than one report's ticks. */
  mayHaveGap: boolean;
  /** Since when a report may be missing; null when none is. */
  missedMonoMs: number | null;
  isMissNoted: boolean;
  /** True when ticks before the next counted ones may be missing. */
  isUnproven: boolean;
  /** True when the board may have restarted since the last total without a sign of it. */
  mayHaveRestarted: boolean;
}

interface BoardCountersOptions {
  /** Silence that ends a pour, milliseconds: ticks after it are not given to the pour before. */
  readonly idleMs?: number;
  /** The last totals that an earlier run of the daemon stored; null when they cannot be read. */
  readonly kept?: readonly KeptMeterTotal[] | null;
}

/**
 * The meter totals of one board. Kept when the link closes, so that a reconnected board continues its count,
 * and continued from the stored totals after a restart of the daemon.
 */
export class BoardCounters {
  readonly #idleMs: number;
  readonly #meters = new Map<string, MeterTotal>();
  readonly #run = new BoardRun();
  /** When the board restarted while connected; after that the first total of a meter counts in full. */
  #zeroMonoMs: number | null = null;
  /** That time, when reports since then may be missing; null when none is. */
  #missedMonoMs: number | null = null;
  /** True when ticks of meters that have not reported yet may be missing. */
  #isUnproven = false;

  constructor({ idleMs = 5_000, kept = [] }: BoardCountersOptions = {}) {
    this.#idleMs = idleMs;
    if (kept === null) this.#isUnproven = true;
    else this.#continueFrom(kept);
  }

  /**
   * Takes the first hello of a link: compares the board with the one of these totals. The totals of another
   * board are dropped, and what cannot be proven complete is marked.
   */
  identify(hello: BoardIdentity, nowMonoMs: number): void {
    const isKnown = this.#meters.size > 0;
    const relation = isKnown ? this.#run.compare(hello, nowMonoMs) : 'unproven';
    this.#run.identified(hello, relation === 'other');
    if (!isKnown || relation === 'continues') return;
    this.#isUnproven = true;
    for (const counted of this.#meters.values()) {
      counted.isUnproven = true;
      counted.mayHaveRestarted = true;
    }
    if (relation !== 'other') return;
    this.#meters.clear();
    this.#zeroMonoMs = null;
    this.#missedMonoMs = null;
  }

  /**
   * Records the board's uptime. Returns true when it shows that the board restarted since the last message.
   */
  recordUptime(
    uptimeMs: number,
    nowMonoMs: number,
    link: { readonly openedMonoMs: number; readonly isFirst: boolean },
  ): boolean {
    return this.#run.recordUptime(uptimeMs, nowMonoMs, link);
  }

  /**
   * The board restarted: every total counts from zero. Ticks that were not reported before are lost, so a
   * report without ticks is returned for each meter, which marks the loss on its running pour as unknown.
   * `zeroMonoMs` is the time of the start: a total too high for the time since then belongs to the earlier
   * count. Ticks before `openedMonoMs`, when the link was opened, were not seen.
   */
  restarted(nowMonoMs: number, zeroMonoMs: number, openedMonoMs: number): ReportedTicks[] {
    this.#zeroMonoMs = zeroMonoMs;
    this.#missedMonoMs = zeroMonoMs < openedMonoMs ? zeroMonoMs : null;
    return [...this.#meters].map(([meter, counted]) => {
      counted.counter.reset();
      counted.mayHaveGap = true;
      // The last report before the restart may be missing.
      if (counted.missedMonoMs !== null) counted.isUnproven = true;
      counted.missedMonoMs = this.#missedMonoMs;
      counted.reportedMonoMs = zeroMonoMs;
      return this.#withoutTicks(meter, nowMonoMs);
    });
  }

  /** A report may be missing from now on: bytes were lost or the link was closed. */
  markGap(nowMonoMs: number): void {
    for (const counted of this.#meters.values()) {
      counted.mayHaveGap = true;
      counted.missedMonoMs ??= nowMonoMs;
    }
  }

  /**
   * Call about every 50 ms. Where no report has followed a gap soon, the last ticks of the running pour may be
   * missing: returns a report without ticks, which marks its loss as unknown.
   */
  step(nowMonoMs: number): ReportedTicks[] {
    return [...this.#meters].flatMap(([meter, counted]) => {
      const { missedMonoMs, isMissNoted } = counted;
      if (missedMonoMs === null || isMissNoted || nowMonoMs - missedMonoMs < nextReportMs) return [];
      counted.isMissNoted = true;
      return [this.#withoutTicks(meter, nowMonoMs)];
    });
  }

  /** Takes one report. Null when the board exceeds the number of meters. */
  report(meter: string, total: number, arrivedMonoMs: number): ReportedTicks | null {
    const counted = this.#meters.get(meter) ?? this.#open(meter, arrivedMonoMs);
    if (counted === null) return null;
    const { counter, mayHaveGap, missedMonoMs } = counted;
    const gapMs = Math.max(0, arrivedMonoMs - counted.reportedMonoMs);
    const gapTicks = Math.ceil((gapMs / 1_000) * maxHz);
    const maxJump = mayHaveGap ? Math.min(maxAfterGap, maxPerReport + gapTicks) : maxPerReport;
    counted.reportedMonoMs = arrivedMonoMs;
    const step = counter.read(total, maxJump, !counted.mayHaveRestarted);
    const plain = { meter, arrivedMonoMs, isContinuous: !mayHaveGap };
    if (step.kind === 'jumped') {
      counted.isUnproven = true;
      return { ...plain, ticks: 0, lost: null, jumpedBy: step.ticks };
    }
    counted.mayHaveGap = false;
    counted.mayHaveRestarted = false;
    counted.missedMonoMs = null;
    counted.isMissNoted = false;
    if (step.kind === 'baseline' || step.kind === 'unusable') {
      // A board that has counted nothing yet has lost nothing.
      if (total > 0) counted.isUnproven = true;
      return { ...this.#withoutTicks(meter, arrivedMonoMs), lost: counted.isUnproven ? null : 0 };
    }
    const { ticks } = step;
    const isProven = step.kind === 'counted' && !counted.isUnproven;
    const gap = missedMonoMs === null ? null : findGap(ticks, arrivedMonoMs, counted.flowUntilMonoMs);
    // After a silence the ticks of a lost report may belong to an earlier pour.
    const isShared = missedMonoMs !== null && gapMs > sameFlowMs && gap !== 'unobserved';
    if (ticks > 0) {
      counted.flowUntilMonoMs = arrivedMonoMs + this.#idleMs;
      // The first ticks of a flow that goes on now are among the unobserved ones.
      counted.isUnproven = gap === 'unobserved';
    }
    const lost = isProven && !isShared ? 0 : null;
    return { ...plain, ticks, lost, ...this.#reading(counted), ...omitUndefined({ gap: gap ?? undefined }) };
  }

  #continueFrom(kept: readonly KeptMeterTotal[]): void {
    const newest = kept.reduce<KeptMeterTotal | null>(
      (best, one) =>
        best === null || (one.atMonoMs ?? -Infinity) > (best.atMonoMs ?? -Infinity) ? one : best,
      null,
    );
    if (newest === null) return;
    this.#run.continueFrom(newest);
    for (const one of kept.slice(0, maxMeters)) {
      const counter = new TickCounter({ maxJump: maxPerReport });
      // A total of an earlier run of the board is no base for the present one.
      const isUsable = areOfOneRun(one, newest);
      if (isUsable) counter.continueFrom(one.total);
      this.#meters.set(one.meter, {
        counter,
        reportedMonoMs: one.atMonoMs ?? Number.NEGATIVE_INFINITY,
        flowUntilMonoMs: one.flowUntilMonoMs ?? (one.atMonoMs ?? Number.NEGATIVE_INFINITY) + this.#idleMs,
        mayHaveGap: true,
        missedMonoMs: Number.NEGATIVE_INFINITY,
        isMissNoted: true,
        isUnproven: !isUsable,
        mayHaveRestarted: false,
      });
    }
  }

  #open(meter: string, nowMonoMs: number): MeterTotal | null {
    if (this.#meters.size >= maxMeters) return null;
    const counter = new TickCounter({ maxJump: maxPerReport });
    const zeroMonoMs = this.#zeroMonoMs;
    if (zeroMonoMs !== null) counter.reset();
    const counted: MeterTotal = {
      counter,
      reportedMonoMs: zeroMonoMs ?? nowMonoMs,
      flowUntilMonoMs: Number.NEGATIVE_INFINITY,
      mayHaveGap: zeroMonoMs !== null,
      missedMonoMs: this.#missedMonoMs,
      isMissNoted: true,
      isUnproven: this.#isUnproven,
      mayHaveRestarted: false,
    };
    this.#meters.set(meter, counted);
    return counted;
  }

  #reading({ counter }: MeterTotal): { readonly counter?: CounterReading } {
    const { serialNumber, startMonoMs: boardStartMonoMs } = this.#run;
    return counter.total === null
      ? {}
      : { counter: { total: counter.total, serialNumber, boardStartMonoMs } };
  }

  #withoutTicks(meter: string, arrivedMonoMs: number): ReportedTicks {
    const counter = this.#reading(this.#meters.get(meter)!);
    return { meter, ticks: 0, arrivedMonoMs, isContinuous: false, lost: null, ...counter };
  }
}
