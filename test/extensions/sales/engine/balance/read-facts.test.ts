import { expect, test } from 'vitest';
import { businessDay } from '../../../../../src/core/clock/business-days.ts';
import { systemActor } from '../../../../../src/engine/engine.ts';
import { readFacts } from '../../../../../src/extensions/sales/engine/balance/read-facts.ts';
import { at, hour, minute } from '../../../../engine/bar.ts';
import { openSalesBar } from '../sales-bar.ts';

const day = 24 * hour;
const rule = { timeZone: 'UTC', endsMinutes: 300 };

test('the balance counts what dripped on a day once: as dripped or as spilled', () => {
  const { engine, store, left } = openSalesBar();
  const losses = () =>
    readFacts(store, [businessDay('2026-05-01', rule)!], rule).losses.map(({ kind, volumeUl }) => [
      kind,
      volumeUl,
    ]);
  const byMeter = new Map([['pi.flow0', { ticks: 55, drips: 1, backFlowTicks: 25 }]]);
  engine.drinks.pours.countDrips({ byMeter, counters: [] }, at(minute));
  expect(losses()).toEqual([['drips', 30_000]]);
  const { tap } = engine.taps.find(left.id)!;
  const by = { actor: systemActor, now: at(2 * day) };
  const { correctionId } = engine.drinks.spilledLosses.spill(tap, '2026-05-01', 'drips', by);
  expect(losses()).toEqual([['spilled', 30_000]]);
  engine.corrections.undo(correctionId, {}, at(2 * day));
  expect(losses()).toEqual([['drips', 30_000]]);
});
