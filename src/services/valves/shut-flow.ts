import type { EventBus } from '../../core/event-bus.ts';
import { createProblem } from '../../core/health/problems.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ReportProblem } from '../monitors/health-reporters.ts';
import { residualFlowMs } from './grant-flow.ts';

/** A problem ends when nothing flowed through the shut valve for this long: it was repaired or shut off. */
const problemMs = 600_000;

/** A tap with a valve. */
export interface ValveTap {
  /** Name of the tap. */
  readonly name: string;
  /** Full name of its meter. */
  readonly meter: string;
  readonly ticksPerMl: number;
  /** Full name of the relay that opens its valve. */
  readonly toggle: string;
}

/** The taps that have both a meter and a relay. */
export function findValveTaps(engine: Pick<Engine, 'taps'>): ValveTap[] {
  return engine.taps
    .list()
    .flatMap(({ tap: { name, meter, toggle } }) =>
      meter === null || toggle === null
        ? []
        : [{ name, meter: meter.name, ticksPerMl: meter.ticksPerMl, toggle: toggle.name }],
    );
}

interface ShutFlowOptions {
  /** The taps with a valve; throws while the database is closed. */
  readonly valveTaps: () => readonly ValveTap[];
  /** Flow of one pour through a shut valve that is a problem, millilitres. */
  readonly limitMl: number;
  readonly nowMonoMs: () => number;
  readonly reportProblem: ReportProblem;
}

/** The running or last pour of a meter. */
interface MeterFlow {
  readonly pourId: string;
  ticks: number;
  /** Volume that flowed after the valve was shut and its run-on was over, millilitres. */
  shutMl: number;
}

/**
 * Detects beer that flows through a tap whose valve is shut: the valve is stuck or bypassed. Flow within two
 * seconds after shutting is the normal run-on. Owns no timer: `poll` drives it.
 */
export class ShutFlow {
  readonly #options: ShutFlowOptions;
  #tapsByMeter: ReadonlyMap<string, ValveTap> | null = null;
  /** The shut relays, with the time when each was first found shut. */
  readonly #shutSince = new Map<string, number>();
  #polledMonoMs = Number.NEGATIVE_INFINITY;
  readonly #flows = new Map<string, MeterFlow>();
  /** Taps with a stuck or bypassed valve, by meter, with the time of the last such flow. */
  readonly #stuck = new Map<string, { readonly tap: ValveTap; readonly lastMonoMs: number }>();

  constructor(options: ShutFlowOptions) {
    this.#options = options;
  }

  /** Subscribes to pours; call it before the recorder of pours does. Returns the unsubscribe function. */
  subscribe(bus: EventBus): () => void {
    const readTapsAgain = () => {
      this.#tapsByMeter = null;
    };
    const subscriptions = [
      bus.on('pour.started', ({ meter, pourId }) => this.#count(meter, pourId, 0)),
      bus.on('pour.flowing', ({ meter, pourId, ticks }) => this.#count(meter, pourId, ticks)),
      bus.on('pour.ended', ({ pour }) => this.#count(pour.meter, pour.pourId, pour.ticks)),
      bus.on('database.changed', readTapsAgain),
      bus.on('database.replaced', readTapsAgain),
    ];
    return () => {
      for (const unsubscribe of subscriptions) unsubscribe();
    };
  }

  /**
   * Called every 50 ms after the pulses were drained, with the state of each relay: null when it is not known,
   * as for relays of network kegboards.
   */
  poll(isOpen: (toggle: string) => boolean | null): void {
    const now = this.#options.nowMonoMs();
    for (const { toggle } of this.#taps().values()) {
      if (isOpen(toggle) !== false) this.#shutSince.delete(toggle);
      else if (!this.#shutSince.has(toggle)) this.#shutSince.set(toggle, now);
    }
    this.#polledMonoMs = now;
    for (const [meter, { lastMonoMs }] of [...this.#stuck]) {
      if (now - lastMonoMs < problemMs) continue;
      this.#stuck.delete(meter);
      this.#report();
    }
  }

  /** True when more than the limit of this pour flowed through a shut valve. */
  isFlowWhileShut({ meter, pourId }: { readonly meter: string; readonly pourId: string }): boolean {
    const flow = this.#flows.get(meter);
    return flow?.pourId === pourId && flow.shutMl >= this.#options.limitMl;
  }

  /** True when more than the limit of this meter's newest pour flowed through a shut valve. */
  isShut(meter: string): boolean {
    const flow = this.#flows.get(meter);
    return flow !== undefined && flow.shutMl >= this.#options.limitMl;
  }

  #count(meter: string, pourId: string, ticks: number): void {
    const tap = this.#taps().get(meter);
    if (tap === undefined) return;
    const flow = this.#flows.get(meter);
    if (flow?.pourId !== pourId) {
      // A pour that was resumed from the journal starts with ticks of an unknown time.
      this.#flows.set(meter, { pourId, ticks, shutMl: 0 });
      return;
    }
    const newTicks = Math.max(0, ticks - flow.ticks);
    flow.ticks = ticks;
    // The time of the last poll, not of the call: after a stall these ticks flowed before the stall ended.
    const shutMs = this.#polledMonoMs - (this.#shutSince.get(tap.toggle) ?? Number.POSITIVE_INFINITY);
    if (newTicks === 0 || shutMs < residualFlowMs) return;
    flow.shutMl += newTicks / tap.ticksPerMl;
    if (flow.shutMl < this.#options.limitMl) return;
    const isNew = !this.#stuck.has(meter);
    this.#stuck.set(meter, { tap, lastMonoMs: this.#options.nowMonoMs() });
    if (isNew) this.#report();
  }

  #taps(): ReadonlyMap<string, ValveTap> {
    try {
      this.#tapsByMeter ??= new Map(this.#options.valveTaps().map((tap) => [tap.meter, tap]));
    } catch {
      // The database is closed; it is read when it is open again.
    }
    return this.#tapsByMeter ?? new Map();
  }

  #report(): void {
    this.#options.reportProblem(
      [...this.#stuck.values()].map(({ tap }) =>
        createProblem('flow_while_shut', { tap: tap.name, relay: tap.toggle }),
      ),
    );
  }
}
