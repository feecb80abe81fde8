import { expect, test } from 'vitest';
import { updateInventory } from '../../../../src/extensions/kegboards/engine/kegboard-inventory.ts';
import { at, openEmptyBar } from '../../../engine/bar.ts';
import { day, emptyKeg, nora, trueTicksPerMl } from '../../../engine/drinks/learning-board.ts';

test('what was learned here is kept when the board tells its own factor again; until then that holds', () => {
  const bar = openEmptyBar();
  const { engine, store } = bar;
  for (const n of [1, 3]) emptyKeg(bar, n);
  const controller = store.controllers.all()[0]!;
  const tell = (mlPerTick: number) =>
    updateInventory(store, controller, { meters: [{ meterNumber: 0, mlPerTick }] } as never);
  tell(0.8);
  expect(engine.taps.hardware.meters()[0]).toMatchObject({ ticksPerMl: 1.25, uFactor: null });
  tell(1);
  for (const n of [5, 7, 9]) emptyKeg(bar, n);
  engine.drinks.meterLearning.apply(1, { kegId: null, actor: nora }, at(10 * day));
  tell(0.8);
  expect(engine.taps.hardware.meters()[0]?.ticksPerMl).toBeCloseTo(trueTicksPerMl, 2);
});
