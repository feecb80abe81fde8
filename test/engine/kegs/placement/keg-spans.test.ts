import { beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { at, minute, openEmptyBar } from '../../bar.ts';

const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };

let bar: ReturnType<typeof openEmptyBar>;
beforeEach(() => {
  bar = openEmptyBar();
});

const moment = (n: number) => at(n * minute);
const addKeg = (fullVolumeMl = 30_000) => bar.engine.kegs.create({ beverage, fullVolumeMl }, moment(0)).id;
const attach = (id: number, n: number, tap = bar.left) =>
  bar.engine.kegs.attach(tap.id, id, moment(n), systemActor);
const end = (n: number, tap = bar.left) => bar.engine.kegs.endOnTap(tap.id, moment(n), systemActor);
const takeOff = (id: number, n: number, tap = bar.left) =>
  bar.engine.kegs.disconnect(tap.id, id, moment(n), systemActor);
const undo = (kegId: number, n: number) =>
  bar.engine.corrections.undo(
    bar.engine.audit.latestCorrection('keg', { kind: 'keg', id: kegId })!,
    { actor: systemActor },
    moment(n),
  );
const pour = (n: number, volumeMl = 300, tap = bar.left) =>
  bar.engine.drinks.pours.report({ tap: tap.id, ticks: 0, volumeMl, source: 'post' }, moment(n)).id;
const kegOf = (id: number) => bar.engine.drinks.get(id)!.drink.kegId;
/** Keg, start and end in minutes of the spans of the left tap, oldest first. */
const spans = () =>
  bar.store.taps.kegSpans
    .ofTap(bar.left.id)
    .map(({ kegId, started, ended }) => [
      kegId,
      (started.wallMs - moment(0).wallMs) / minute,
      ended && (ended.wallMs - moment(0).wallMs) / minute,
    ])
    .reverse();

test.each([
  ['ended', () => end],
  ['taken off', () => (n: number) => takeOff(bar.engine.taps.find(bar.left.id)!.keg!.id, n)],
] as const)(
  'a keg that was %s and is put back by undo after another one was there keeps that one’s drinks',
  (_how, how) => {
    const leave = how();
    const [first, second] = [addKeg(), addKeg()];
    attach(first, 1);
    pour(5);
    leave(10);
    attach(second, 20);
    const drinks = [pour(25), pour(35)];
    leave(40);
    undo(first, 50);
    expect(drinks.map(kegOf)).toEqual([second, second]);
    expect(spans()).toEqual([
      [first, 1, 10],
      [second, 20, 40],
      [first, 50, null],
    ]);
    expect(kegOf(pour(55))).toBe(first);
    leave(60);
    expect(kegOf(pour(70))).toBeNull();
  },
);

test('undoing that a keg was put back takes what flowed meanwhile off it again', () => {
  const keg = addKeg();
  attach(keg, 1);
  end(10);
  const meanwhile = pour(15);
  bar.engine.kegs.reactivate(keg, { actor: systemActor, now: moment(20) });
  attach(keg, 20);
  expect(kegOf(meanwhile)).toBe(keg);
  undo(keg, 25);
  expect(kegOf(meanwhile)).toBeNull();
  expect(spans()).toEqual([[keg, 1, 10]]);
});

test('a keg that was taken off was not on the tap while it was away, nor where a time is stated', () => {
  const keg = addKeg();
  attach(keg, 1);
  takeOff(keg, 10);
  attach(keg, 12, bar.right);
  const away = [pour(17), pour(17, 300, bar.right)];
  takeOff(keg, 20, bar.right);
  attach(keg, 30);
  expect(away.map(kegOf)).toEqual([null, keg]);
  expect(spans()).toEqual([
    [keg, 1, 10],
    [keg, 30, null],
  ]);
  end(40);
  bar.engine.kegs.reactivate(keg, { actor: systemActor, now: moment(50) });
  const empty = pour(45);
  bar.engine.kegs.attach(bar.left.id, keg, moment(60), systemActor, { changedAtMs: moment(50).wallMs });
  expect(kegOf(empty)).toBeNull();
});

test('what was counted beyond a keg stays its beer until another one is connected', () => {
  const [first, second] = [addKeg(700), addKeg()];
  attach(first, 0);
  const drinks = [pour(1), pour(2), pour(3), pour(4)];
  bar.engine.kegs.connect(bar.left.id, second, moment(20), systemActor);
  const last = pour(25);
  expect([...drinks, last].map(kegOf)).toEqual([first, first, first, first, first]);
  expect(kegOf(pour(30))).toBe(second);
  bar.engine.drinks.edit(drinks[0]!, { volumeMl: 250 }, moment(31));
  expect(drinks.map(kegOf)).toEqual([first, first, first, first]);
});

