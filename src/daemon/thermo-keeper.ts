import type { EventBus } from '../core/event-bus.ts';
import type { Clock, Moment } from '../core/moment.ts';
import type { ThermoBus } from '../devices/ports.ts';
import type { Thermo } from '../engine/engine.ts';
import type { Tell } from './tellers.ts';

/** Readings are written in batches of ten minutes: an SD card wears by writes, and a power cut may cost those. */
const batchMs = 600_000;

/** More waiting readings than this (64 probes for two hours) mean the disk is gone; the oldest are let go. */
const mostWaiting = 7_680;

interface Waiting {
  readonly sensor: string;
  readonly tempC: number;
  readonly at: Moment;
}

/** Asks the probes, tells the house what they say, and writes their readings down in batches. */
export class ThermoKeeper {
  readonly #bus: ThermoBus;
  readonly #house: EventBus;
  readonly #thermo: () => Thermo;
  readonly #clock: Clock;
  readonly #tell: Tell;
  #waiting: Waiting[] = [];
  #asking = false;
  #firstRound = true;
  #lastFlushMonoMs: number;

  constructor(parts: { bus: ThermoBus; house: EventBus; thermo: () => Thermo; clock: Clock; tell: Tell }) {
    this.#bus = parts.bus;
    this.#house = parts.house;
    this.#thermo = parts.thermo;
    this.#clock = parts.clock;
    this.#tell = parts.tell;
    this.#lastFlushMonoMs = this.#clock.now().monoMs;
  }

  /** One round over all probes. A round that still runs is not overtaken. */
  async ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    try {
      for (const reading of await this.#bus.read()) {
        if (reading.kind === 'temperature') {
          this.#waiting.push({ sensor: reading.sensor, tempC: reading.tempC, at: this.#clock.now() });
          this.#house.publish({ type: 'temperature.read', sensor: reading.sensor, tempC: reading.tempC });
        } else {
          const reason = reading.kind === 'stale' ? 'gives no usable reading any more' : reading.reason;
          this.#house.publish({ type: 'sensor.trouble', sensor: reading.sensor, reason });
        }
      }
      if (this.#waiting.length > mostWaiting) this.#waiting = this.#waiting.slice(-mostWaiting);
    } finally {
      this.#asking = false;
    }
    // The first readings go down at once, so that a fresh installation shows its probes.
    const { monoMs } = this.#clock.now();
    if (this.#firstRound || monoMs - this.#lastFlushMonoMs >= batchMs) this.flush();
  }

  /** Writes what waits, in one transaction. Called at the end as well. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    try {
      this.#thermo().logAll(this.#waiting);
      this.#waiting = [];
      this.#firstRound = false;
      this.#lastFlushMonoMs = this.#clock.now().monoMs;
      this.#tell(null);
    } catch (cause) {
      this.#tell('Temperatures cannot be stored now; they wait.', cause);
    }
  }
}
