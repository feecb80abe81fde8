import { expect, test } from 'vitest';
import { at, openEmptyBar, pour } from '../bar.ts';
import { day, emptyOneKeg } from './emptied-kegs.ts';

type Bar = ReturnType<typeof openEmptyBar>;

/** The left meter is calibrated by six litres at 60 mL/s, at one tick per millilitre. */
function openCalibratedBar(measured: object = {}) {
  const bar = openEmptyBar();
  bar.engine.drinks.calibrate(
    1,
    {
      ticksPerMl: 1,
      uncertainty: 0.004,
      method: 'pours',
      kegId: null,
      measured: { pours: 6, ticks: 6_000, volumeMl: 6_000, hz: 60, ...measured },
    },
    at(0),
  );
  return bar;
}

/** A pour of steady rates, one after the other; 0 is a pause. */
function poured({ engine }: Bar, n: number, ...seconds: readonly number[]) {
  const pairs = seconds.flatMap((hz, s) =>
    Array.from({ length: 10 }, (_, i) => `${s * 1_000 + i * 100}:${hz / 10}`).filter(
      (pair) => !pair.endsWith(':0'),
    ),
  );
  const ticks = seconds.reduce((sum, hz) => sum + hz, 0);
  const ended = at(n * day);
  const options = { ticks, series: pairs.join(' '), durationMs: seconds.length * 1_000 };
  const drink = engine.drinks.pours.record(pour(ended, options), 'pin', ended);
  return { ...drink, ml: () => (engine.drinks.uncertainties.drink(drink) as { ml: number }).ml };
}

const steady = (seconds: number, hz = 60) => Array<number>(seconds).fill(hz);
const emptyKegs = (bar: Bar, days: readonly number[], ticks: number) => {
  for (const n of days) emptyOneKeg(bar.engine, bar.left.id, { meter: 'pi.flow0', ticks, now: at(n * day) });
};

test('a pour with three starts is less certain than one of the same volume with one', () => {
  const bar = openCalibratedBar();
  const one = poured(bar, 1, ...steady(6));
  const three = poured(bar, 1.1, 60, 60, 0, 60, 60, 0, 60, 60);
  expect(three.volumeMl).toBe(one.volumeMl);
  expect(three.ml()).toBeGreaterThan(one.ml() + 6);
});

test('calibration pours of two sizes teach what a meter has at each start', () => {
  const unknown = poured(openCalibratedBar(), 1, 30).ml();
  const known = poured(openCalibratedBar({ offset: { ticks: 0.1, uncertainty: 0.5 } }), 1, 30).ml();
  expect(known).toBeLessThan(0.6 * unknown);
});

test('a pour slower than the calibration is less certain, unless the meter was calibrated there', () => {
  const bar = openCalibratedBar();
  const share = (drink: ReturnType<typeof poured>) => drink.ml() / drink.volumeMl;
  expect(share(poured(bar, 1, ...steady(30, 10)))).toBeGreaterThan(0.1);
  const slow = openCalibratedBar({ hz: 10 });
  expect(share(poured(slow, 1, ...steady(30, 10)))).toBeLessThan(0.02);
});

test('a factor ages: the ± grows with the time since it was measured', () => {
  const bar = openCalibratedBar();
  const [fresh, old] = [poured(bar, 1, ...steady(8)), poured(bar, 365, ...steady(8))];
  expect(old.ml() / old.volumeMl).toBeGreaterThan(fresh.ml() / fresh.volumeMl + 0.005);
  bar.engine.drinks.calibrate(
    1,
    {
      ticksPerMl: 1,
      uncertainty: 0.004,
      method: 'pours',
      kegId: null,
      measured: { pours: 6, ticks: 6_001, volumeMl: 6_001, hz: 60 },
    },
    at(364 * day),
  );
  expect(old.ml()).toBeCloseTo(fresh.ml(), 0);
});

test('kegs that are 3 % off widen the ± of drinks, kegs and sessions at once, long before a factor is offered', () => {
  const bar = openCalibratedBar();
  emptyKegs(bar, [2, 4], 49_625);
  const before = poured(bar, 5, ...steady(8)).ml();
  emptyKegs(bar, [6, 8], Math.round(49_625 * 0.97));
  const after = poured(bar, 9, ...steady(8));
  const { learned } = bar.engine.drinks.meterLearning.get(1, at(9 * day));
  expect(learned?.isOffered).toBe(false);
  expect(after.ml()).toBeGreaterThan(1.5 * before);
  const [session] = bar.engine.lists.sessions({}).items;
  expect(bar.engine.drinks.uncertainties.session(session!)).toBeCloseTo(after.ml(), 6);
});

test('a factor that was learned is as certain as its evidence, and contains the starts of the drinks it came from', () => {
  const bar = openCalibratedBar();
  emptyKegs(bar, [2, 4, 6, 8], Math.round(49_625 * 1.02));
  bar.engine.drinks.meterLearning.apply(1, { kegId: null }, at(9 * day));
  const { measuredBy } = bar.engine.taps.hardware.meters()[0]!;
  // Five drinks of ten litres in five minutes each.
  expect(measuredBy!.hz).toBeCloseTo((49_625 * 1.02) / 5 / 300, 0);
  expect(measuredBy!.ticks).toBeCloseTo((49_625 * 1.02) / 5, -2);
});

test('the ± of a drink is that of a session with this drink alone', () => {
  const bar = openCalibratedBar();
  const drink = poured(bar, 1, ...steady(3), 0, 0, ...steady(2, 30));
  const [session] = bar.engine.lists.sessions({}).items;
  expect(bar.engine.drinks.uncertainties.session(session!)).toBeCloseTo(drink.ml(), 6);
});
