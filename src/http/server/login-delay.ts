import type { Scheduler } from '../ports.ts';
import { HitCounter } from './hit-counter.ts';

/** Wrong passwords per name without delay. */
const undelayedTries = 5;

/** Delay after these, milliseconds; doubles with each further attempt. */
const firstDelayMs = 500;
const maxDelayMs = 8_000;

/** How long failures count, milliseconds. */
const windowMs = 900_000;

/**
 * Slows down guessing the password of one name from many addresses. Nobody is locked out: a user who knows the password
 * waits at most 8 s, while a dictionary attack takes years.
 */
export class LoginDelay {
  readonly #tries: HitCounter;
  readonly #scheduler: Scheduler;

  constructor(scheduler: Scheduler, now?: () => number) {
    this.#scheduler = scheduler;
    this.#tries = new HitCounter(now === undefined ? {} : { now });
    this.#tries.init({ windowMs });
  }

  /** Resolves when the next password for this name may be checked. */
  next(username: string): Promise<void> {
    const { totalHits } = this.#tries.increment(normalizeName(username));
    const excess = totalHits - undelayedTries;
    if (excess <= 0) return Promise.resolve();
    const delayMs = Math.min(firstDelayMs * 2 ** (excess - 1), maxDelayMs);
    return new Promise((resolve) => this.#scheduler.after(delayMs, resolve));
  }

  /** Clears the failures of a name after a correct password. */
  reset(username: string): void {
    this.#tries.resetKey(normalizeName(username));
  }
}

const normalizeName = (username: string): string => username.trim().toLowerCase().slice(0, 64);
