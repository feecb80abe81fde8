import type { Clock } from '../../core/clock/moment.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Logger } from '../../system/log/log.ts';
import type { Valves } from './valves.ts';

/** The holder of a relay that is open for a cleaning. */
export const cleaningHolder = 'cleaning';

/** If the daemon hangs, the relay shuts within this time, milliseconds. */
const holdMs = 30_000;
/** Each opening is renewed long before it ends, milliseconds. */
const renewMs = 10_000;

interface CleaningOpeningsOptions {
  readonly valves: Valves;
  /** Null while the database is closed. */
  readonly engine: () => Engine | null;
  readonly clock: Clock;
  /** Ends the running pour of a meter. */
  readonly endPour: (meter: string) => void;
  readonly log: Pick<Logger, 'info' | 'warn'>;
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
    this.#options.valves.requireDriver(toggle);
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
    this.#options.valves.release(held.toggle, cleaningHolder);
  }

  /** Called every second. */
  everySecond(): void {
    const engine = this.#options.engine();
    if (engine === null) return;
    this.#expire(engine);
    if (this.#open.size > 0) this.#renew(engine);
  }

  #expire(engine: Engine): void {
    for (const { id, tapId } of engine.cleanings.due(this.#options.clock.now())) {
      const meter = engine.taps.find(tapId)?.tap.meter;
      // What runs is still a flow of the cleaning.
      if (meter) this.#options.endPour(meter.name);
      engine.cleanings.expire(id, this.#options.clock.now());
      this.release(id);
      this.#options.log.warn(
        { cleaning: id, tap: tapId },
        'a line cleaning was not ended and ended by itself',
      );
    }
  }

  #renew(engine: Engine): void {
    const running = new Set(engine.cleanings.runningIds());
    const now = this.#nowMonoMs();
    for (const [id, held] of this.#open) {
      const hasRelay = engine.taps.find(held.tapId)?.tap.toggle?.name === held.toggle;
      // A relay that was moved to another tap must not open that one.
      if (!running.has(id) || !hasRelay) this.release(id);
      else if (!this.#isNeeded(held.toggle)) {
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

  #isNeeded(toggle: string): boolean {
    return this.#options.valves
      .needs()
      .some((need) => need.toggle === toggle && need.holder === cleaningHolder);
  }

  #hold(toggle: string): void {
    this.#options.valves.open(toggle, cleaningHolder, { untilMonoMs: this.#nowMonoMs() + holdMs });
  }

  #nowMonoMs(): number {
    return this.#options.clock.now().monoMs;
  }
}
