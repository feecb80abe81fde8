import type { Drained } from '../../../devices/device-interfaces.ts';
import type { ReportedTicks } from './reported-ticks.ts';
import { reportEveryMs, TickSpreader } from './tick-spreader.ts';

/** A board's tunes delay its reports by up to 480 ms. */
const boardDelayMs = 600;

/** Bytes that arrived during a stall are read one or two turns of the loop after the next drain. */
const drainsBehind = 3;

interface PendingReports {
  readonly reports: ReportedTicks[];
  everyMs: number;
  readonly spreader: TickSpreader;
}

/** The ticks of all serial boards as a pulse source for a meter feed. */
export class SerialPulses {
  readonly #nowMonoMs: () => number;
  readonly #pending = new Map<string, PendingReports>();
  readonly #drainedMonoMs: number[] = [];
  /** Interrupted pours that wait for their board, by full meter name. */
  readonly #held = new Map<string, { readonly lastTickMonoMs: number; readonly untilMonoMs: number }>();

  constructor({ nowMonoMs }: { readonly nowMonoMs: () => number }) {
    this.#nowMonoMs = nowMonoMs;
  }

  /**
   * Takes a board's report. `meter` is the full name; version 4 boards report every tick at once. `firmware` is
   * null while the board is disconnected.
   */
  take(meter: string, report: ReportedTicks, firmware: number | null): void {
    const pending = this.#pending.get(meter) ?? createPending(new TickSpreader(meter));
    this.#pending.set(meter, pending);
    if (firmware !== null) pending.everyMs = firmware < 5 ? 0 : reportEveryMs;
    pending.reports.push(report);
    if (report.ticks > 0) this.#held.delete(meter);
  }

  /**
   * Continues a pour that was interrupted at `lastTickMonoMs`: no pour ends before its board has reported
   * again, at most until `untilMonoMs`.
   */
  hold(meter: string, lastTickMonoMs: number, untilMonoMs: number): void {
    this.#pending.set(meter, createPending(new TickSpreader(meter, lastTickMonoMs)));
    this.#held.set(meter, { lastTickMonoMs, untilMonoMs });
  }

  drain(): Drained {
    const lines = [...this.#pending.values()]
      .filter(({ reports }) => reports.length > 0)
      .map(({ reports, everyMs, spreader }) => spreader.spread(reports.splice(0), everyMs));
    this.#drainedMonoMs.push(this.#nowMonoMs());
    if (this.#drainedMonoMs.length > drainsBehind + 1) this.#drainedMonoMs.shift();
    return { lines, untilMonoMs: Math.min(this.#drainedMonoMs[0]! - boardDelayMs, ...this.#heldMonoMs()) };
  }

  /** The last ticks of the pours that still wait for their board. */
  #heldMonoMs(): number[] {
    const nowMonoMs = this.#nowMonoMs();
    for (const [meter, { untilMonoMs }] of this.#held) {
      if (nowMonoMs >= untilMonoMs) this.#held.delete(meter);
    }
    return [...this.#held.values()].map(({ lastTickMonoMs }) => lastTickMonoMs);
  }
}

function createPending(spreader: TickSpreader): PendingReports {
  return { reports: [], everyMs: 0, spreader };
}
