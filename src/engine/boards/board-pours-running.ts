import type { EventBus } from '../../core/event-bus.ts';
import type { Moment } from '../../core/moment.ts';

/** A running pour that its board has not mentioned for so long is shown no more, milliseconds. */
const silenceMs = 10_000;

/** Pours shown at once; a board that names more invents them. */
const maxShown = 256;

interface Running {
  readonly pourId: string;
  readonly ticks: number;
  readonly monoMs: number;
}

/** Pours that run on boards, for those who watch. In memory only: the record is the board's report of the end. */
export class BoardPoursRunning {
  readonly #bus: EventBus;
  readonly #byMeter = new Map<string, Running>();

  constructor(bus: EventBus) {
    this.#bus = bus;
  }

  update(pour: { meter: string; pourId: string; ticks: number }, now: Moment): void {
    const { meter, pourId, ticks } = pour;
    const isNew = this.#byMeter.get(meter)?.pourId !== pourId;
    if (isNew && this.#byMeter.size >= maxShown && !this.#byMeter.has(meter)) return;
    this.#byMeter.set(meter, { pourId, ticks, monoMs: now.monoMs });
    if (isNew) this.#bus.publish({ type: 'pour.started', meter, pourId });
    this.#bus.publish({ type: 'pour.flowing', meter, pourId, ticks });
  }

  end(pourId: string): void {
    for (const [meter, pour] of this.#byMeter) {
      if (pour.pourId === pourId) this.#byMeter.delete(meter);
    }
  }

  /** Called about once a second: lets go of pours nobody mentions any more. */
  snapshot(now: Moment): void {
    const before = this.#byMeter.size;
    for (const [meter, pour] of this.#byMeter) {
      if (now.monoMs - pour.monoMs > silenceMs) this.#byMeter.delete(meter);
    }
    if (this.#byMeter.size < before) this.#bus.publish({ type: 'database.changed' });
  }

  /** By full meter name. */
  now(): ReadonlyMap<string, { readonly pourId: string; readonly ticks: number }> {
    return this.#byMeter;
  }
}
