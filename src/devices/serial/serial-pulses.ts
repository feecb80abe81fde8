import type { Drained } from '../ports.ts';
import type { ReportedTicks } from './board-counters.ts';
import { reportEveryMs, TickPlacing } from './tick-placing.ts';

/** A board is held up by its tunes for up to 480 ms before it reports what fell meanwhile. */
const holdUpMs = 600;

/** Bytes that came while we were busy are read a turn or two of the loop after the drain that follows. */
const looksBehind = 3;

interface Waiting {
  readonly reports: ReportedTicks[];
  everyMs: number;
  readonly placing: TickPlacing;
}

/** The ticks of all serial boards, as a source of pulses that a meter feed can drain. */
export class SerialPulses {
  readonly #nowMonoMs: () => number;
  readonly #waiting = new Map<string, Waiting>();
  readonly #drainedMonoMs: number[] = [];

  constructor({ nowMonoMs }: { readonly nowMonoMs: () => number }) {
    this.#nowMonoMs = nowMonoMs;
  }

  /** A board's report. `meter` is the full name; version 4 boards tell every tick as it falls. */
  take(meter: string, report: ReportedTicks, firmware: number): void {
    const waiting = this.#waiting.get(meter) ?? { reports: [], everyMs: 0, placing: new TickPlacing(meter) };
    this.#waiting.set(meter, waiting);
    waiting.everyMs = firmware < 5 ? 0 : reportEveryMs;
    waiting.reports.push(report);
  }

  drain(): Drained {
    const lines = [...this.#waiting.values()]
      .filter(({ reports }) => reports.length > 0)
      .map(({ reports, everyMs, placing }) => placing.place(reports.splice(0), everyMs));
    this.#drainedMonoMs.push(this.#nowMonoMs());
    if (this.#drainedMonoMs.length > looksBehind + 1) this.#drainedMonoMs.shift();
    return { lines, untilMonoMs: this.#drainedMonoMs[0]! - holdUpMs };
  }
}
