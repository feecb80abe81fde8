import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkFlow, checkReportedVolume, findDoubts } from '../../../src/core/pours/pour-judgement.ts';

const plain = {
  ticks: 900,
  rejectedEdges: 0,
  reachedMaxDuration: false,
  simultaneous: false,
  noiseShare: 0.2,
};

test('a plausible pour has no doubts', () => {
  expect(findDoubts(plain)).toEqual([]);
});

test('a quarter of the edges rejected is noise, a fifth is not', () => {
  expect(findDoubts({ ...plain, rejectedEdges: 300 })).toEqual(['electrical_noise']);
  expect(findDoubts({ ...plain, rejectedEdges: 225 })).toEqual([]);
});

test('a small pour with a few rejected edges is accepted', () => {
  expect(findDoubts({ ...plain, ticks: 3, rejectedEdges: 9 })).toEqual([]);
  expect(findDoubts({ ...plain, ticks: 3, rejectedEdges: 10 })).toEqual(['electrical_noise']);
});

test('reports the maximum duration and simultaneous bursts as doubts of their own', () => {
  expect(findDoubts({ ...plain, reachedMaxDuration: true })).toEqual(['no_end']);
  expect(findDoubts({ ...plain, simultaneous: true })).toEqual(['simultaneous']);
  expect(findDoubts({ ...plain, rejectedEdges: 900, reachedMaxDuration: true, simultaneous: true })).toEqual([
    'simultaneous',
    'electrical_noise',
    'no_end',
  ]);
});

test('half a litre in 8 s is possible, in 2 s it is not', () => {
  expect(checkFlow({ volumeMl: 500, durationMs: 8_000, maxFlowMlPerS: 200 })).toBeNull();
  expect(checkFlow({ volumeMl: 500, durationMs: 2_000, maxFlowMlPerS: 200 })).toBe('impossible_flow');
});

test('a mean flow of exactly the limit is accepted', () => {
  expect(checkFlow({ volumeMl: 400, durationMs: 2_000, maxFlowMlPerS: 200 })).toBeNull();
});

test("three ticks cover two gaps: the first tick's share is left out", () => {
  // 3 ticks of 2 mL at 100 mL/s: 20 ms apart, 40 ms in all. Without the correction it would read 150 mL/s.
  const smallPour = { volumeMl: 6, durationMs: 40, maxFlowMlPerS: 101 };
  expect(checkFlow({ ...smallPour, ticks: 3 })).toBeNull();
  expect(checkFlow(smallPour)).toBe('impossible_flow');
});

test('a pour of one instant is judged by the resolution of its stamps', () => {
  expect(checkFlow({ volumeMl: 1, durationMs: 0, maxFlowMlPerS: 200 })).toBeNull();
  expect(checkFlow({ volumeMl: 10, durationMs: 0, maxFlowMlPerS: 200 })).toBe('impossible_flow');
  expect(checkFlow({ volumeMl: 10, durationMs: 0, maxFlowMlPerS: 200, stampResolutionMs: 100 })).toBeNull();
  expect(
    checkFlow({ volumeMl: 9, durationMs: 0, maxFlowMlPerS: 200, ticks: 1, stampResolutionMs: 0 }),
  ).toBeNull();
});

test('another controller may report up to 100 L', () => {
  expect(checkReportedVolume({ volumeMl: 100_000 })).toBeNull();
  expect(checkReportedVolume({ volumeMl: 100_000.1 })).toBe('too_large');
  expect(checkReportedVolume({ volumeMl: 600, maxVolumeMl: 500 })).toBe('too_large');
});

test('property: a slower pour is never more doubtful', () => {
  const amount = fc.double({ min: 0, max: 100_000, noNaN: true });
  const duration = fc.integer({ min: 0, max: 300_000 });
  fc.assert(
    fc.property(amount, duration, duration, fc.integer({ min: 1, max: 9_999 }), (volumeMl, a, b, ticks) => {
      const judged = (durationMs: number) => checkFlow({ volumeMl, durationMs, maxFlowMlPerS: 200, ticks });
      if (judged(Math.min(a, b)) === null) expect(judged(Math.max(a, b))).toBeNull();
    }),
  );
});
