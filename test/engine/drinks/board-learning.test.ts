import { expect, test } from 'vitest';
import type { IncompleteReason } from '../../../src/core/measurement/counted-keg.ts';
import { updateKegEvidence } from '../../../src/engine/kegs/keg-evidence.ts';
import { at, hour, openEmptyBar, pour } from '../bar.ts';

import { type Bar, day, emptyKeg, nora, report, trueTicksPerMl } from './learning-board.ts';

const evidenceOf = ({ engine }: Bar) => engine.drinks.meterLearning.get(1, at(60 * day)).evidence;

test('a board’s meter learns its factor from emptied kegs, and its later volumes follow', () => {
  const bar = openEmptyBar();
  const { engine } = bar;
  for (const n of [1, 3, 5, 7]) emptyKeg(bar, n);
  expect(evidenceOf(bar).map(({ state }) => state)).toEqual(['used', 'used', 'used', 'used']);
  const { learned } = engine.drinks.meterLearning.get(1, at(8 * day));
  expect(learned).toMatchObject({ ticksPerMl: expect.closeTo(trueTicksPerMl, 2), isOffered: true });

  const before = report(bar, 9 * day, 525);
  expect(before).toMatchObject({ volumeMl: 525, volumeGiven: true });
  expect(engine.drinks.uncertainties.drink(before)).toEqual({ ml: null, reason: 'volume_given' });
  engine.drinks.meterLearning.apply(1, { kegId: null, actor: nora }, at(10 * day));
  const after = report(bar, 11 * day, 525);
  expect(after).toMatchObject({ volumeMl: expect.closeTo(500, -0.5), volumeGiven: false });
  expect(engine.drinks.uncertainties.drink(after).ml).toBeLessThan(0.03 * 500);
  // Without ticks the board's volume is all that is known.
  expect(report(bar, 12 * day, 525, false)).toMatchObject({ volumeMl: 525, volumeGiven: true });
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
      bar.engine.drinks.pours.record(impossible, 'pin', at(day + 2.5 * hour));
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
  bar.engine.drinks.pours.report(
    { tap: bar.left.id, ticks: 0, volumeMl: 500, source: 'manual' },
    at(2 * hour),
  );
  bar.engine.kegs.endOnTap(bar.left.id, at(3 * hour), nora, { ranDry: true });
  expect(evidenceOf(bar)).toMatchObject([{ state: 'incomplete', incompleteReason: 'given' }]);
});
