import { createProblem } from '../../core/health/problems.ts';
import type { ClockCorrection } from '../../engine/engine.ts';
import type { SystemClock } from '../../system/clock.ts';
import type { Logger } from '../../system/log/log.ts';
import type { ReportProblem } from './health-reporters.ts';

/** Watches the clock and corrects the stored provisional times once the Pi's time is set. */
export class ClockMonitor {
  readonly #clock: SystemClock;
  readonly #reportProblem: ReportProblem;
  readonly #log: Logger;
  #needsCorrection = false;

  constructor(options: { clock: SystemClock; reportProblem: ReportProblem; log: Logger }) {
    this.#clock = options.clock;
    this.#reportProblem = options.reportProblem;
    this.#log = options.log;
  }

  /** Called when a database was opened, before a time is written to it. */
  start(correction: ClockCorrection): void {
    const newest = correction.newestSyncedMs();
    if (newest !== null) this.#clock.setLowerBound(newest);
    // The previous run may have stopped after the clock was set and before the times were corrected.
    this.#needsCorrection = this.#clock.now().synced;
  }

  /** Called about once a second; null while the database is closed. */
  poll(correction: ClockCorrection | null): void {
    // A step is noticed when the database is open again.
    if (correction === null) return;
    const change = this.#clock.poll();
    const now = this.#clock.now();
    if (change === 'synced-now') this.#needsCorrection = true;
    else if (change !== 'unchanged') {
      this.#log.warn({ ms: change.steppedMs }, 'the clock was stepped; times of this boot are corrected');
      correction.markTimesUncertain({ ...now, wallMs: now.wallMs - change.steppedMs });
      this.#needsCorrection = true;
    }
    if (this.#needsCorrection) {
      const moved = correction.correct(now);
      this.#needsCorrection = false;
      if (moved > 0) this.#log.info({ drinks: moved }, 'the clock is set; earlier times were corrected');
    }
    this.#reportProblem(now.synced ? [] : [createProblem('time_not_set')]);
  }
}
