import { expect, test } from 'vitest';
import { insertDrink, insertPour } from '../../kit/drinks/insert-drink.ts';
import { at, hour, minute, openBar, pour } from '../bar.ts';

type Bar = ReturnType<typeof openBar>;
const gas = { gasTicks: 100, gasOnsetMs: 59_000 };

/** Pours the 30 L keg of the left tap empty within hours: `ticks` of beer in six pours, and gas after them. */
function pourKeg({ store }: Bar, ticks = 29_700, last: Parameters<typeof insertPour>[1] = {}) {
  const drinks = [1, 2, 3, 4, 5, 6].map((n) => {
    const ended = at(n * hour);
    const options = { ticks: ticks / 6, durationMs: 60_000, series: `0:${ticks / 6}` };
    const isLast = n === 6;
    return insertPour(
      store,
      { ...options, ...(isLast && { ticks: ticks / 6 + 100, ...gas, ...last }) },
      ended,
    );
  });
  return drinks;
}

const evidenceOf = ({ store }: Bar) => store.taps.meterEvidence.newest(1, 10);
const fitOf = (bar: Bar) => evidenceOf(bar).filter(({ isFit }) => isFit);

test('a keg that ran empty on one tap is evidence: ticks without gas for its volume without what stays in it', () => {
  const bar = openBar();
  pourKeg(bar);
  bar.engine.kegs.endOnTap(bar.left.id, at(6 * hour));
  expect(evidenceOf(bar)).toEqual([
    {
      id: 1,
      meterId: 1,
      kind: 'emptied_keg',
      ticks: 29_700,
      volumeMl: 30_000 * 0.9925,
      // 250 mL of fill and 100 mL of hose in 30 L.
      u: expect.closeTo(0.00904, 5),
      fillGroup: '7/1',
      timeMs: at(6 * hour).wallMs,
      kegId: bar.keg.id,
      calibrationId: null,
      pouredKegId: null,
      isFit: true,
      incompleteReason: null,
      isDiscarded: false,
    },
  ]);
});

test('foam before the beer of a fresh keg counts a quarter in its evidence, and makes it less certain', () => {
  const bar = openBar();
  // 60 s with 2 s of foam, which is 200 ticks here.
  const foam = Array.from({ length: 20 }, (_, i) => `${i * 100}:${i % 4 < 2 ? 15 : 5}`);
  const beer = Array.from({ length: 75 }, (_, i) => `${2_000 + i * 100}:6`);
  const first = pour(at(minute), { ticks: 650, durationMs: 9_400, series: [...foam, ...beer].join(' ') });
  const { foamTicks } = bar.engine.drinks.pours.record(first, 'pin', at(minute));
  expect(foamTicks).toBeGreaterThan(180);
  pourKeg(bar);
  bar.engine.kegs.endOnTap(bar.left.id, at(6 * hour));
  const [evidence] = fitOf(bar);
  expect(evidence?.ticks).toBe(Math.round(29_700 + 650 - 0.75 * foamTicks));
  expect(evidence?.u).toBeCloseTo(Math.hypot(0.00904, (0.25 * foamTicks) / evidence!.ticks), 4);
});

test('an answer to the question after gas is evidence from the time of the gas', () => {
  const bar = openBar();
  const [, , , , , last] = pourKeg(bar);
  bar.store.taps.emptyKegs.set({
    tapId: bar.left.id,
    kegId: bar.keg.id,
    firstDrinkId: last!.id,
    timeMs: last!.pourTimeMs,
  });
  bar.engine.drinks.emptyKegs.confirm(bar.left.id, at(9 * hour));
  expect(evidenceOf(bar)).toMatchObject([{ ticks: 29_700, timeMs: at(6 * hour).wallMs }]);
});

test('a keg taken off without gas is no evidence, since it may contain beer', () => {
  const bar = openBar();
  pourKeg(bar, 29_700, { ticks: 4_950, gasTicks: 0, gasOnsetMs: null });
  bar.engine.kegs.endOnTap(bar.left.id, at(6 * hour));
  expect(fitOf(bar)).toEqual([]);
});

test('a keg of which staff say that it ran dry is evidence without gas: a foam-on-beer detector lets none through', () => {
  const bar = openBar();
  pourKeg(bar, 29_700, { ticks: 4_950, gasTicks: 0, gasOnsetMs: null });
  bar.engine.kegs.endOnTap(bar.left.id, at(6 * hour), undefined, { ranDry: true });
  expect(fitOf(bar)).toMatchObject([{ ticks: 29_700 }]);
  expect(bar.engine.kegs.get(bar.keg.id)).toMatchObject({ state: 'finished', ranDry: true });
});