test.each([
  ['ended', () => void end(10)],
  ['taken off', (second: number) => void takeOff(second, 10)],
] as const)('an earlier keg of a series does not go back after staff have %s the next one', (_how, leave) => {
  const [first, second, third] = [addKeg(700), addKeg(3_000), addKeg()];
  attach(first, 0);
  bar.engine.kegs.connect(bar.left.id, second, moment(0), systemActor);
  const drinks = [pour(1), pour(2), pour(3), pour(4)];
  leave(second);
  attach(third, 11);
  for (const id of drinks.slice(0, 2)) bar.engine.drinks.edit(id, { volumeMl: 1 }, moment(20));
  expect(bar.engine.kegs.get(first)?.state).toBe('finished');
  expect(bar.engine.taps.find(bar.left.id)?.keg?.id).toBe(third);
  bar.engine.drinks.cancel(drinks[1]!, { spilled: false }, moment(21));
  expect(bar.engine.site.checkDatabase()).toEqual([]);
});

test('a drink that was spilled follows what was on the tap then', () => {
  const [first, second] = [addKeg(), addKeg()];
  attach(first, 1);
  bar.engine.drinks.cancel(pour(5), { spilled: true }, moment(6));
  bar.engine.kegs.endOnTap(bar.left.id, moment(20), systemActor, { changedAtMs: moment(4).wallMs });
  bar.engine.kegs.attach(bar.left.id, second, moment(20), systemActor, { changedAtMs: moment(4).wallMs });
  expect([first, second].map((id) => bar.engine.kegs.get(id)?.spilledVolumeMl)).toEqual([0, 300]);
});

test('a divided drink that was spilled is divided as it was, and again when what was on the tap then changes', () => {
  const [first, second] = [addKeg(), addKeg()];
  attach(first, 1);
  const drink = bar.engine.drinks.pours.report(
    { tap: bar.left.id, ticks: 0, volumeMl: 500, durationMs: 60_000, source: 'post' },
    moment(5),
  ).id;
  const spilled = () => [first, second].map((id) => Math.round(bar.engine.kegs.get(id)!.spilledVolumeMl));
  const changedAtMs = at(5 * minute - 24_000).wallMs;
  bar.engine.kegs.endOnTap(bar.left.id, moment(6), systemActor, { changedAtMs });
  bar.engine.kegs.attach(bar.left.id, second, moment(6), systemActor, { changedAtMs });
  bar.engine.drinks.cancel(drink, { spilled: true }, moment(7));
  expect(spilled()).toEqual([300, 200]);
  const reported = bar.store.reports.spilled({ sinceMs: 0, untilMs: moment(60).wallMs });
  expect(reported.map((one) => [one.kegId, one.spills, Math.round(one.volumeMl)])).toEqual([
    [first, 1, 300],
    [second, 0, 200],
  ]);
  undo(second, 8);
  undo(first, 9);
  expect(spilled()).toEqual([500, 0]);
  end(10);
  bar.engine.drinks.undo(drink, {}, moment(11));
  expect(spilled()).toEqual([0, 0]);
  expect(bar.engine.drinks.get(drink)!.drink).toMatchObject({ kegId: first, parts: null });
  expect(bar.engine.site.checkDatabase()).toEqual([]);
});

test('a spill that moved to another keg with a change told late is taken off that one by its undo', () => {
  const [first, second] = [addKeg(), addKeg()];
  attach(first, 1);
  const drink = pour(5);
  bar.engine.drinks.cancel(drink, { spilled: true }, moment(6));
  bar.engine.kegs.endOnTap(bar.left.id, moment(20), systemActor, { changedAtMs: moment(4).wallMs });
  bar.engine.kegs.attach(bar.left.id, second, moment(20), systemActor, { changedAtMs: moment(4).wallMs });
  bar.engine.drinks.undo(drink, {}, moment(21));
  expect(kegOf(drink)).toBe(second);
  expect([first, second].map((id) => bar.engine.kegs.get(id)?.spilledVolumeMl)).toEqual([0, 0]);
  expect(bar.engine.site.checkDatabase()).toEqual([]);
});

test('a drink whose keg was not on its tap while it flowed is told, unless staff chose the keg', () => {
  const [first, second] = [addKeg(), addKeg()];
  attach(first, 1);
  const drinks = [pour(5), pour(6)];
  bar.engine.drinks.move(drinks[1]!, { kegId: second }, moment(7));
  expect(bar.engine.site.checkDatabase()).toEqual([]);
  bar.store.drinks.setPlacement(drinks[0]!, { kegId: second, parts: null, isKegAssigned: false });
  expect(bar.engine.site.checkDatabase()).toEqual([
    { what: `on the tap of drink ${drinks[0]} while it flowed: keg ${second}`, stored: 0, computed: 1 },
  ]);
});

test('the sums of a keg by meter have its part of a divided drink, and those of other kegs all of theirs', () => {
  const [first, second, other] = [addKeg(), addKeg(), addKeg()];
  attach(first, 1);
  attach(other, 1, bar.right);
  pour(2);
  pour(2, 400, bar.right);
  end(5);
  attach(second, 5);
  bar.engine.drinks.pours.report(
    { tap: bar.left.id, ticks: 0, volumeMl: 500, durationMs: 60_000, source: 'post' },
    at(5 * minute + 24_000),
  );
  const sums = [first, second, other].map((id) => bar.store.drinks.meterTotals.ofKeg(id));
  expect(sums.map(([one]) => [one!.pours, Math.round(one!.volumeMl)])).toEqual([
    [2, 600],
    [1, 200],
    [1, 400],
  ]);
});
