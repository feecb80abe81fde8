import { probeFaults, ThermoWatch, type W1Reading } from '../../core/thermo-rules.ts';
import type { ThermoBus, ThermoReading } from '../ports.ts';
import { BlockingCalls } from './blocking-calls.ts';
import { isOneWireSensor } from './w1-address.ts';
import { convertAll, listDevices, readSensor } from './w1-folder.ts';

/** A conversion takes 0.75 s, and the driver tries a few times; a probe that needs longer is ill. */
const defaultReadLimitMs = 5_000;

export interface OneWireOptions {
  /** The kernel's folder of 1-Wire devices, or any with the same layout. */
  readonly directory: string;
  /** Probes somebody waits for: one that never shows up misses its readings like one that fell silent. */
  readonly expected?: readonly string[];
  /** How long one read may take. */
  readonly readLimitMs?: number;
  /** Milliseconds of a clock that does not step; leaps are judged by the time between two readings. */
  readonly nowMonoMs?: () => number;
}

/**
 * The thermometers under a folder. Reads go through the thread pool, one at a time: the kernel lets only one talk on a
 * bus anyway, and the pool's other threads are needed elsewhere. Probes may come and go between two rounds.
 */
export function createOneWireBus({
  directory,
  expected = [],
  readLimitMs = defaultReadLimitMs,
  nowMonoMs = () => performance.now(),
}: OneWireOptions): ThermoBus {
  const rules = new Map(expected.filter(isOneWireSensor).map((sensor) => [sensor, new ThermoWatch()]));
  const blockingCalls = new BlockingCalls({ limitMs: readLimitMs });
  let round: Promise<readonly ThermoReading[]> | null = null;

  async function readAll(): Promise<readonly ThermoReading[]> {
    const { sensors, masters } = await listDevices(directory);
    // One probe alone converts no faster in company.
    if (sensors.length > 1) {
      for (const master of masters) await blockingCalls.run(master, () => convertAll(directory, master));
    }
    const readings: ThermoReading[] = [];
    for (const sensor of sensors) {
      const reading = await readWithLimit(sensor);
      const rule = rules.get(sensor) ?? new ThermoWatch();
      rules.set(sensor, rule);
      readings.push(applyRule(sensor, rule, reading));
    }
    return [...readings, ...stepMissing(sensors)];
  }

  async function readWithLimit(sensor: string): Promise<W1Reading> {
    const result = await blockingCalls.run(sensor, () => readSensor(directory, sensor));
    if (result.kind === 'done') return result.value;
    return {
      kind: 'unusable',
      reason:
        result.kind === 'timeout' ? 'no answer in time' : 'the bus hangs; take its power away for a moment',
    };
  }

  /** A probe that is gone misses its readings like a silent one; once it is stale it is forgotten. */
  function stepMissing(present: readonly string[]): ThermoReading[] {
    const readings: ThermoReading[] = [];
    for (const [sensor, rule] of rules) {
      if (present.includes(sensor)) continue;
      if (!rule.isStale)
        readings.push(applyRule(sensor, rule, { kind: 'unusable', reason: probeFaults.absent }));
      if (rule.isStale) rules.delete(sensor);
    }
    return readings;
  }

  function applyRule(sensor: string, rule: ThermoWatch, reading: W1Reading): ThermoReading {
    const verdict = rule.step(reading, nowMonoMs());
    switch (verdict.kind) {
      case 'temperature':
        return { kind: 'temperature', sensor, tempC: verdict.tempC };
      case 'refused':
        return { kind: 'refused', sensor, reason: verdict.reason };
      case 'stale':
        return { kind: 'stale', sensor, reason: verdict.reason };
    }
  }

  return {
    read() {
      // Asked while a slow round still runs: the same answer serves both.
      round ??= readAll().finally(() => {
        round = null;
      });
      return round;
    },
  };
}