test('a keg that was taken off early is never evidence, whatever came out of it, and its corrections change nothing', () => {
  const bar = openBar();
  const { engine, left, keg } = bar;
  const nora = { userId: null, via: 'console' } as const;
  const drinks = pourKeg(bar);
  engine.kegs.endOnTap(left.id, at(6 * hour), nora, { ranDry: false });
  expect(fitOf(bar)).toEqual([]);
  engine.drinks.move(drinks[1]!.id, { kegId: null }, at(7 * hour));
  engine.drinks.undo(drinks[1]!.id, {}, at(8 * hour));
  expect(fitOf(bar)).toEqual([]);
  const ended = engine.audit.latestCorrection('keg', { kind: 'keg', id: keg.id })!;
  engine.corrections.undo(ended, {}, at(9 * hour));
  expect(engine.kegs.get(keg.id)).toMatchObject({ state: 'on_tap', ranDry: null });
});

test('undoing its end removes the evidence; reactivating it makes it incomplete, and undoing that fit again', () => {
  const bar = openBar();
  const { engine, left, keg } = bar;
  const nora = { userId: null, via: 'console' } as const;
  pourKeg(bar);
  engine.kegs.endOnTap(left.id, at(6 * hour), nora);
  const subject = { kind: 'keg', id: keg.id } as const;
  engine.corrections.undo(engine.audit.latestCorrection('keg', subject)!, {}, at(7 * hour));
  expect(evidenceOf(bar)).toEqual([]);
  engine.kegs.endOnTap(left.id, at(8 * hour), nora);
  expect(evidenceOf(bar)).toHaveLength(1);
  engine.kegs.reactivate(keg.id, { actor: nora, now: at(9 * hour) });
  expect(fitOf(bar)).toEqual([]);
  engine.corrections.undo(engine.audit.latestCorrection('keg', subject)!, {}, at(10 * hour));
  expect(evidenceOf(bar)).toMatchObject([{ ticks: 29_700, timeMs: at(8 * hour).wallMs }]);
});

test('undoing a reactivation brings back what staff said: that the keg is empty, and that the evidence is wrong', () => {
  const bar = openBar();
  const { engine, left, keg } = bar;
  const nora = { userId: null, via: 'console' } as const;
  const [, , , , , last] = pourKeg(bar);
  engine.drinks.emptyKegs.confirm(left.id, at(9 * hour));
  // It is empty only by what staff said: the gas is counted as beer.
  engine.drinks.move(last!.id, { kegId: null }, at(9 * hour));
  engine.drinks.meterLearning.setDiscarded(1, evidenceOf(bar)[0]!.id, { isDiscarded: true }, at(9 * hour));
  const before = evidenceOf(bar);
  expect(before).toMatchObject([{ isFit: true, isDiscarded: true }]);
  engine.kegs.reactivate(keg.id, { actor: nora, now: at(10 * hour) });
  expect(fitOf(bar)).toEqual([]);
  const id = engine.audit.latestCorrection('keg', { kind: 'keg', id: keg.id })!;
  engine.corrections.undo(id, {}, at(11 * hour));
  expect(evidenceOf(bar)).toEqual(before);
});

test.each<[string, (bar: Bar) => void]>([
  ['a pour after a power cut', (bar) => pourKeg(bar, 29_700, { recovered: true })],
  ['lost ticks', (bar) => pourKeg(bar, 29_700, { ticksLost: 5 })],
  ['ticks of which nobody knows whether some are lost', (bar) => pourKeg(bar, 29_700, { ticksLost: null })],
  [
    'a held pour',
    (bar) => {
      pourKeg(bar);
      insertPour(bar.store, { heldReason: 'no_end' }, at(minute));
    },
  ],
  [
    'a pour of another tap',
    (bar) => {
      const [, drink] = pourKeg(bar);
      const other = insertPour(bar.store, { tap: 'pi.flow1' }, at(minute));
      expect(drink).toBeDefined();
      bar.engine.drinks.move(other.id, { kegId: bar.keg.id }, at(2 * minute));
    },
  ],
  [
    'a drink that was added by hand',
    (bar) => {
      pourKeg(bar);
      insertDrink(bar.store, { tap: bar.left.id, ticks: 0, volumeMl: 300, source: 'manual' }, at(6 * hour));
    },
  ],
  [
    'more than 2 % spilled',
    (bar) => {
      pourKeg(bar);
      bar.engine.kegs.spill(bar.keg.id, 700, at(3 * hour));
    },
  ],
  [
    'a drink that was deleted',
    (bar) => {
      const [, drink] = pourKeg(bar);
      bar.engine.drinks.cancel(drink!.id, { spilled: false }, at(6 * hour));
    },
  ],
  [
    'another factor meanwhile',
    (bar) => {
      pourKeg(bar);
      bar.engine.drinks.calibrate(1, { ticksPerMl: 1.1, kegId: null }, at(3 * hour));
    },
  ],
  [
    'a starting volume other than full',
    (bar) => {
      bar.engine.kegs.change(bar.keg.id, { fullVolumeMl: 25_000 }, at(minute));
      pourKeg(bar);
    },
  ],
  ['no drinks', () => {}],
])('a keg with %s is no evidence', (_what, prepare) => {
  const bar = openBar();
  prepare(bar);
  bar.engine.kegs.endOnTap(bar.left.id, at(6 * hour));
  expect(fitOf(bar)).toEqual([]);
});

