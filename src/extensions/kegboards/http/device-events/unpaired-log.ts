import type { Clock } from '../../../../core/clock/moment.ts';
import type { Log } from '../../../../http/ports.ts';

/** Shortest time between two log lines, milliseconds. */
const intervalMs = 60_000;

/** What a client without a valid token did. */
interface UnpairedRequest {
  readonly address: string | null;
  /** The name it used; null if its batch could not be parsed. */
  readonly device: string | null;
  readonly reason: string;
}

/**
 * Logs requests of clients without a valid token: at most one line a minute for all of them together, with the number of
 * requests since the line before and the newest one.
 */
export class UnpairedLog {
  readonly #log: Log;
  readonly #clock: Clock;
  #requests = 0;
  #loggedMonoMs = Number.NEGATIVE_INFINITY;

  constructor({ log, clock }: { readonly log: Log; readonly clock: Clock }) {
    this.#log = log;
    this.#clock = clock;
  }

  add(request: UnpairedRequest): void {
    this.#requests += 1;
    const { monoMs } = this.#clock.now();
    if (monoMs - this.#loggedMonoMs < intervalMs) return;
    this.#log.warn({ requests: this.#requests, ...request }, 'device events without a valid token');
    this.#requests = 0;
    this.#loggedMonoMs = monoMs;
  }
}
