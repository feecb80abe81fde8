import type { Drained } from '../device-interfaces.ts';
import type { ReportedTicks } from './board-counters.ts';
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

  constructor({ nowMonoMs }: { readonly nowMonoMs: () => number }) {
    this.#nowMonoMs = nowMonoMs;
  }

  /** Takes a board's report. `meter` is the full name; version 4 boards report every tick at once. */
  take(meter: string, report: ReportedTicks, firmware: number): void {
    const pending = this.#pending.get(meter) ?? {
      reports: [],
      everyMs: 0,
      spreader: new TickSpreader(meter),
    };
    this.#pending.set(meter, pending);
    pending.everyMs = firmware < 5 ? 0 : reportEveryMs;
    pending.reports.push(report);
  }

  drain(): Drained {
    const lines = [...this.#pending.values()]
      .filter(({ reports }) => reports.length > 0)
      .map(({ reports, everyMs, spreader }) => spreader.spread(reports.splice(0), everyMs));
    this.#drainedMonoMs.push(this.#nowMonoMs());
    if (this.#drainedMonoMs.length > drainsBehind + 1) this.#drainedMonoMs.shift();
    return { lines, untilMonoMs: this.#drainedMonoMs[0]! - boardDelayMs };
  }
}
