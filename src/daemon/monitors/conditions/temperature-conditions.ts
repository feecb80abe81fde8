import { toTempCondition } from '../../../core/rules/alarm-rules.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { LatestTemperature } from '../../../http/ports.ts';
import { type Condition, type Detector, minuteMs } from './condition.ts';

/** An older reading says nothing about the present temperature. */
const freshMs = 10 * minuteMs;

type LatestTemperatures = () => ReadonlyMap<string, LatestTemperature>;

/** The thermo sensors of taps only; the temperature of other sensors has no limit. */
export const detectWarmTaps =
  (latestTemperatures: LatestTemperatures): Detector =>
  (engine, now) => {
    const { tooWarmC, tooWarmMinutes } = engine.alarms.settings();
    if (tooWarmC === null) return [];
    const inMemory = latestTemperatures();
    return listTapSensors(engine).map((sensor): Condition => {
      // Local sensors are stored in batches, so the reading in memory is newer than the stored one.
      const latest = inMemory.get(sensor.rawName);
      const last = latest ?? engine.thermo.find(sensor.id)?.last ?? null;
      const isFresh = last !== null && now.wallMs - last.timeMs <= freshMs && latest?.isStale !== true;
      return {
        kind: 'too_warm',
        subject: sensor.rawName,
        state: isFresh ? toTempCondition(last.tempC, tooWarmC) : 'unknown',
        lastsMs: tooWarmMinutes * minuteMs,
        values: {
          sensor: sensor.niceName || sensor.rawName,
          tempC: last?.tempC ?? tooWarmC,
          limitC: tooWarmC,
        },
      };
    });
  };

function listTapSensors(engine: Engine) {
  const sensors = engine.taps
    .list()
    .flatMap(({ tap: { thermoSensor } }) =>
      thermoSensor === null ? [] : [[thermoSensor.id, thermoSensor] as const],
    );
  return [...new Map(sensors).values()];
}
