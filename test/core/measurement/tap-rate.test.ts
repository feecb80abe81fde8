import { describe, expect, test } from 'vitest';
import { bestRate, toOpenRate } from '../../../src/core/measurement/tap-rate.ts';

const meter = { ticksPerMl: 2, isCalibrated: true } as const;

describe('the open rate of a tap', () => {
  test('is the 75th percentile of its clean pours, so that throttled ones do not lower it', () => {
    const rates = [60, 60, 60, 60, 60, 120, 121, 122, 123, 124, 125];
    expect(toOpenRate(rates, meter)).toEqual({ ticksPerS: 122, isLearned: true });
  });

  test('is the default of the meter before ten pours, and says so', () => {
    expect(toOpenRate([120, 121], meter)).toEqual({ ticksPerS: 150, isLearned: false });
  });

  test('is at least that of the fastest pour before ten pours', () => {
    expect(toOpenRate([120, 260], meter)).toEqual({ ticksPerS: 260, isLearned: false });
  });

  test('is unknown for a meter whose factor is a guess, until ten pours', () => {
    const unknown = { ticksPerMl: 2.724, isCalibrated: false };
    expect(toOpenRate([300], unknown)).toBeNull();
    expect(toOpenRate(Array(10).fill(300), unknown)).toEqual({ ticksPerS: 300, isLearned: true });
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
