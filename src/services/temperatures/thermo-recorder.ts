import { type Clock, type Moment, momentAt } from '../../core/clock/moment.ts';
import type { EventBus } from '../../core/event-bus.ts';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import { isOldReading } from '../../core/temperatures/sensor-reading.ts';
import { applyOffset, sensorFaults } from '../../core/temperatures/thermo-rules.ts';
import type { ThermoBus, ThermoReading } from '../../devices/device-interfaces.ts';
import type { Thermo } from '../../engine/engine.ts';
import type { LatestTemperature } from '../../http/ports.ts';
import type { Logger } from '../../system/log/log.ts';
import type { ReportProblem } from '../monitors/health-reporters.ts';

/**
 * Readings are written in batches of ten minutes; a power cut loses at most one batch. A batch writes about
 * thirty pages however few readings it holds, and the card wears by written pages.
 */
const batchMs = 600_000;

/**
 * Bound of the waiting readings, 64 sensors for two hours; beyond it the disk is gone and the oldest are
 * dropped.
 */
const maxWaiting = 7_680;

/** Names of the usual faults by their texts. */
const faultNames: ReadonlyMap<string | undefined, string> = new Map(
  Object.entries(sensorFaults).map(([name, text]) => [text, name]),
);

interface Reading {
  readonly sensor: string;
  readonly tempC: number;
  readonly at: Moment;
}

/** A thermo sensor with its last good reading and its last problem. */
export interface KnownSensor {
  readonly name: string;
  readonly tempC: number | null;
  /** Unix milliseconds. */
  readonly timeMs: number | null;
  readonly reason: string | null;
  readonly isStale: boolean;
}

/** Polls the thermo sensors, publishes their readings on the event bus and stores them in batches. */
export class ThermoRecorder {
  readonly #sensors: ThermoBus;
  readonly #bus: EventBus;
  readonly #thermo: () => Thermo;
  readonly #clock: Clock;
  readonly #reportProblem: ReportProblem;
  readonly #log: Logger;
  readonly #intervalMs: number;
  readonly #newest = new Map<string, Reading>();
  /** Why the last reading of a sensor failed. */
  readonly #reasons = new Map<string, string>();
  readonly #stale = new Set<string>();
  readonly #offsets = new Map<string, number>();
  #waiting: Reading[] = [];
  #storageProblem: Problem | null = null;
  #storageFault: unknown;
  #isPolling = false;
  #isFirstRound = true;
  #lastFlushMonoMs: number;

  constructor(options: {
    sensors: ThermoBus;
    bus: EventBus;
    thermo: () => Thermo;
    clock: Clock;
    reportProblem: ReportProblem;
    log: Logger;
    /** Interval of the rounds, a minute unless given. */
    intervalMs?: number;
  }) {
    this.#sensors = options.sensors;
    this.#intervalMs = options.intervalMs ?? 60_000;
    this.#bus = options.bus;
    this.#thermo = options.thermo;
    this.#clock = options.clock;
    this.#reportProblem = options.reportProblem;
    this.#log = options.log;
    this.#lastFlushMonoMs = this.#clock.now().monoMs;
  }

  /** The last reading of each sensor, dated by the present clock. */
  latestTemperatures(): ReadonlyMap<string, LatestTemperature> {
    const now = this.#clock.now();
    const entries = [...this.#newest.values()].map(({ sensor, tempC, at }): [string, LatestTemperature] => [
      sensor,
      { tempC, timeMs: momentAt(now, at.monoMs).wallMs, isStale: this.#isStale(sensor, now) },
    ]);
    return new Map(entries);
  }

  /** Every sensor seen since the start: its last reading, and why its last answer was unusable. */
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
        isStale: this.#isStale(name, now),
      };
    });
  }

  /** Three misses in a row, or no round for so long that three were missed. */
  #isStale(sensor: string, now: Moment): boolean {
    const last = this.#newest.get(sensor);
    const isOld = last !== undefined && isOldReading(last.at.monoMs, now.monoMs, this.#intervalMs);
    return isOld || this.#stale.has(sensor);
  }

  /** Reads all sensors once. Does nothing while an earlier round still runs. */
  async poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      for (const reading of await this.#sensors.read()) this.#accept(reading);
      if (this.#waiting.length > maxWaiting) this.#waiting = this.#waiting.slice(-maxWaiting);
    } finally {
      this.#isPolling = false;
    }
    this.#reportProblems();
    // The first readings are stored at once, so that a new installation shows its sensors.
    const { monoMs } = this.#clock.now();
    if (this.#isFirstRound || monoMs - this.#lastFlushMonoMs >= batchMs) this.flush();
  }

  /** Stores the waiting readings in one transaction. Called at shutdown as well. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    const now = this.#clock.now();
    try {
      // The clock may have been set while they waited, so they are dated by the present clock.
      this.#thermo().logAll(
        this.#waiting.map((stored) => ({ ...stored, at: momentAt(now, stored.at.monoMs) })),
      );
      this.#waiting = [];
      this.#isFirstRound = false;
      this.#lastFlushMonoMs = now.monoMs;
      this.#storageProblem = null;
    } catch (cause) {
      this.#storageProblem = createProblem('temperatures_waiting');
      this.#storageFault = cause;
    }
    this.#reportProblems();
  }

  #accept(reading: ThermoReading): void {
    const { sensor } = reading;
    if (reading.kind === 'temperature') {
      const tempC = applyOffset(reading.tempC, this.#findOffset(sensor));
      const stored = { sensor, tempC, at: this.#clock.now() };
      this.#waiting.push(stored);
      this.#newest.set(sensor, stored);
      this.#stale.delete(sensor);
      if (this.#reasons.delete(sensor)) this.#log.info({ sensor }, 'a thermo sensor works again');
      this.#bus.publish({ type: 'temperature.read', sensor, tempC });
      return;
    }
    const { reason } = reading;
    if (reading.kind === 'stale') this.#stale.add(sensor);
    // Logged once per reason: a sensor that fails in the same way every minute must not fill the log.
    if (this.#reasons.get(sensor) !== reason) this.#log.warn({ sensor, reason }, 'a reading was refused');
    this.#reasons.set(sensor, reason);
    this.#bus.publish({ type: 'sensor.trouble', sensor, reason });
  }

  /** The last known one while the database cannot be read. */
  #findOffset(sensor: string): number {
    try {
      this.#offsets.set(sensor, this.#thermo().findOffset(sensor));
    } catch {
      // The next flush reports it.
    }
    return this.#offsets.get(sensor) ?? 0;
  }

  #reportProblems(): void {
    const silent = [...this.#stale].map((sensor) =>
      createProblem('sensor_unusable', {
        sensor,
        reason: faultNames.get(this.#reasons.get(sensor)) ?? 'other',
      }),
    );
    const cause = this.#storageProblem === null ? undefined : this.#storageFault;
    this.#reportProblem(this.#storageProblem === null ? silent : [this.#storageProblem, ...silent], cause);
  }
}

/** Joins several buses of thermo sensors into one; it rejects only when every bus fails. */
export function joinThermo(buses: readonly ThermoBus[]): ThermoBus {
  return {
    async read() {
      const rounds = await Promise.allSettled(buses.map((bus) => bus.read()));
      const failed = rounds.find((round) => round.status === 'rejected');
      if (failed !== undefined && rounds.every((round) => round.status === 'rejected')) throw failed.reason;
      return rounds.flatMap((round) => (round.status === 'fulfilled' ? round.value : []));
    },
  };
}
