import type { Moment } from '../core/moment.ts';
import type { Upstream } from '../engine/engine.ts';
import type { UpstreamCommand } from './upstream-answer.ts';
import type { LiveEvent } from './upstream-batch.ts';

/** Commands remembered, so that one that comes twice is done once; what a board does. */
const maxRemembered = 16;
/** Acknowledgements that may wait; more commands than these nobody has. */
const maxResults = 64;
/** What the queue holds beside pours, told as our capacity. */
const queueCapacity = 2_000;
/** A status with more meters than these would fill a batch by itself. */
const maxMeters = 100;

export interface LiveParts {
  readonly version: string;
  readonly heartbeatMs: number;
  /** Full names of our own meters. */
  readonly meterNames: () => readonly string[];
  /** Ends every leave to pour of this house. Throws while that cannot be. */
  readonly closeTaps: () => void;
}

/** Status and acknowledgements of one opening of the ledger: told while they are news, kept nowhere. */
export class UpstreamLive {
  readonly upstream: Upstream;
  readonly #parts: LiveParts;
  #events: LiveEvent[] = [];
  #statusDueMonoMs = Number.NEGATIVE_INFINITY;
  #isStatusDelivered = false;
  readonly #done = new Map<string, object>();

  constructor(upstream: Upstream, parts: LiveParts) {
    this.upstream = upstream;
    this.#parts = parts;
  }

  get statusDueMonoMs(): number {
    return this.#statusDueMonoMs;
  }

  /** What could be sent now; makes a status when one is due. */
  events(now: Moment): readonly LiveEvent[] {
    if (now.monoMs < this.#statusDueMonoMs) return this.#events;
    this.#statusDueMonoMs = now.monoMs + this.#parts.heartbeatMs;
    // The first keeps its place before everything of this boot: it brings the meters that pours speak of.
    const isFirstWaiting = !this.#isStatusDelivered && this.#events.some(({ type }) => type === 'status');
    if (isFirstWaiting) return this.#events;
    const others = this.#events.filter(({ type }) => type !== 'status');
    this.#events = [...others, this.#event('status', this.#status(now), now)];
    return this.#events;
  }

  /** The other house has these. */
  markDelivered(ids: readonly number[]): void {
    if (this.#events.some(({ id, type }) => type === 'status' && ids.includes(id)))
      this.#isStatusDelivered = true;
    this.#events = this.#events.filter(({ id }) => !ids.includes(id));
  }

  /** Does what the other house wishes, each once, and acknowledges it each time. */
  run(commands: readonly UpstreamCommand[], now: Moment): void {
    for (const command of commands) {
      const known = this.#done.get(command.id);
      const result = known ?? this.#execute(command);
      this.#done.delete(command.id);
      this.#done.set(command.id, result);
      if (this.#done.size > maxRemembered) this.#done.delete(this.#done.keys().next().value!);
      if (this.#events.length >= maxResults) continue;
      this.#events.push(this.#event('command_result', { command: command.id, ...result }, now));
    }
  }

  #execute({ type, data }: UpstreamCommand): object {
    // Nobody presents tokens there by our hand, so there is nobody whom a refusal could be shown.
    if (type === 'deny') return { result: 'ok' };
    if (type !== 'deauthorize')
      return { result: 'unsupported', message: 'This house opens its taps by its own leave.' };
    // Leave to pour is our own here; none of the other house’s can be named.
    if (data.grant_ids !== undefined) return { result: 'ok' };
    try {
      this.#parts.closeTaps();
      return { result: 'ok' };
    } catch {
      return { result: 'error', message: 'The taps could not be closed just now.' };
    }
  }

  #event(type: LiveEvent['type'], data: object, now: Moment): LiveEvent {
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
