import type { Clockwork } from '../engine/engine.ts';
import type { SystemClock } from '../system/clock.ts';
import type { Logger } from '../system/log.ts';
import type { Tell } from './tellers.ts';

/** Watches the clock, and mends the ledger's times once somebody has told the Pi what time it is. */
export class ClockKeeper {
  readonly #clock: SystemClock;
  readonly #clockwork: Clockwork;
  readonly #tell: Tell;
  readonly #log: Logger;
  #owesCorrection: boolean;

  constructor(parts: { clock: SystemClock; clockwork: Clockwork; tell: Tell; log: Logger }) {
    this.#clock = parts.clock;
    this.#clockwork = parts.clockwork;
    this.#tell = parts.tell;
    this.#log = parts.log;
    const newest = this.#clockwork.newestSyncedMs();
    if (newest !== null) this.#clock.neverBelow(newest);
    // A run before this one may have stopped after the clock was set and before the times were mended.
    this.#owesCorrection = this.#clock.now().synced;
  }

  /** Called about once a second. */
  look(): void {
    const news = this.#clock.poll();
    const now = this.#clock.now();
    if (news === 'synced-now') this.#owesCorrection = true;
    else if (news !== 'unchanged') {
      this.#log.warn({ ms: news.leaptMs }, 'the clock was moved; what this boot dated by it is corrected');
      this.#clockwork.doubt({ ...now, wallMs: now.wallMs - news.leaptMs });
      this.#owesCorrection = true;
    }
    if (this.#owesCorrection) {
      const moved = this.#clockwork.correct(now);
      this.#owesCorrection = false;
      if (moved > 0)
        this.#log.info({ drinks: moved }, 'the clock is right now; earlier times were corrected');
    }
    this.#tell(
      now.synced
        ? null
        : 'Nobody has told this Pi the time yet; times are marked and corrected later. Take it from your phone, or connect the network.',
    );
  }
}
