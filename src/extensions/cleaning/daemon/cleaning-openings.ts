import type { Engine } from '../../../engine/engine.ts';
import type { FeatureValves } from '../../../services/valves/feature-valves.ts';
import type { StartContext } from '../../extension.ts';
import type { CleaningServices } from '../engine/cleanings.ts';

/** If the daemon hangs, the relay shuts within this time, milliseconds. */
const holdMs = 30_000;
/** Each opening is renewed long before it ends, milliseconds. */
const renewMs = 10_000;

interface CleaningOpeningsOptions
  extends Pick<StartContext<CleaningServices>, 'engine' | 'services' | 'clock' | 'log'> {
  readonly valves: FeatureValves;
  /** Ends the running pour of a meter. */
  readonly endPour: (meter: string) => void;
}

/** Every second valves are kept open and forgotten cleanings end. */
export function startCleaningOpenings(context: StartContext<CleaningServices>) {
  const { ownValves: valves, endPour } = context.machine();
  const openings = new CleaningOpenings({ ...context, valves, endPour });
  const stop = context.scheduler.every(1_000, () => {
    try {
      openings.everySecond();
    } catch (err) {
      context.log.warn({ err }, 'forgotten line cleanings cannot be ended now; trying again');
    }
  });
  return {
    open: openings.open.bind(openings),
    release: openings.release.bind(openings),
    close(): void {
      stop();
      openings.releaseAll();
    },
  };
}

/** A cleaning, and the tap whose line it cleans. */
interface CleaningAtTap {
  readonly id: number;
  readonly tapId: number;
}

/**
 * Keeps the valves of taps open while their lines are cleaned, and ends cleanings that were forgotten. After a restart a cleaning
 * goes on, but its valve stays shut until somebody at the tap opens it.
 */
export class CleaningOpenings {
  readonly #options: CleaningOpeningsOptions;
  /** The relays that are held open, by the id of the cleaning. */
  readonly #open = new Map<
    number,
    { readonly tapId: number; readonly toggle: string; renewedMonoMs: number }
  >();

  constructor(options: CleaningOpeningsOptions) {
    this.#options = options;
  }

  /** Opens a relay for a cleaning that runs. Throws when it cannot be switched. */
  open({ id, tapId }: CleaningAtTap, toggle: string): void {
    this.#hold(toggle);
    this.#open.set(id, { tapId, toggle, renewedMonoMs: this.#nowMonoMs() });
  }

  /** Lets go of the relay of a cleaning; it shuts unless somebody else needs it. */
  release(cleaningId: number): void {
    const held = this.#open.get(cleaningId);
    if (held === undefined) return;
    this.#open.delete(cleaningId);
    // After the relay was moved, the cleaning of its new tap may hold it.
    if ([...this.#open.values()].some(({ toggle }) => toggle === held.toggle)) return;
    this.#options.valves.release(held.toggle);
  }

  /** Lets go of all relays. */
  releaseAll(): void {
    for (const id of [...this.#open.keys()]) this.release(id);
  }

  /** Called every second. */
  everySecond(): void {
    const engine = this.#options.engine();
    const services = this.#options.services();
    if (engine === null || services === null) return;
    this.#expire(engine, services);
    if (this.#open.size > 0) this.#renew(engine, services);
  }

  #expire(engine: Engine, { cleanings }: CleaningServices): void {
    for (const { id, tapId } of cleanings.due(this.#options.clock.now())) {
      const meter = engine.taps.find(tapId)?.tap.meter;
      // What runs is still a flow of the cleaning.
      if (meter) this.#options.endPour(meter.name);
      cleanings.expire(id, this.#options.clock.now());
      this.release(id);
      this.#options.log.warn(
        { cleaning: id, tap: tapId },
        'a line cleaning was not ended and ended by itself',
      );
    }
  }

  #renew(engine: Engine, { cleanings }: CleaningServices): void {
    const running = new Set(cleanings.runningIds());
    const now = this.#nowMonoMs();
    for (const [id, held] of this.#open) {
      const hasRelay = engine.taps.find(held.tapId)?.tap.toggle?.name === held.toggle;
      // A relay that was moved to another tap must not open that one.
      if (!running.has(id) || !hasRelay) this.release(id);
      else if (!this.#options.valves.holds(held.toggle)) {
        // Somebody shut it.
        this.#open.delete(id);
      } else if (now - held.renewedMonoMs >= renewMs) {
        held.renewedMonoMs = now;
        try {
          this.#hold(held.toggle);
        } catch (err) {
          this.#options.log.warn(
            { err, relay: held.toggle },
            'the valve of a cleaning could not be kept open',
          );
          this.#open.delete(id);
        }
      }
    }
  }

  #hold(toggle: string): void {
    this.#options.valves.open(toggle, this.#nowMonoMs() + holdMs);
  }

  #nowMonoMs(): number {
    return this.#options.clock.now().monoMs;
  }
}
