import type { EventBus } from '../core/event-bus.ts';
import { type Clock, type Moment, momentAt } from '../core/moment.ts';
import type { ThermoBus, ThermoReading } from '../devices/ports.ts';
import type { Thermo } from '../engine/engine.ts';
import type { LatestTemperature } from '../http/ports.ts';
import type { Logger } from '../system/log.ts';
import type { ReportProblem } from './health-reporters.ts';

/**
 * Readings are written in batches of half an hour, which a power cut may cost: a batch writes some thirty pages however
 * few readings are in it, and the card wears by pages.
 */
const batchMs = 1_800_000;

/** More waiting readings than this (64 probes for two hours) mean the disk is gone; the oldest are let go. */
const maxWaiting = 7_680;

interface Reading {
  readonly sensor: string;
  readonly tempC: number;
  readonly at: Moment;
}

/** A probe with its last good reading and its last trouble. */
export interface KnownSensor {
  readonly name: string;
  readonly tempC: number | null;
  /** Unix milliseconds. */
  readonly timeMs: number | null;
  readonly reason: string | null;
  readonly isStale: boolean;
}

/** Asks the probes, tells the house what they say, and writes their readings down in batches. */
export class ThermoRecorder {
  readonly #sensorBus: ThermoBus;
  readonly #eventBus: EventBus;
  readonly #thermo: () => Thermo;
  readonly #clock: Clock;
  readonly #reportProblem: ReportProblem;
  readonly #log: Logger;
  readonly #newest = new Map<string, Reading>();
  /** Why a sensor gave nothing the last time. */
  readonly #reasons = new Map<string, string>();
  readonly #stale = new Set<string>();
  #waiting: Reading[] = [];
  #storageProblem: string | null = null;
  #storageFault: unknown;
  #isPolling = false;
  #isFirstRound = true;
  #lastFlushMonoMs: number;

  constructor(parts: {
    bus: ThermoBus;
    eventBus: EventBus;
    thermo: () => Thermo;
    clock: Clock;
    reportProblem: ReportProblem;
    log: Logger;
  }) {
    this.#sensorBus = parts.bus;
    this.#eventBus = parts.eventBus;
    this.#thermo = parts.thermo;
    this.#clock = parts.clock;
    this.#reportProblem = parts.reportProblem;
    this.#log = parts.log;
    this.#lastFlushMonoMs = this.#clock.now().monoMs;
  }

  /** What each probe said last, dated by the clock as it is known now. */
  probes(): ReadonlyMap<string, LatestTemperature> {
    const now = this.#clock.now();
    const entries = [...this.#newest.values()].map(({ sensor, tempC, at }): [string, LatestTemperature] => [
      sensor,
      { tempC, timeMs: momentAt(now, at.monoMs).wallMs, isStale: this.#stale.has(sensor) },
    ]);
    return new Map(entries);
  }

  /** Every probe that was heard of: what it said last, and why its last answer was of no use. */
  knownSensors(): readonly KnownSensor[] {
    const now = this.#clock.now();
    const names = new Set([...this.#newest.keys(), ...this.#reasons.keys()]);
    return [...names].toSorted().map((name) => {
      const last = this.#newest.get(name);
      return {
        name,
        tempC: last?.tempC ?? null,
        timeMs: last === undefined ? null : momentAt(now, last.at.monoMs).wallMs,
        reason: this.#reasons.get(name) ?? null,
        isStale: this.#stale.has(name),
      };
    });
  }

  /** One round over all probes. A round that still runs is not overtaken. */
  async poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      for (const reading of await this.#sensorBus.read()) this.#accept(reading);
      if (this.#waiting.length > maxWaiting) this.#waiting = this.#waiting.slice(-maxWaiting);
    } finally {
      this.#isPolling = false;
    }
    this.#reportProblems();
    // The first readings go down at once, so that a fresh installation shows its probes.
    const { monoMs } = this.#clock.now();
    if (this.#isFirstRound || monoMs - this.#lastFlushMonoMs >= batchMs) this.flush();
  }

  /** Writes what waits, in one transaction. Called at the end as well. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    const now = this.#clock.now();
    try {
      // The clock may have been set while they waited: they are dated by what is known of the time now.
      this.#thermo().logAll(this.#waiting.map((one) => ({ ...one, at: momentAt(now, one.at.monoMs) })));
      this.#waiting = [];
      this.#isFirstRound = false;
      this.#lastFlushMonoMs = now.monoMs;
      this.#storageProblem = null;
    } catch (cause) {
      this.#storageProblem = 'Temperatures cannot be stored now; they wait.';
      this.#storageFault = cause;
    }
    this.#reportProblems();
  }

  #accept(reading: ThermoReading): void {
    const { sensor } = reading;
    if (reading.kind === 'temperature') {
      const { tempC } = reading;
      const one = { sensor, tempC, at: this.#clock.now() };
      this.#waiting.push(one);
      this.#newest.set(sensor, one);
      this.#stale.delete(sensor);
      if (this.#reasons.delete(sensor)) this.#log.info({ sensor }, 'a thermometer reads well again');
      this.#eventBus.publish({ type: 'temperature.read', sensor, tempC });
      return;
    }
    const { reason } = reading;
    if (reading.kind === 'stale') this.#stale.add(sensor);
    // A probe that fails in the same way every minute fills no log.
    if (this.#reasons.get(sensor) !== reason) this.#log.warn({ sensor, reason }, 'a reading was refused');
    this.#reasons.set(sensor, reason);
    this.#eventBus.publish({ type: 'sensor.trouble', sensor, reason });
  }

  #reportProblems(): void {
    const silent = [...this.#stale].map(
      (sensor) =>
        `The thermometer ${sensor} gives no usable reading (${this.#reasons.get(sensor)}): look at its plug.`,
    );
    const problems = this.#storageProblem === null ? silent : [this.#storageProblem, ...silent];
    const cause = this.#storageProblem === null ? undefined : this.#storageFault;
    this.#reportProblem(problems.length === 0 ? null : problems.join(' '), cause);
  }
}
