import { expect, test } from 'vitest';
import type { IncompleteReason } from '../../../src/core/measurement/counted-keg.ts';
import { updateInventory } from '../../../src/extensions/kegboards/engine/kegboard-inventory.ts';
import { updateKegEvidence } from '../../../src/engine/kegs/keg-evidence.ts';
import { at, hour, openEmptyBar, pour } from '../bar.ts';

type Bar = ReturnType<typeof openEmptyBar>;
const day = 24 * hour;
const nora = { userId: null, via: 'console' } as const;
/** The board says 1 tick per millilitre, and counts 5 % more. */
const trueTicksPerMl = 1.05;
const ticksOf50L = 0.9925 * 50_000 * trueTicksPerMl;

const report = ({ engine, left }: Bar, afterMs: number, ticks: number, hasTicks = true) =>
  engine.pours.report(
    {
      tap: left.id,
      ticks: hasTicks ? Math.round(ticks) : 0,
      volumeMl: ticks,
      // At 60 mL/s.
      durationMs: Math.round(ticks / 0.063),
      source: 'device',
    },
    at(afterMs),
  );

/** Pours a keg of 50 L through a board on day `n`; staff say that it ran dry. */
function emptyKeg(bar: Bar, n: number, { ranDry = true } = {}) {
  const { engine, left } = bar;
  const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
  const { id } = engine.kegs.start(left.id, { beverage, sizeKey: 'euro-half' }, at(n * day));
  for (let i = 1; i <= 10; i++) report(bar, n * day + i * hour, ticksOf50L / 10);
  engine.kegs.endOnTap(left.id, at(n * day + 11 * hour), nora, { ranDry });
  return id;
}

const evidenceOf = ({ engine }: Bar) => engine.meterLearning.get(1, at(60 * day)).evidence;

test('a board’s meter learns its factor from emptied kegs, and its later volumes follow', () => {
  const bar = openEmptyBar();
  const { engine } = bar;
  for (const n of [1, 3, 5, 7]) emptyKeg(bar, n);
  expect(evidenceOf(bar).map(({ state }) => state)).toEqual(['used', 'used', 'used', 'used']);
  const { learned } = engine.meterLearning.get(1, at(8 * day));
  expect(learned).toMatchObject({ ticksPerMl: expect.closeTo(trueTicksPerMl, 2), isOffered: true });

  const before = report(bar, 9 * day, 525);
  expect(before).toMatchObject({ volumeMl: 525, volumeGiven: true });
  expect(engine.uncertainties.drink(before)).toEqual({ ml: null, reason: 'volume_given' });
  engine.meterLearning.apply(1, { kegId: null, actor: nora }, at(10 * day));
  const after = report(bar, 11 * day, 525);
  expect(after).toMatchObject({ volumeMl: expect.closeTo(500, -0.5), volumeGiven: false });
  expect(engine.uncertainties.drink(after).ml).toBeLessThan(0.03 * 500);
  // Without ticks the board's volume is all that is known.
  expect(report(bar, 12 * day, 525, false)).toMatchObject({ volumeMl: 525, volumeGiven: true });
});

test('what was learned here is kept when the board tells its own factor again; until then that holds', () => {
  const bar = openEmptyBar();
  const { engine, store } = bar;
  for (const n of [1, 3]) emptyKeg(bar, n);
  const controller = store.controllers.all()[0]!;
  const tell = (mlPerTick: number) =>
    updateInventory(store, controller, { meters: [{ meterNumber: 0, mlPerTick }] } as never);
  tell(0.8);
  expect(engine.hardware.meters()[0]).toMatchObject({ ticksPerMl: 1.25, uFactor: null });
  tell(1);
  for (const n of [5, 7, 9]) emptyKeg(bar, n);
  engine.meterLearning.apply(1, { kegId: null, actor: nora }, at(10 * day));
  tell(0.8);
  expect(engine.hardware.meters()[0]?.ticksPerMl).toBeCloseTo(trueTicksPerMl, 2);
});

test.each<readonly [string, IncompleteReason, (bar: Bar) => void]>([
  ['whose end nobody told', 'end_unknown', (bar) => emptyKeg(bar, 1, { ranDry: false })],
  [
    'of which a drink was deleted',
    'deleted',
    (bar) => {
      emptyKeg(bar, 1);
      bar.engine.drinks.cancel(3, { spilled: false }, at(2 * day));
    },
  ],
  [
    'with a pour that waits for review',
    'held',
    (bar) => {
      emptyKeg(bar, 1);
      const impossible = pour(at(day + 2.5 * hour), { ticks: 30_000 });
      bar.engine.pours.record(impossible, 'pin', at(day + 2.5 * hour));
      updateKegEvidence(bar.store, 1);
    },
  ],
])('a keg %s is incomplete, with its reason', (_what, incompleteReason, run) => {
  const bar = openEmptyBar();
  run(bar);
  expect(evidenceOf(bar)).toMatchObject([{ state: 'incomplete', incompleteReason }]);
});

test('a drink without ticks, such as one that was entered by hand, makes a keg incomplete, and says so', () => {
  const bar = openEmptyBar();
  bar.engine.kegs.start(
    bar.left.id,
    { sizeKey: 'euro-half', beverage: { name: 'L', producerName: 'B', styleName: '' } },
    at(0),
  );
  report(bar, hour, 1_000);
  bar.engine.pours.report({ tap: bar.left.id, ticks: 0, volumeMl: 500, source: 'manual' }, at(2 * hour));
  bar.engine.kegs.endOnTap(bar.left.id, at(3 * hour), nora, { ranDry: true });
  expect(evidenceOf(bar)).toMatchObject([{ state: 'incomplete', incompleteReason: 'given' }]);
});
