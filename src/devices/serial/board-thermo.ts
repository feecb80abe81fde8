import { ThermoWatch } from '../../core/thermo-rules.ts';
import type { ThermoBus, ThermoReading } from '../ports.ts';

/** A board asks each probe every few seconds; one that is silent for longer than this is gone. */
const silentMs = 120_000;

/** A broken board must not fill our memory with probes it makes up. */
const maxSensors = 64;

/** Before version 6 a reading below zero comes out wrong. */
const firstWithNegatives = 6;

interface BoardSensor {
  readonly rule: ThermoWatch;
  readMonoMs: number;
  /** The newest good reading since the last round, or else why there was none. */
  latest: ThermoReading | null;
}

/** The thermometers on serial boards. They are judged as they speak, and told of when asked, like any other probes. */
export class BoardThermo implements ThermoBus {
  readonly #nowMonoMs: () => number;
  readonly #sensors = new Map<string, BoardSensor>();

  constructor({ nowMonoMs }: { readonly nowMonoMs: () => number }) {
    this.#nowMonoMs = nowMonoMs;
  }

  /** Takes a board's reading; `sensor` is the full name. */
  record(sensor: string, tempC: number, firmware: number): void {
    const known = this.#sensors.get(sensor) ?? this.#add(sensor);
    if (known === null) return;
    const nowMonoMs = this.#nowMonoMs();
    known.readMonoMs = nowMonoMs;
    const isGarbled = tempC < 0 && firmware < firstWithNegatives;
    const result = known.rule.step(
      isGarbled
        ? { kind: 'unusable', reason: 'this firmware cannot tell frost' }
        : { kind: 'temperature', tempC },
      nowMonoMs,
    );
    if (result.kind === 'temperature') known.latest = { kind: 'temperature', sensor, tempC: result.tempC };
    else if (result.kind === 'stale') known.latest = { kind: 'stale', sensor, reason: result.reason };
    else if (known.latest === null) known.latest = { kind: 'refused', sensor, reason: result.reason };
  }

  /** What every probe said since it was asked last; one that fell silent is told of once and forgotten. */
  async read(): Promise<readonly ThermoReading[]> {
    const nowMonoMs = this.#nowMonoMs();
    const readings: ThermoReading[] = [];
    for (const [sensor, known] of this.#sensors) {
      if (known.latest !== null) readings.push(known.latest);
      known.latest = null;
      if (nowMonoMs - known.readMonoMs <= silentMs) continue;
      readings.push({ kind: 'stale', sensor, reason: 'not heard from its board any more' });
      this.#sensors.delete(sensor);
    }
    return readings;
  }

  #add(sensor: string): BoardSensor | null {
    if (this.#sensors.size >= maxSensors) return null;
    const known = { rule: new ThermoWatch(), readMonoMs: this.#nowMonoMs(), latest: null };
    this.#sensors.set(sensor, known);
    return known;
  }
}
