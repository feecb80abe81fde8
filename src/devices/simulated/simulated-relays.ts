import { AppError } from '../../core/app-error.ts';
import type { RelayLimits } from '../device-interfaces.ts';

/** Every relay is shut when no heartbeat arrives for this long. */
const heartbeatTimeoutMs = 2_000;

/** Upper bound of the time a relay may be opened for: one hour. */
const maxOpenMs = 3_600_000;

interface OpenRelay {
  readonly untilMonoMs: number;
  readonly meter: string | undefined;
  ticksLeft: number;
}

/** Simulated relays with the limits of real ones. Has no timer: limits are applied at each call. */
export class SimulatedRelays {
  #names: ReadonlySet<string>;
  readonly #open = new Map<string, OpenRelay>();
  #heartbeatMonoMs = Number.NEGATIVE_INFINITY;

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  /** Replaces the relays; one that is taken away is shut. */
  rename(names: readonly string[]): void {
    this.#names = new Set(names);
    for (const name of this.#open.keys()) if (!this.#names.has(name)) this.#open.delete(name);
  }

  /** Throws `not_found` for an unknown relay, `invalid_request` for limits out of range. */
  open(name: string, limits: RelayLimits, nowMonoMs: number): void {
    this.#requireRelay(name);
    const { maxMs, meter, maxTicks = Number.POSITIVE_INFINITY } = limits;
    if (!(maxMs > 0 && maxMs <= maxOpenMs)) throw limitError('maxMs', `more than 0, at most ${maxOpenMs}`);
    if (!(maxTicks > 0)) throw limitError('maxTicks', 'more than 0');
    if (limits.maxTicks !== undefined && meter === undefined)
      throw limitError('meter', 'needed to count ticks');
    this.expire(nowMonoMs);
    this.#heartbeatMonoMs = nowMonoMs;
    this.#open.set(name, { untilMonoMs: nowMonoMs + maxMs, meter, ticksLeft: maxTicks });
  }

  shut(name: string): void {
    this.#requireRelay(name);
    this.#open.delete(name);
  }

  shutAll(): void {
    this.#open.clear();
  }

  isOpen(name: string, nowMonoMs: number): boolean {
    this.#requireRelay(name);
    this.expire(nowMonoMs);
    return this.#open.has(name);
  }

  /** Records a heartbeat. One that comes after the limit does not reopen a relay. */
  heartbeat(nowMonoMs: number): void {
    this.expire(nowMonoMs);
    this.#heartbeatMonoMs = nowMonoMs;
  }

  /** Counts ticks of a meter; a relay limited by them shuts with the last one allowed. */
  countTicks(meter: string, ticks: number): void {
    for (const [name, relay] of this.#open) {
      if (relay.meter !== meter) continue;
      relay.ticksLeft -= ticks;
      if (relay.ticksLeft <= 0) this.#open.delete(name);
    }
  }

  /** Shuts relays whose time is over, and every relay when heartbeats have stopped. */
  expire(nowMonoMs: number): void {
    if (nowMonoMs - this.#heartbeatMonoMs > heartbeatTimeoutMs) this.#open.clear();
    for (const [name, relay] of this.#open) {
      if (nowMonoMs >= relay.untilMonoMs) this.#open.delete(name);
    }
  }

  #requireRelay(name: string): void {
    if (!this.#names.has(name)) throw new AppError('not_found', `There is no relay "${name}" here.`);
  }
}

function limitError(field: string, allowed: string): AppError {
  return new AppError('invalid_request', `A relay opens only with a limit: ${field} must be ${allowed}.`, {
    fields: { [field]: allowed },
  });
}
