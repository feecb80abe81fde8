import { afterEach, expect, test } from 'vitest';
import { openBar } from '../../engine/bar.ts';
import { createCountingRig } from './counting-rig.ts';

/** The defaults of the settings file. */
const defaults = { minPourTicks: 3, minPourMl: 10, minPourMlPerS: 2 };

let rig: ReturnType<typeof openRig>;
afterEach(() => rig.close());

/** The left tap has a calibrated SF800. */
function openRig(settings = defaults) {
  const bar = openBar(':memory:', settings);
  bar.engine.drinks.calibrate(1, { ticksPerMl: 5.4, kegId: null }, { ...openedAt });
  return { ...createCountingRig({ bar }), bar };
}
const openedAt = { monoMs: 0, wallMs: Date.UTC(2026, 4, 1, 18), synced: true, bootId: 'boot-1' };

const drinks = () => rig.bar.engine.lists.drinks({}).items;
const losses = () => rig.bar.store.taps.losses.byTap(rig.bar.left.id, 5);

test('a trickle of 0.9 mL/s is counted as loss of its tap, however much of it comes', () => {
  rig = openRig();
  rig.pins.pulse('pi.flow0', 60, 5);
  rig.heartbeats(20_000);
  rig.counting.everyMinute();
  expect(drinks()).toEqual([]);
  expect(losses()).toMatchObject([{ drips: 1, dripTicks: 60 }]);
  expect(rig.bar.engine.taps.hardware.meters()[0]!.ticksTotal).toBe(60);
});

test('nitro at 10 mL/s is a drink, and so is a glass at the end of which the tap drips', () => {
  rig = openRig();
  rig.pins.pulse('pi.flow0', 540, 54);
  rig.heartbeats(18_000);
  expect(drinks()).toMatchObject([{ ticks: 540, heldReason: null }]);
  rig.pins.pulse('pi.flow0', 540, 324);
  rig.pins.pulse('pi.flow0', 20, 4);
  rig.heartbeats(14_000);
  expect(drinks()[0]).toMatchObject({ ticks: 560, heldReason: null });
  expect(drinks()).toHaveLength(2);
});

test('a setting of 0 leaves a trickle to its volume', () => {
  rig = openRig({ ...defaults, minPourMlPerS: 0 });
  rig.pins.pulse('pi.flow0', 60, 5);
  rig.heartbeats(20_000);
  expect(drinks()).toMatchObject([{ ticks: 60 }]);
});
