import { AppError } from '../../core/app-error.ts';

/** The main loop must be heard of this often, or every relay shuts. */
const maxSilenceMs = 2_000;

/** The longest a relay may be asked to stay open: nobody pours for longer than an hour. */
const maxOpenMs = 3_600_000;

interface OpenRelay {
  readonly untilMonoMs: number;
  readonly meter: string | undefined;
  ticksLeft: number;
}

export interface RelayLimits {
  readonly maxMs: number;
  readonly meter?: string;
  readonly maxTicks?: number;
}

/** Relays that exist only as a thought, with the limits of the real ones. Time passes when they are asked. */
export class SimulatedRelays {
  readonly #names: ReadonlySet<string>;
  readonly #open = new Map<string, OpenRelay>();
  #heartbeatMonoMs = Number.NEGATIVE_INFINITY;

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  /** Throws `not_found` for an unknown relay, `invalid_request` for limits that are none. */
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

  /** The main loop lives. A sign that comes after too long a silence comes too late. */
  heartbeat(nowMonoMs: number): void {
    this.expire(nowMonoMs);
    this.#heartbeatMonoMs = nowMonoMs;
  }

  /** Ticks that fell on a meter; a relay limited by them shuts with the last one allowed. */
  countTicks(meter: string, ticks: number): void {
    for (const [name, relay] of this.#open) {
      if (relay.meter !== meter) continue;
      relay.ticksLeft -= ticks;
      if (relay.ticksLeft <= 0) this.#open.delete(name);
    }
  }

  /** Shuts what has been open for its time, and everything once the main loop is silent. */
  expire(nowMonoMs: number): void {
    if (nowMonoMs - this.#heartbeatMonoMs > maxSilenceMs) this.#open.clear();
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
