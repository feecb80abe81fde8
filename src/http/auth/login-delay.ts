import type { Scheduler } from '../ports.ts';
import { HitCounter } from '../server/hit-counter.ts';

/** Wrong passwords that a name bears without delay. */
const undelayedTries = 5;

/** The delay after those, milliseconds; it doubles with each further one. */
const firstDelayMs = 500;
const maxDelayMs = 8_000;

/** How long failures are remembered, milliseconds. */
const windowMs = 900_000;

/**
 * Slows down guessing at one name from many addresses. Nobody is ever locked out: whoever knows the password waits some
 * seconds, a dictionary waits for years.
 */
export class LoginDelay {
  readonly #tries: HitCounter;
  readonly #scheduler: Scheduler;

  constructor(scheduler: Scheduler, now?: () => number) {
    this.#scheduler = scheduler;
    this.#tries = new HitCounter(now === undefined ? {} : { now });
    this.#tries.init({ windowMs });
  }

  /** Resolves when the next password for this name may be looked at. */
  next(username: string): Promise<void> {
    const { totalHits } = this.#tries.increment(normalizeName(username));
    const excess = totalHits - undelayedTries;
    if (excess <= 0) return Promise.resolve();
    const delayMs = Math.min(firstDelayMs * 2 ** (excess - 1), maxDelayMs);
    return new Promise((resolve) => this.#scheduler.after(delayMs, resolve));
  }

  /** The password was right: what was guessed before is forgotten. */
  reset(username: string): void {
    this.#tries.resetKey(normalizeName(username));
  }
}

const normalizeName = (username: string): string => username.trim().toLowerCase().slice(0, 64);
