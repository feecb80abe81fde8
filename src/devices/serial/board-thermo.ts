import { ThermoWatch } from '../../core/thermo-rules.ts';
import type { ThermoBus, ThermoReading } from '../ports.ts';

/** A board asks each probe every few seconds; one that is silent for longer than this is gone. */
const silentMs = 120_000;

/** A broken board must not fill our memory with probes it makes up. */
const mostSensors = 64;

/** Before version 6 a reading below zero comes out wrong. */
const firstFrosty = 6;

interface Probe {
  readonly watch: ThermoWatch;
  heardMonoMs: number;
  /** The newest good reading since the last round, or else why there was none. */
  news: ThermoReading | null;
}

/** The thermometers on serial boards. They are judged as they speak, and told of when asked, like any other probes. */
export class BoardThermo implements ThermoBus {
  readonly #nowMonoMs: () => number;
  readonly #probes = new Map<string, Probe>();

  constructor({ nowMonoMs }: { readonly nowMonoMs: () => number }) {
    this.#nowMonoMs = nowMonoMs;
  }

  /** Takes a board's reading; `sensor` is the full name. */
  heard(sensor: string, tempC: number, firmware: number): void {
    const probe = this.#probes.get(sensor) ?? this.#add(sensor);
    if (probe === null) return;
    const nowMonoMs = this.#nowMonoMs();
    probe.heardMonoMs = nowMonoMs;
    const isGarbled = tempC < 0 && firmware < firstFrosty;
    const verdict = probe.watch.step(
      isGarbled
        ? { kind: 'unusable', reason: 'this firmware cannot tell frost' }
        : { kind: 'temperature', tempC },
      nowMonoMs,
    );
    if (verdict.kind === 'temperature') probe.news = { kind: 'temperature', sensor, tempC: verdict.tempC };
    else if (verdict.kind === 'stale') probe.news = { kind: 'stale', sensor, reason: verdict.reason };
    else if (probe.news === null) probe.news = { kind: 'refused', sensor, reason: verdict.reason };
  }

  /** What every probe said since it was asked last; one that fell silent is told of once and forgotten. */
  async read(): Promise<readonly ThermoReading[]> {
    const nowMonoMs = this.#nowMonoMs();
    const readings: ThermoReading[] = [];
    for (const [sensor, probe] of this.#probes) {
      if (probe.news !== null) readings.push(probe.news);
      probe.news = null;
      if (nowMonoMs - probe.heardMonoMs <= silentMs) continue;
      readings.push({ kind: 'stale', sensor, reason: 'not heard from its board any more' });
      this.#probes.delete(sensor);
    }
    return readings;
  }

  #add(sensor: string): Probe | null {
    if (this.#probes.size >= mostSensors) return null;
    const probe = { watch: new ThermoWatch(), heardMonoMs: this.#nowMonoMs(), news: null };
    this.#probes.set(sensor, probe);
    return probe;
  }
}
