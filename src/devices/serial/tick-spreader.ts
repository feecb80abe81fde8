import type { LineBatch } from '../ports.ts';
import type { ReportedTicks } from './board-counters.ts';

/** Two reports no further apart than this belong to one flow: the ticks fell all along between them. */
const flowMs = 1_000;

/** How long before a report its ticks may have fallen: boards look at their totals this often. */
export const reportEveryMs = 100;

/** Apart by this much, ticks make a plain flow of beer; for ticks that fell we do not know when. */
const steadyTickMs = 10;

/**
 * Gives the ticks of a serial meter the stamps that the board does not tell. They are spread between the report before
 * and their own. Reports that waited together while our loop stalled are set apart again as the board made them, so
 * that a stall leaves no silence behind that was none.
 */
export class TickSpreader {
  readonly #meter: string;
  #lastMonoMs = Number.NEGATIVE_INFINITY;

  /** `meter` is the full name. */
  constructor(meter: string) {
    this.#meter = meter;
  }

  /** Takes the reports since the last call, oldest first. `everyMs`: how far apart the board makes them, 0 if it tells every tick. */
  spread(reports: readonly ReportedTicks[], everyMs: number): LineBatch {
    const stamps: number[] = [];
    let lost: 0 | null = 0;
    const times = separateReports(reports, everyMs);
    reports.forEach((report, i) => {
      if (report.lost === null) lost = null;
      const at = Math.max(times[i]!, this.#lastMonoMs);
      if (report.ticks === 0) return;
      const spanMs = Math.min(at - this.#lastMonoMs, spreadTimeMs(report, at - this.#lastMonoMs));
      for (let k = 1; k <= report.ticks; k++) stamps.push(at - spanMs * (1 - k / report.ticks));
      this.#lastMonoMs = at;
    });
    return { meter: this.#meter, stampsMonoMs: stamps, lost };
  }
}

/** The time in which a report's ticks fell, seen from the report before, which was `gapMs` ago. */
function spreadTimeMs({ isContinuous, ticks }: ReportedTicks, gapMs: number): number {
  if (gapMs <= flowMs) return gapMs;
  return isContinuous ? reportEveryMs : Math.max(reportEveryMs, ticks * steadyTickMs);
}

/** When the board made each report: at the latest when it came, and never closer to the next than it can. */
function separateReports(reports: readonly ReportedTicks[], everyMs: number): number[] {
  const times = reports.map(({ arrivedMonoMs }) => arrivedMonoMs);
  for (let i = times.length - 2; i >= 0; i--) times[i] = Math.min(times[i]!, times[i + 1]! - everyMs);
  return times;
}
