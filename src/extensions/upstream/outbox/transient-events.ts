import type { Moment } from '../../../core/clock/moment.ts';
import type { Upstream } from '../engine/upstream.ts';
import type { UpstreamCommand } from './answer.ts';
import type { TransientEvent } from './batch.ts';

/** Results stored so that a repeated command is executed once, as a kegboard does. */
const maxRemembered = 16;
/** Maximum number of waiting acknowledgements. */
const maxResults = 64;
/** Capacity of the queue for events other than pours, as reported in the status. */
const queueCapacity = 2_000;
/** A status with more meters would not fit in a batch with other events. */
const maxMeters = 100;

export interface TransientEventParts {
  readonly version: string;
  readonly heartbeatMs: number;
  /** Full names of the local meters. */
  readonly meterNames: () => readonly string[];
  /** Ends all grants at the local taps. Throws if that fails. */
  readonly closeTaps: () => void;
}

/** Status and acknowledgements for one opening of the database; in memory only. */
export class TransientEvents {
  readonly upstream: Upstream;
  readonly #parts: TransientEventParts;
  #events: TransientEvent[] = [];
  #statusDueMonoMs = Number.NEGATIVE_INFINITY;
  #isStatusDelivered = false;
  readonly #done = new Map<string, object>();

  constructor(upstream: Upstream, parts: TransientEventParts) {
    this.upstream = upstream;
    this.#parts = parts;
  }

  get statusDueMonoMs(): number {
    return this.#statusDueMonoMs;
  }

  /** Returns the events to send; adds a status if one is due. */
  events(now: Moment): readonly TransientEvent[] {
    if (now.monoMs < this.#statusDueMonoMs) return this.#events;
    this.#statusDueMonoMs = now.monoMs + this.#parts.heartbeatMs;
    // The first status stays before all other events of this boot, because it announces the meters of the
    // pours.
    const isFirstWaiting = !this.#isStatusDelivered && this.#events.some(({ type }) => type === 'status');
    if (isFirstWaiting) return this.#events;
    const others = this.#events.filter(({ type }) => type !== 'status');
    this.#events = [...others, this.#event('status', this.#status(now), now)];
    return this.#events;
  }

  /** Removes events that the upstream server has accepted. */
  markDelivered(ids: readonly number[]): void {
    if (this.#events.some(({ id, type }) => type === 'status' && ids.includes(id)))
      this.#isStatusDelivered = true;
    this.#events = this.#events.filter(({ id }) => !ids.includes(id));
  }

  /** Executes each command once and acknowledges it each time. */
  run(commands: readonly UpstreamCommand[], now: Moment): void {
    for (const command of commands) {
      const previous = this.#done.get(command.id);
      const result = previous ?? this.#execute(command);
      this.#done.delete(command.id);
      this.#done.set(command.id, result);
      if (this.#done.size > maxRemembered) this.#done.delete(this.#done.keys().next().value!);
      if (this.#events.length >= maxResults) continue;
      this.#events.push(this.#event('command_result', { command: command.id, ...result }, now));
    }
  }

  #execute({ type, data }: UpstreamCommand): object {
    // Tokens are not presented through this server, so there is nobody to show a refusal to.
    if (type === 'deny') return { result: 'ok' };
    if (type !== 'deauthorize')
      return { result: 'unsupported', message: 'This server opens its taps by its own grants only.' };
    // Grants are local; the ids of the upstream server are unknown here.
    if (data.grant_ids !== undefined) return { result: 'ok' };
    try {
      this.#parts.closeTaps();
      return { result: 'ok' };
    } catch {
      return { result: 'error', message: 'The taps could not be closed.' };
    }
  }

  #event(type: TransientEvent['type'], data: object, now: Moment): TransientEvent {
    return { id: this.upstream.nextEventId(), type, monoMs: now.monoMs, data };
  }

  #status(now: Moment): object {
    const { version, heartbeatMs, meterNames } = this.#parts;
    return {
      state: this.#isStatusDelivered ? 'heartbeat' : 'boot',
      fw_version: version,
      uptime_ms: Math.max(0, Math.floor(now.monoMs)),
      events_dropped: this.upstream.counts().eventsDropped,
      config: { heartbeat_ms: heartbeatMs, pour_update_ms: 0, queue_capacity: queueCapacity },
      meters: this.upstream.meters(meterNames().slice(0, maxMeters)).map((meter) => ({
        meter_number: meter.number,
        total_ticks: meter.ticksTotal,
        ml_per_tick: 1 / meter.ticksPerMl,
      })),
    };
  }
}
