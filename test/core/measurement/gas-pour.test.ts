import { describe, expect, test } from 'vitest';
import { findSputteringGas, isGasPour } from '../../../src/core/measurement/gas-pour.ts';
import { sumTicks } from '../../../src/core/pours/tick-series.ts';

/** 60 mL/s through a meter of 5.4 ticks per millilitre. */
const openRate = { ticksPerS: 324, isLearned: true };

/** Bins of 100 ms with so many ticks each. */
const toPairs = (counts: readonly number[]) => counts.map((ticks, i) => ({ ms: i * 100, ticks }));
const repeat = (times: number, ...counts: readonly number[]) =>
  Array.from({ length: times }, () => counts).flat();
/** Gas carries drops along. */
const sputtering = (bins: number, mean: number) =>
  repeat(bins / 4, 0.75 * mean, 1.2 * mean, 0.85 * mean, 1.2 * mean).map(Math.round);

describe('a pour that is fast from its first tick', () => {
  const judge = (counts: readonly number[], change: Partial<Parameters<typeof isGasPour>[1]> = {}) =>
    isGasPour(toPairs(counts), {
      openRate,
      durationMs: counts.length * 100,
      isSuspected: false,
      hasExactStamps: true,
      ...change,
    });

  test('is beer when it is even: a hand opened further than any before', () => {
    expect(judge(repeat(40, 65))).toBe(false);
    expect(judge(repeat(40, 100))).toBe(false);
  });

  test('is gas when it sputters', () => {
    expect(judge(sputtering(40, 65))).toBe(true);
  });

  test('is beer when it sputters no faster than the tap is: foam', () => {
    expect(judge(sputtering(40, 40))).toBe(false);
  });

  test('is gas when gas came out of this keg before, however even it is', () => {
    expect(judge(repeat(40, 65), { isSuspected: true })).toBe(true);
    expect(judge(repeat(40, 33), { isSuspected: true })).toBe(false);
    const unknown = { openRate: { ...openRate, isLearned: false }, isSuspected: true };
    expect(judge(repeat(40, 65), unknown)).toBe(true);
  });

  test('is beer where the tap’s rate is not known, or ticks come in batches', () => {
    expect(judge(sputtering(40, 65), { openRate: { ...openRate, isLearned: false } })).toBe(false);
    expect(judge(sputtering(40, 65), { hasExactStamps: false })).toBe(false);
  });

  test('is beer when it is too short to tell', () => {
    expect(judge(sputtering(8, 65), { durationMs: 700, isSuspected: true })).toBe(false);
  });
});

describe('after the beer of a tap that is half open', () => {
  const find = (counts: readonly number[], certainTicks = 0) =>
    findSputteringGas(toPairs(counts), { openRate, certainTicks });
  const half = repeat(30, 16);

  test('gas of twice that rate is found by its sputtering, although it is no faster than an open tap', () => {
    const gas = sputtering(40, 32);
    const found = find([...half, ...gas])!;
    expect(found).toMatchObject({ class: 'gas', onsetMs: expect.closeTo(3_000, -3) });
    expect(Math.abs(found.ticks / sumTicks(toPairs(gas)) - 1)).toBeLessThan(0.1);
    expect(found.ratio).toBeCloseTo(1, 0);
  });

  test('a hand that opens fully is beer', () => {
    expect(find([...half, ...repeat(40, 32)])).toBeNull();
    expect(find(half)).toBeNull();
  });

  test('nothing is gas while the keg certainly has beer', () => {
    expect(find([...half, ...sputtering(40, 32)], 10_000)).toBeNull();
  });

  test('a pour that begins at the tap’s rate is not judged by its own', () => {
    expect(find([...repeat(30, 33), ...sputtering(40, 66)])).toBeNull();
  });
});
