import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLineGas, judgeFreshPour, lineGasTicks } from '../../../src/core/measurement/fresh-foam.ts';
import { findGas } from '../../../src/core/measurement/gas-detector.ts';
import { sumTicks } from '../../../src/core/pours/tick-series.ts';

/** 60 mL/s through a meter of 5.4 ticks per millilitre. */
const openRate = { ticksPerS: 324, isLearned: true };
const allowedTicks = lineGasTicks({ fullVolumeMl: 50_000, servedVolumeMl: 0, spilledVolumeMl: 0 }, 5.4);

/** Bins of 100 ms with so many ticks each. */
const toPairs = (counts: readonly number[]) => counts.map((ticks, i) => ({ ms: i * 100, ticks }));
const repeat = (times: number, ...counts: readonly number[]) =>
  Array.from({ length: times }, () => counts).flat();
const beer = (bins: number) => repeat(bins / 2, 32, 33);
/** Sputters between 60 and 130 % of beer's rate. */
const foam = (bins: number) => repeat(bins / 4, 20, 36, 24, 41);
const gas = (bins: number) => repeat(bins, 81);

function judge(counts: readonly number[], allowed = allowedTicks, hasExactStamps = true) {
  const pairs = toPairs(counts);
  return judgeFreshPour(pairs, {
    ...{ openRate, gas: findGas(pairs, openRate), allowedTicks: allowed, hasExactStamps },
  });
}
const sum = (counts: readonly number[]) => counts.reduce((total, ticks) => total + ticks, 0);

describe('a keg is fresh', () => {
  test('until 3 L of it were poured or spilled, or a tenth of a small one', () => {
    const isFresh = (fullVolumeMl: number, servedVolumeMl: number, spilledVolumeMl = 0) =>
      lineGasTicks({ fullVolumeMl, servedVolumeMl, spilledVolumeMl }, 1) > 0;
    expect([isFresh(50_000, 2_999), isFresh(50_000, 3_000), isFresh(50_000, 2_000, 1_000)]).toEqual([
      ...[true, false, false],
    ]);
    expect([isFresh(5_000, 499), isFresh(5_000, 500)]).toEqual([true, false]);
  });

  test('its line holds up to 2 L of gas, which comes before the beer', () => {
    const found = (onsetMs: number, ticks: number) => ({ class: 'gas', onsetMs, ticks, ratio: 2 }) as const;
    expect(allowedTicks).toBe(10_800);
    expect(isLineGas(found(300, 10_800), allowedTicks)).toBe(true);
    expect(isLineGas(found(300, 10_801), allowedTicks)).toBe(false);
    expect(isLineGas(found(1_600, 100), allowedTicks)).toBe(false);
    expect(isLineGas(found(300, 1), 0)).toBe(false);
  });
});

describe('a pour of a fresh keg', () => {
  test('is beer when it is even, also throttled or opened half and then fully', () => {
    for (const counts of [beer(60), [...repeat(20, 16, 17), ...beer(40)], [4, 20, ...beer(30), 12, 2]])
      expect(judge(counts)).toEqual({ foamTicks: 0, gas: null });
  });

  test('begins with foam when it is uneven, up to the beer', () => {
    const { foamTicks, gas: found } = judge([...foam(20), ...beer(60)]);
    expect(found).toBeNull();
    // Within half a second of the true end.
    expect(Math.abs(foamTicks - sum(foam(20)))).toBeLessThan(160);
  });

  test('may be foam alone', () => {
    expect(judge(foam(40)).foamTicks).toBe(sum(foam(40)));
  });

  test('begins with the gas and the foam of the line', () => {
    const { foamTicks, gas: found } = judge([...gas(20), ...foam(12), ...beer(60)]);
    expect(found).toBeNull();
    const truth = sum(gas(20)) + sum(foam(12));
    expect(Math.abs(foamTicks / truth - 1)).toBeLessThan(0.1);
  });

  test('has gas like any other when it comes after the beer', () => {
    const { foamTicks, gas: found } = judge([...beer(40), ...gas(30)]);
    expect(foamTicks).toBe(0);
    expect(found).toMatchObject({ class: 'gas', onsetMs: expect.closeTo(4_000, -3) });
  });

  test('has foam before and gas after the beer when it is a very small keg', () => {
    const { foamTicks, gas: found } = judge([...foam(20), ...beer(40), ...gas(30)]);
    expect(foamTicks).toBeGreaterThan(400);
    expect(found?.class).toBe('gas');
    expect(foamTicks + found!.ticks).toBeLessThan(sum([...foam(20), ...beer(40), ...gas(30)]));
  });

  test('is gas when more comes than any line holds', () => {
    const { foamTicks, gas: found } = judge(gas(140));
    expect(foamTicks).toBe(0);
    expect(found?.class).toBe('gas');
  });

  test('a keg that is not fresh has no such foam', () => {
    expect(judge([...foam(20), ...beer(60)], 0).foamTicks).toBe(0);
  });

  test('of a board has the gas of the line, but no foam: its ticks come in batches', () => {
    expect(judge([...foam(20), ...beer(60)], allowedTicks, false)).toEqual({ foamTicks: 0, gas: null });
    const { foamTicks, gas: found } = judge([...gas(20), ...beer(60)], allowedTicks, false);
    expect(found).toBeNull();
    expect(Math.abs(foamTicks / sum(gas(20)) - 1)).toBeLessThan(0.1);
  });

  test('a fast tap whose usual rate nobody knows is no foam', () => {
    const pairs = toPairs(repeat(60, 60, 61));
    const rate = { ticksPerS: 324, isLearned: false };
    expect(
      judgeFreshPour(pairs, { openRate: rate, gas: null, allowedTicks, hasExactStamps: true }).foamTicks,
    ).toBe(0);
  });

  test('property: foam and gas are never more than all ticks', () => {
    const counts = fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(
        counts,
        fc.boolean(),
        fc.double({ min: 1, max: 600, noNaN: true }),
        (ticks, isLearned, hz) => {
          const pairs = toPairs(ticks);
          const rate = { ticksPerS: hz, isLearned };
          const judged = judgeFreshPour(pairs, {
            ...{ openRate: rate, gas: findGas(pairs, rate), allowedTicks, hasExactStamps: true },
          });
          expect(judged.foamTicks).toBeGreaterThanOrEqual(0);
          expect(judged.foamTicks + (judged.gas?.ticks ?? 0)).toBeLessThanOrEqual(sumTicks(pairs));
        },
      ),
      { numRuns: 500 },
    );
  });
});
