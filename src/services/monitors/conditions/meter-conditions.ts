import type { Condition, Detector } from './condition.ts';

/** Flow meters whose evidence deviates to one side. A new calibration begins the chart anew and ends the alarm. */
export const detectMeterDrift: Detector = (engine) => {
  const taps = new Map(engine.taps.list().map(({ tap }) => [tap.id, tap.name]));
  return engine.drinks.meterLearning.list().map(
    ({ meter, drift }): Condition => ({
      kind: 'meter_drifts',
      subject: `meter-${meter.id}`,
      state: drift === null ? 'good' : 'bad',
      lastsMs: 0,
      clearsAfterMs: 0,
      values: {
        meter: meter.niceName || meter.name,
        tap: (meter.tapId === null ? undefined : taps.get(meter.tapId)) ?? (meter.niceName || meter.name),
        direction: drift?.direction ?? 'high',
        cause: drift?.cause ?? 'gas_or_noise',
      },
    }),
  );
};
