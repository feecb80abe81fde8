import { expect, test } from 'vitest';
import { certainlyLeftMl, kegUncertaintyMl } from '../../../src/engine/kegs/keg-remainder.ts';
import { insertPour } from '../../kit/drinks/insert-drink.ts';
import { at, minute, openBar } from '../bar.ts';

/** A full keg of 30 L at a meter that was calibrated within 1 %. */
function openCalibratedBar() {
  const bar = openBar();
  bar.store.taps.meters.calibrate(bar.engine.taps.hardware.meters()[0]!.id, 1, 0.005);
  const drink = (ml: number, minutes = 1) =>
    insertPour(bar.store, { ticks: ml, durationMs: (ml * 1_000) / 60 }, at(minutes * minute));
  return { ...bar, drink, certainMl: () => certainlyLeftMl(bar.store, [bar.keg.id]) };
}

test('a full keg is certain but for its fill, within 1.8 %, and the twentieth that no count knows', () => {
  const { certainMl } = openCalibratedBar();
  expect(certainMl()).toBeCloseTo(30_000 - 1_500 - 3 * 0.006 * 30_000, 6);
});

test('the uncertainty grows with what was poured, until the keg may be empty', () => {
  const { certainMl, drink, store, keg } = openCalibratedBar();
  for (let i = 0; i < 26; i++) drink(1_000, i + 1);
  const widthMl = kegUncertaintyMl(store, store.kegs.byId(keg.id)!);
  expect(widthMl).toBeGreaterThan(2 * 0.005 * 26_000);
  expect(certainMl()).toBeCloseTo(30_000 - 26_000 - 1_500 - 1.5 * widthMl, 6);
  for (let i = 0; i < 2; i++) drink(1_000, 30 + i);
  expect(certainMl()).toBe(0);
});

test('a keg at a meter that nobody calibrated may be empty earlier', () => {
  const bar = openBar();
  for (let i = 1; i <= 24; i++) insertPour(bar.store, { ticks: 1_000, durationMs: 60_000 }, at(i * minute));
  // 6 L are left, give or take 3 × 6 % of 24 L.
  expect(certainlyLeftMl(bar.store, [bar.keg.id])).toBeLessThan(300);
});

test('a held pour that may be its beer, and a spill by eye, count against it', () => {
  const held = openCalibratedBar();
  insertPour(held.store, { ticks: 9_000, heldReason: 'no_end' }, at(minute));
  expect(held.certainMl()).toBeLessThan(30_000 - 1_500 - 9_000);
  const spilled = openCalibratedBar();
  spilled.engine.drinks.pours.spill({ tap: 'pi.flow0', ticks: 0, volumeMl: 8_000 }, at(minute));
  expect(spilled.certainMl()).toBeLessThan(30_000 - 8_000 - 1_500 - 3 * 2_000);
});

test('an overdrawn keg, and one of unknown size, may be empty', () => {
  const { certainMl, drink, engine, keg } = openCalibratedBar();
  for (let i = 0; i < 31; i++) drink(1_000, i + 1);
  expect(engine.kegs.get(keg.id)!.servedVolumeMl).toBe(31_000);
  expect(certainMl()).toBe(0);
});

test('the kegs of a series are empty together', () => {
  const bar = openCalibratedBar();
  const next = bar.engine.kegs.create(
    {
      beverage: { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' },
      sizeKey: 'euro-30-liter',
    },
    at(0),
  );
  bar.engine.kegs.connect(bar.left.id, next.id, at(0));
  for (let i = 0; i < 29; i++) bar.drink(1_000, i + 1);
  expect(certainlyLeftMl(bar.store, [bar.keg.id])).toBe(0);
  expect(certainlyLeftMl(bar.store, [bar.keg.id, next.id])).toBeGreaterThan(25_000);
  expect(bar.engine.drinks.pours.meterFacts('pi.flow0')!.certainTicks).toBeGreaterThan(25_000);
});
