import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { CounterReading } from '../../../core/pours/counter-position.ts';
import type { LineBatch } from '../../../devices/device-interfaces.ts';
import type { ReportedTicks } from './reported-ticks.ts';

/** Reports at most this far apart belong to one flow: the ticks are spread over the time between them. */
const flowMs = 1_000;

/** Interval at which boards read their totals, so the ticks of a report are at most this old. */
export const reportEveryMs = 100;

/** Spacing that gives a steady flow, for ticks whose time is unknown. */
const steadyTickMs = 10;

/**
 * Assigns time stamps to the ticks of a serial meter, which the board does not send. The ticks are spread
 * between the previous report and their own. Reports that were queued during a stall of the main loop are
 * separated by the board's report interval, so that a stall does not create a false silence.
 */
export class TickSpreader {
  readonly #meter: string;
  #lastMonoMs: number;

  /** `meter` is the full name, `lastMonoMs` the last tick of a pour that is continued. */
  constructor(meter: string, lastMonoMs = Number.NEGATIVE_INFINITY) {
    this.#meter = meter;
    this.#lastMonoMs = lastMonoMs;
  }

  /**
   * Takes the reports since the last call, oldest first. `everyMs`: the board's report interval, 0 if it
   * reports every tick.
   */
  spread(reports: readonly ReportedTicks[], everyMs: number): LineBatch {
    const stamps: number[] = [];
    let lost: 0 | null = 0;
    let counter: CounterReading | undefined;
    const times = separateReports(reports, everyMs);
    reports.forEach((report, i) => {
      if (report.lost === null) lost = null;
      counter = report.counter ?? counter;
      const at = Math.max(times[i]!, this.#lastMonoMs);
      if (report.ticks === 0) return;
      const spanMs = Math.min(at - this.#lastMonoMs, spreadTimeMs(report, at - this.#lastMonoMs));
      for (let k = 1; k <= report.ticks; k++) stamps.push(at - spanMs * (1 - k / report.ticks));
      this.#lastMonoMs = at;
    });
    return { meter: this.#meter, stampsMonoMs: stamps, lost, ...omitUndefined({ counter }) };
  }
}

/** The time over which a report's ticks are spread; the previous report was `gapMs` earlier. */
function spreadTimeMs({ isContinuous, ticks, gap }: ReportedTicks, gapMs: number): number {
  // Beer went on flowing while no report came, so that one pour stays one pour.
  if (gapMs <= flowMs || (gap === 'flow' && Number.isFinite(gapMs))) return gapMs;
  return isContinuous ? reportEveryMs : Math.max(reportEveryMs, ticks * steadyTickMs);
}

/** When the board made each report: at the latest on arrival, and at least `everyMs` before the next. */
function separateReports(reports: readonly ReportedTicks[], everyMs: number): number[] {
  const times = reports.map(({ arrivedMonoMs }) => arrivedMonoMs);
  for (let i = times.length - 2; i >= 0; i--) times[i] = Math.min(times[i]!, times[i + 1]! - everyMs);
  return times;
}
