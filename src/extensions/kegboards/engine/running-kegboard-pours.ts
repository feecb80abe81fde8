import type { Moment } from '../../../core/clock/moment.ts';
import type { EventBus } from '../../../core/event-bus.ts';

/** A running pour without an update for this long is removed, milliseconds. */
const silenceMs = 10_000;

/** Upper bound of running pours. */
const maxShown = 256;

interface RunningPour {
  readonly pourId: string;
  readonly ticks: number;
  readonly monoMs: number;
}

/**
 * Running pours on kegboards, for display. In memory only: a drink is recorded from the board's final report.
 */
export class RunningKegboardPours {
  readonly #bus: EventBus;
  readonly #byMeter = new Map<string, RunningPour>();

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

  /** Call when its board has reported the pour, with all its ticks. */
  end({ pourId, ticks }: { readonly pourId: string; readonly ticks: number }): void {
    for (const [meter, pour] of this.#byMeter)
      if (pour.pourId === pourId) this.#stop(meter, { pourId, ticks });
  }

  /** Called about once a second: removes pours without recent updates. */
  poll(now: Moment): void {
    const before = this.#byMeter.size;
    for (const [meter, pour] of this.#byMeter) {
      if (now.monoMs - pour.monoMs > silenceMs) this.#stop(meter, pour);
    }
    if (this.#byMeter.size < before) this.#bus.publish({ type: 'database.changed' });
  }

  #stop(meter: string, { pourId, ticks }: Pick<RunningPour, 'pourId' | 'ticks'>): void {
    this.#byMeter.delete(meter);
    this.#bus.publish({ type: 'pour.stopped', meter, pourId, ticks });
  }

  /** By full meter name. */
  now(): ReadonlyMap<string, { readonly pourId: string; readonly ticks: number }> {
    return this.#byMeter;
  }
}
