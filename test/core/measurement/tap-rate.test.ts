import { describe, expect, test } from 'vitest';
import { bestRate, finestTicksPerMl, toOpenRate } from '../../../src/core/measurement/tap-rate.ts';

const meter = { ticksPerMl: 2, isCalibrated: true, modelHz: null } as const;

describe('the open rate of a tap', () => {
  test('is the highest of its clean pours: one hand of many shows how fast it is', () => {
    const rates = [60, 60, 61, 60, 60, 60, 122, 60, 60, 60, 60];
    expect(toOpenRate(rates, meter)).toEqual({ ticksPerS: 122, isLearned: true, defaultBy: null, pours: 11 });
  });

  test('is 75 mL/s by the calibration before ten pours, and says so', () => {
    expect(toOpenRate([120, 121], meter)).toEqual({
      ticksPerS: 150,
      isLearned: false,
      defaultBy: 'calibration',
      pours: 2,
    });
  });

  test('is that of the meter’s model where it is known, unless the calibration gives a higher one', () => {
    const known = { ...meter, modelHz: 160 };
    expect(toOpenRate([], known)).toEqual({
      ticksPerS: 160,
      isLearned: false,
      defaultBy: 'model',
      pours: 0,
    });
    expect(toOpenRate([], { ...known, ticksPerMl: 4 })).toMatchObject({ ticksPerS: 300, defaultBy: 'model' });
    const guessed = { ...known, ticksPerMl: 4, isCalibrated: false };
    expect(toOpenRate([], guessed)).toMatchObject({ ticksPerS: 160, defaultBy: 'model' });
  });

  test('is at least that of the fastest pour before ten pours', () => {
    expect(toOpenRate([120, 260], meter)).toMatchObject({ ticksPerS: 260, isLearned: false });
  });

  test('is that of the finest meter in use where neither model nor calibration is known, until ten pours', () => {
    const unknown = { ticksPerMl: 2.724, isCalibrated: false, modelHz: null };
    expect(toOpenRate([300], unknown)).toEqual({
      ticksPerS: 75 * finestTicksPerMl,
      isLearned: false,
      defaultBy: 'any_meter',
      pours: 1,
    });
    expect(toOpenRate(Array(10).fill(300), unknown)).toMatchObject({ ticksPerS: 300, isLearned: true });
  });
});

describe('the best half second of a pour', () => {
  const pairs = (counts: readonly number[], binMs = 100) =>
    counts.flatMap((ticks, i) => (ticks === 0 ? [] : [{ ms: i * binMs, ticks }]));

  test('is the five neighbouring buckets with most ticks', () => {
    expect(bestRate(pairs([1, 2, 10, 10, 10, 10, 10, 2, 1, 1, 1]), 1_100)).toBe(100);
  });

  test('does not add buckets across a pause', () => {
    expect(bestRate(pairs([10, 10, 10, 0, 0, 0, 10, 10, 10]), 1_000)).toBe(60);
  });

  test('is measured over whole buckets of a long pour', () => {
    expect(bestRate(pairs([20, 40, 40, 40, 20], 200), 1_000)).toBe(200);
  });

  test('is unknown for a pour of less than a second', () => {
    expect(bestRate(pairs([10, 10, 10]), 300)).toBeNull();
  });
});