test('a held pour that is reviewed after the end makes its keg fit', () => {
  const bar = openBar();
  pourKeg(bar, 29_400);
  const held = insertPour(bar.store, { heldReason: 'no_end' }, at(minute));
  bar.engine.kegs.endOnTap(bar.left.id, at(6 * hour));
  expect(fitOf(bar)).toEqual([]);
  bar.engine.drinks.keep(held.id, { kegId: bar.keg.id }, at(7 * hour));
  expect(fitOf(bar)).toMatchObject([{ ticks: 29_700 }]);
});

test.each<[string, (bar: Bar, heldId: number) => void]>([
  ['discarded', ({ engine }, id) => engine.drinks.discard(id, {}, at(7 * hour))],
  ['kept on no keg', ({ engine }, id) => engine.drinks.keep(id, { kegId: null }, at(7 * hour))],
])('a held pour that is %s after the end makes its keg fit, and undoing it incomplete', (_what, review) => {
  const bar = openBar();
  const { engine, store } = bar;
  pourKeg(bar);
  const options = { ticks: 50, series: '0:50', heldReason: 'no_end' } as const;
  const held = insertPour(store, options, at(minute));
  engine.kegs.endOnTap(bar.left.id, at(6 * hour));
  expect(fitOf(bar)).toEqual([]);
  review(bar, held.id);
  expect(fitOf(bar)).toMatchObject([{ ticks: 29_700 }]);
  engine.drinks.undo(held.id, {}, at(8 * hour));
  expect(fitOf(bar)).toEqual([]);
});

test('a drink that was recorded as spilled keeps its ticks; a spill that the meter did not count leaves the volume', () => {
  const bar = openBar();
  const [, drink] = pourKeg(bar, 1_800);
  bar.engine.drinks.cancel(drink!.id, { spilled: true }, at(6 * hour));
  bar.engine.kegs.spill(bar.keg.id, 200, at(6 * hour));
  bar.engine.kegs.endOnTap(bar.left.id, at(6 * hour));
  expect(evidenceOf(bar)).toMatchObject([{ ticks: 1_800, volumeMl: 29_775 - 200 }]);
});

test('a later correction of a drink of the keg measures the evidence again', () => {
  const bar = openBar();
  const [, drink] = pourKeg(bar);
  bar.engine.kegs.endOnTap(bar.left.id, at(6 * hour));
  bar.engine.drinks.move(drink!.id, { kegId: null }, at(7 * hour));
  expect(evidenceOf(bar)).toMatchObject([{ ticks: 29_700 - 4_950, isFit: true }]);
  bar.engine.drinks.undo(drink!.id, {}, at(8 * hour));
  expect(evidenceOf(bar)).toMatchObject([{ ticks: 29_700, isDiscarded: false }]);
  bar.engine.kegs.spill(bar.keg.id, 700, at(9 * hour));
  expect(fitOf(bar)).toEqual([]);
});

test('merging two drinks of the keg changes nothing, since no tick is lost', () => {
  const bar = openBar();
  const [first, second] = pourKeg(bar);
  bar.engine.drinks.join(first!.id, { otherId: second!.id }, at(3 * hour));
  bar.engine.kegs.endOnTap(bar.left.id, at(6 * hour));
  expect(fitOf(bar)).toMatchObject([{ ticks: 29_700 }]);
});

test('a deleted part of a drink makes the keg incomplete, and undoing that fit', () => {
  const bar = openBar();
  const [first] = pourKeg(bar);
  const { part } = bar.engine.drinks.split(first!.id, { ticks: 300 }, at(3 * hour));
  const partId = part.drink.id;
  bar.engine.kegs.endOnTap(bar.left.id, at(6 * hour));
  expect(fitOf(bar)).toMatchObject([{ ticks: 29_700 }]);
  bar.engine.drinks.cancel(partId, { spilled: false }, at(7 * hour));
  expect(fitOf(bar)).toEqual([]);
  bar.engine.drinks.undo(partId, {}, at(8 * hour));
  expect(fitOf(bar)).toMatchObject([{ ticks: 29_700 }]);
  expect(bar.engine.site.checkDatabase()).toEqual([]);
});

test('drips count as beer that left the keg', () => {
  const bar = openBar();
  pourKeg(bar);
  const drips = { byMeter: new Map([['pi.flow0', { ticks: 300, drips: 90 }]]), counters: [] };
  bar.engine.drinks.pours.countDrips(drips, at(minute));
  bar.engine.kegs.endOnTap(bar.left.id, at(6 * hour));
  expect(evidenceOf(bar)).toMatchObject([{ ticks: 30_000, u: expect.closeTo(0.01033, 5) }]);
});
