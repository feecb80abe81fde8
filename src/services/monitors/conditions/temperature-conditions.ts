import { type ConditionState, toTempCondition } from '../../../core/alarms/alarm-rules.ts';
import { findUsualRise, TemperatureRise, toWarmingCondition } from '../../../core/alarms/warming.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { newestReading } from '../../../core/temperatures/sensor-reading.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { LatestTemperature } from '../../../http/ports.ts';
import { type Condition, type Detector, hourMs, minuteMs } from './condition.ts';

/** An older reading says nothing about a limit, also where its sensor reports less often. */
const freshMs = 10 * minuteMs;

/** An open door warms the air at once; closed again, the temperature falls within this time, milliseconds. */
const warmingDelayMs = 10 * minuteMs;
/** The usual rise is computed from the last week, once a day: reading a week takes about 10 ms on a Pi. */
const usualRiseSpanMs = 7 * 24 * hourMs;
const usualRiseLifeMs = 24 * hourMs;

type LatestTemperatures = () => ReadonlyMap<string, LatestTemperature>;

/** The thermo sensors of taps only; the temperature of other sensors has no limit. */
export const detectWarmTaps =
  (latestTemperatures: LatestTemperatures): Detector =>
  (engine, now) => {
    const { tooWarmC, tooWarmMinutes } = engine.notifications.alarms.settings();
    if (tooWarmC === null) return [];
    return listTapSensors(engine, latestTemperatures(), now).map(
      ({ rawName, name, last, isFresh }): Condition => ({
        kind: 'too_warm',
        subject: rawName,
        state: isFresh ? toTempCondition(last!.tempC, tooWarmC) : 'unknown',
        lastsMs: tooWarmMinutes * minuteMs,
        values: { sensor: name, tempC: last?.tempC ?? tooWarmC, limitC: tooWarmC },
      }),
    );
  };

/** The thermo sensors of taps whose temperature rises faster than it usually does. */
export function detectFastWarming(latestTemperatures: LatestTemperatures): Detector {
  const rises = new Map<string, SensorRise>();
  return (engine, now) => {
    const sensors = listTapSensors(engine, latestTemperatures(), now);
    const warm = new Set(
      engine.notifications.alarms
        .raised()
        .flatMap(({ kind, subject }) => (kind === 'too_warm' ? [subject] : [])),
    );
    const conditions = sensors.map(({ id, rawName, name, last, isFresh }): Condition => {
      const rise = rises.get(rawName) ?? new SensorRise();
      rises.set(rawName, rise);
      if (isFresh) rise.add(last!, now);
      const state = isFresh ? rise.state(engine, id, now) : 'unknown';
      return {
        kind: 'warming_fast',
        subject: rawName,
        // Whoever knows that it is too warm needs no second alarm.
        state: state === 'bad' && warm.has(rawName) ? 'between' : state,
        lastsMs: warmingDelayMs,
        values: { sensor: name, tempC: last?.tempC ?? 0, riseC: rise.riseC ?? 0 },
      };
    });
    const names = new Set(sensors.map(({ rawName }) => rawName));
    for (const name of rises.keys()) if (!names.has(name)) rises.delete(name);
    return conditions;
  };
}

/** The rise of one sensor, compared with its usual one, which is read once a day. */
class SensorRise {
  readonly #rise = new TemperatureRise();
  #lastTimeMs = 0;
  #usual: { readonly riseC: number | null; readonly readMonoMs: number } | null = null;

  get riseC(): number | null {
    return this.#rise.riseC;
  }

  add({ tempC, timeMs }: { readonly tempC: number; readonly timeMs: number }, now: Moment): void {
    if (timeMs !== this.#lastTimeMs) this.#rise.add({ tempC, monoMs: now.monoMs });
    this.#lastTimeMs = timeMs;
  }

  state(engine: Engine, sensorId: number, now: Moment): ConditionState {
    if (this.#usual === null || now.monoMs - this.#usual.readMonoMs > usualRiseLifeMs) {
      const [sinceMs, untilMs] = [now.wallMs - usualRiseSpanMs, now.wallMs];
      const { spans } = engine.temperatures.history.chart({ sensorId, sinceMs, untilMs, resolution: 'hour' });
      this.#usual = { riseC: findUsualRise(spans), readMonoMs: now.monoMs };
    }
    return toWarmingCondition(this.riseC, this.#usual.riseC);
  }
}

/** A thermo sensor of a tap with its last reading, which is fresh enough to judge the present. */
interface TapSensor {
  readonly id: number;
  readonly rawName: string;
  readonly name: string;
  readonly last: { readonly tempC: number; readonly timeMs: number } | null;
  readonly isFresh: boolean;
}

function listTapSensors(
  engine: Engine,
  inMemory: ReadonlyMap<string, LatestTemperature>,
  now: Moment,
): readonly TapSensor[] {
  const sensors = engine.taps
    .list()
    .flatMap(({ tap: { thermoSensor } }) =>
      thermoSensor === null ? [] : [[thermoSensor.id, thermoSensor] as const],
    );
  return [...new Map(sensors).values()].map(({ id, rawName, niceName }) => {
    // Local sensors are stored in batches, so the reading in memory is newer than the stored one.
    const latest = inMemory.get(rawName);
    const last = newestReading(engine.temperatures.find(id)?.last ?? null, latest, now.wallMs);
    const isFresh = last !== null && !last.isStale && now.wallMs - last.timeMs <= freshMs;
    return { id, rawName, name: niceName || rawName, last, isFresh };
  });
}
