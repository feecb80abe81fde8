import { sensorFaults, ThermoFilter, type W1Reading } from '../../core/temperatures/thermo-rules.ts';
import type { ThermoBus, ThermoReading } from '../device-interfaces.ts';
import { BlockingCalls } from './blocking-calls.ts';
import { isOneWireSensor } from './w1-address.ts';
import { convertAll, listDevices, readSensor } from './w1-folder.ts';

/** A conversion takes 0.75 s and the driver retries a few times; a sensor that takes longer is faulty. */
const defaultReadLimitMs = 5_000;

interface OneWireOptions {
  /** The kernel's folder of 1-Wire devices, or one with the same layout. */
  readonly directory: string;
  /** Sensors that taps use: one that is never found counts as missing, like one that stopped answering. */
  readonly expected?: readonly string[];
  /** Time limit of one read. */
  readonly readLimitMs?: number;
  /** Monotonic clock, milliseconds; a jump in temperature is judged by the time between two readings. */
  readonly nowMonoMs?: () => number;
}

/**
 * Reads the temperature sensors in a folder. Reads use the thread pool, one at a time: the kernel serves only
 * one device per bus at a time, and the pool's other threads are needed elsewhere. Sensors may be added and
 * removed between two rounds.
 */
export function createOneWireBus({
  directory,
  expected = [],
  readLimitMs = defaultReadLimitMs,
  nowMonoMs = () => performance.now(),
}: OneWireOptions): ThermoBus {
  const rules = new Map(expected.filter(isOneWireSensor).map((sensor) => [sensor, new ThermoFilter()]));
  const blockingCalls = new BlockingCalls({ limitMs: readLimitMs });
  let round: Promise<readonly ThermoReading[]> | null = null;

  async function readAll(): Promise<readonly ThermoReading[]> {
    const { sensors, masters } = await listDevices(directory);
    // A bulk conversion saves time only with two or more sensors.
    if (sensors.length > 1) {
      for (const master of masters) await blockingCalls.run(master, () => convertAll(directory, master));
    }
    const readings: ThermoReading[] = [];
    for (const sensor of sensors) {
      const reading = await readWithLimit(sensor);
      const rule = rules.get(sensor) ?? new ThermoFilter();
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
      reason: result.kind === 'timeout' ? 'no answer in time' : 'the bus hangs; disconnect its power briefly',
    };
  }

  /** A sensor that is not on the bus gets an unusable reading; it is removed once it is stale. */
  function stepMissing(present: readonly string[]): ThermoReading[] {
    const readings: ThermoReading[] = [];
    for (const [sensor, rule] of rules) {
      if (present.includes(sensor)) continue;
      if (!rule.isStale)
        readings.push(applyRule(sensor, rule, { kind: 'unusable', reason: sensorFaults.absent }));
      if (rule.isStale) rules.delete(sensor);
    }
    return readings;
  }

  function applyRule(sensor: string, rule: ThermoFilter, reading: W1Reading): ThermoReading {
    const outcome = rule.step(reading, nowMonoMs());
    switch (outcome.kind) {
      case 'temperature':
        return { kind: 'temperature', sensor, tempC: outcome.tempC };
      case 'refused':
        return { kind: 'refused', sensor, reason: outcome.reason };
      case 'stale':
        return { kind: 'stale', sensor, reason: outcome.reason };
    }
  }

  return {
    read() {
      // A call during a slow round gets that round's result.
      round ??= readAll().finally(() => {
        round = null;
      });
      return round;
    },
  };
}
