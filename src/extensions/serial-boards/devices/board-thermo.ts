import { ThermoFilter } from '../../../core/temperatures/thermo-rules.ts';
import type { ThermoBus, ThermoReading } from '../../../devices/device-interfaces.ts';

/** A board reads each sensor every few seconds; after a longer silence the sensor is gone. */
const silentMs = 120_000;

/** Upper bound of sensors, so that a broken board's invented names use bounded memory. */
const maxSensors = 64;

/** First firmware whose readings below zero are right. */
const firstWithNegatives = 6;

interface BoardSensor {
  readonly rule: ThermoFilter;
  readMonoMs: number;
  /** The newest good reading since the last round, otherwise the reason why there is none. */
  latest: ThermoReading | null;
}

/** The temperature sensors on serial boards. Readings are checked when they arrive and returned by `read`. */
export class BoardThermo implements ThermoBus {
  readonly #nowMonoMs: () => number;
  readonly #sensors = new Map<string, BoardSensor>();

  constructor({ nowMonoMs }: { readonly nowMonoMs: () => number }) {
    this.#nowMonoMs = nowMonoMs;
  }

  /** Takes a board's reading; `sensor` is the sensor's full name. */
  record(sensor: string, tempC: number, firmware: number): void {
    const known = this.#sensors.get(sensor) ?? this.#add(sensor);
    if (known === null) return;
    const nowMonoMs = this.#nowMonoMs();
    known.readMonoMs = nowMonoMs;
    const isGarbled = tempC < 0 && firmware < firstWithNegatives;
    const result = known.rule.step(
      isGarbled
        ? { kind: 'unusable', reason: 'this firmware cannot report temperatures below zero' }
        : { kind: 'temperature', tempC },
      nowMonoMs,
    );
    if (result.kind === 'temperature') known.latest = { kind: 'temperature', sensor, tempC: result.tempC };
    else if (result.kind === 'stale') known.latest = { kind: 'stale', sensor, reason: result.reason };
    else if (known.latest === null) known.latest = { kind: 'refused', sensor, reason: result.reason };
  }

  /**
   * The readings since the last call; a sensor that stopped reporting is returned once as stale and then
   * removed.
   */
  async read(): Promise<readonly ThermoReading[]> {
    const nowMonoMs = this.#nowMonoMs();
    const readings: ThermoReading[] = [];
    for (const [sensor, known] of this.#sensors) {
      if (known.latest !== null) readings.push(known.latest);
      known.latest = null;
      if (nowMonoMs - known.readMonoMs <= silentMs) continue;
      readings.push({ kind: 'stale', sensor, reason: 'its board no longer reports it' });
      this.#sensors.delete(sensor);
    }
    return readings;
  }

  #add(sensor: string): BoardSensor | null {
    if (this.#sensors.size >= maxSensors) return null;
    const known = { rule: new ThermoFilter(), readMonoMs: this.#nowMonoMs(), latest: null };
    this.#sensors.set(sensor, known);
    return known;
  }
}
