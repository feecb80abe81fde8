import { probeFaults, ThermoWatch, type W1Reading } from '../../core/thermo-rules.ts';
import type { ThermoBus, ThermoReading } from '../ports.ts';
import { SlowWork } from './slow-work.ts';
import { isThermometer } from './w1-address.ts';
import { convertAll, listDevices, readProbe } from './w1-folder.ts';

/** A conversion takes 0.75 s, and the driver tries a few times; a probe that needs longer is ill. */
const usualReadLimitMs = 5_000;

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
  readLimitMs = usualReadLimitMs,
  nowMonoMs = () => performance.now(),
}: OneWireOptions): ThermoBus {
  const watches = new Map(expected.filter(isThermometer).map((probe) => [probe, new ThermoWatch()]));
  const slow = new SlowWork({ limitMs: readLimitMs });
  let round: Promise<readonly ThermoReading[]> | null = null;

  async function readAll(): Promise<readonly ThermoReading[]> {
    const { probes, masters } = await listDevices(directory);
    // One probe alone converts no faster in company.
    if (probes.length > 1) {
      for (const master of masters) await slow.run(master, () => convertAll(directory, master));
    }
    const readings: ThermoReading[] = [];
    for (const probe of probes) {
      const reading = await readInTime(probe);
      const watch = watches.get(probe) ?? new ThermoWatch();
      watches.set(probe, watch);
      readings.push(judge(probe, watch, reading));
    }
    return [...readings, ...missing(probes)];
  }

  async function readInTime(probe: string): Promise<W1Reading> {
    const result = await slow.run(probe, () => readProbe(directory, probe));
    if (result.kind === 'done') return result.value;
    return {
      kind: 'unusable',
      reason:
        result.kind === 'late' ? 'no answer in time' : 'the bus hangs; take its power away for a moment',
    };
  }

  /** A probe that is gone misses its readings like a silent one; once it is stale it is forgotten. */
  function missing(present: readonly string[]): ThermoReading[] {
    const readings: ThermoReading[] = [];
    for (const [probe, watch] of watches) {
      if (present.includes(probe)) continue;
      if (!watch.isStale)
        readings.push(judge(probe, watch, { kind: 'unusable', reason: probeFaults.absent }));
      if (watch.isStale) watches.delete(probe);
    }
    return readings;
  }

  function judge(sensor: string, watch: ThermoWatch, reading: W1Reading): ThermoReading {
    const verdict = watch.step(reading, nowMonoMs());
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
