import { expect, test } from 'vitest';
import { detectMeterDrift } from '../../../src/services/monitors/conditions/meter-conditions.ts';
import { openBar } from '../../engine/bar.ts';
import { day, emptyOneKeg } from '../../engine/drinks/emptied-kegs.ts';
import { createAlarmBar } from './alarm-bar.ts';

/** A bar whose left meter was just calibrated with measured pours. */
function createCalibratedBar() {
  const bar = createAlarmBar();
  bar.engine.kegs.end(bar.keg.id, bar.now());
  const meter = bar.engine.taps.hardware.meters().find(({ tapId }) => tapId === bar.left.id)!;
  const fullTicks = 49_625 * meter.ticksPerMl;
  const calibrate = () =>
    bar.engine.drinks.calibrate(
      meter.id,
      {
        ticksPerMl: meter.ticksPerMl,
        uncertainty: 0.004,
        method: 'pours',
        kegId: null,
        measured: { pours: 6, ticks: Math.round(6_000 * meter.ticksPerMl), volumeMl: 6_000 },
      },
      bar.now(),
    );
  calibrate();
  const alarms = () => {
    bar.atTemp(null, 1);
    return bar.raised().filter((alarm) => alarm.startsWith('meter_drifts'));
  };
  /** Empties kegs that give this share of the ticks; returns the alarms afterwards. */
  const drain = (share: number, count: number) => {
    for (let i = 0; i < count; i++) {
      bar.passTo(bar.now().wallMs + day);
      emptyOneKeg(bar.engine, bar.left.id, { meter: meter.name, ticks: fullTicks * share, now: bar.now() });
    }
    return alarms();
  };
  const mailed = () => bar.mailedValues().find(({ cause }) => cause !== undefined);
  return { ...bar, meter, calibrate, alarms, drain, mailed };
}

test('a meter that counts less and less raises one alarm with the likely cause, which a calibration ends', () => {
  const bar = createCalibratedBar();
  expect(bar.drain(1, 3)).toEqual([]);
  expect(bar.drain(0.97, 6)).toEqual([`meter_drifts meter-${bar.meter.id}`]);
  expect(bar.mailed()).toMatchObject({
    meter: bar.meter.name,
    tap: 'Left',
    direction: 'low',
    cause: 'worn_or_dirty',
  });
  bar.calibrate();
  expect(bar.alarms()).toEqual([]);
  expect(bar.topics().filter((kind) => kind === 'meter_drifts')).toEqual(['meter_drifts']);
});

test('a meter that counts half raises the alarm at the first keg and names another meter', () => {
  const bar = createCalibratedBar();
  expect(bar.drain(1, 1)).toEqual([]);
  expect(bar.drain(0.5, 1)).toEqual([`meter_drifts meter-${bar.meter.id}`]);
  expect(bar.mailed()).toMatchObject({ tap: 'Left', direction: 'low', cause: 'other_meter' });
});

test('a meter without a tap and without a name of its own is named by its port', () => {
  const { engine } = openBar();
  const [, , spare] = detectMeterDrift(engine, {} as Parameters<typeof detectMeterDrift>[1]);
  expect(spare?.values).toMatchObject({ tap: 'pi.flow2', meter: 'pi.flow2' });
});
