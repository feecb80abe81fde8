import type { GrantRelease } from '../../core/access/live-grants.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { Grants } from '../../engine/engine.ts';
import type { Logger } from '../../system/log/log.ts';

/** Stores the ends of grants; those that the database refuses wait. */
export class EndedGrants {
  readonly #grants: () => Grants;
  readonly #log: Logger;
  #waiting: GrantRelease[] = [];

  /** `grants` may throw while the database is closed. */
  constructor(grants: () => Grants, log: Logger) {
    this.#grants = grants;
    this.#log = log;
  }

  add(release: GrantRelease, now: Moment): void {
    this.#waiting.push(release);
    this.store(now);
  }

  /** Stores the waiting ends in their order. */
  store(now: Moment): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const [i, release] of waiting.entries()) {
      try {
        const tapIds = release.taps.map(({ tapId }) => tapId);
        this.#grants().release({ ...release, tapIds }, now);
      } catch (err) {
        const { grantId: grant } = release;
        this.#log.warn({ err, grant }, 'the end of a grant could not be stored yet; trying again');
        this.#waiting.push(...waiting.slice(i));
        return;
      }
    }
  }
}
