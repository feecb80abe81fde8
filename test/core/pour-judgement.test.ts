import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkFlow, checkReportedVolume, findDoubts } from '../../src/core/pour-judgement.ts';

const plain = { ticks: 900, rejectedEdges: 0, ranOut: false, simultaneous: false, noiseShare: 0.2 };

test('a plain pour raises no doubt', () => {
  expect(findDoubts(plain)).toEqual([]);
});

test('a pour with a quarter of its edges refused is noise, one with a fifth is not', () => {
  expect(findDoubts({ ...plain, rejectedEdges: 300 })).toEqual(['electrical_noise']);
  expect(findDoubts({ ...plain, rejectedEdges: 225 })).toEqual([]);
});

test('a sip whose contact chattered a few times is a sip', () => {
  expect(findDoubts({ ...plain, ticks: 3, rejectedEdges: 9 })).toEqual([]);
  expect(findDoubts({ ...plain, ticks: 3, rejectedEdges: 10 })).toEqual(['electrical_noise']);
});

test('a pour without end and a burst on all lines are doubted for what they are', () => {
  expect(findDoubts({ ...plain, ranOut: true })).toEqual(['no_end']);
  expect(findDoubts({ ...plain, simultaneous: true })).toEqual(['simultaneous']);
  expect(findDoubts({ ...plain, rejectedEdges: 900, ranOut: true, simultaneous: true })).toEqual([
    'simultaneous',
    'electrical_noise',
    'no_end',
  ]);
});

test('half a litre in eight seconds is beer, in two seconds it is not', () => {
  expect(checkFlow({ volumeMl: 500, durationMs: 8_000, maxFlowMlPerS: 200 })).toBeNull();
  expect(checkFlow({ volumeMl: 500, durationMs: 2_000, maxFlowMlPerS: 200 })).toBe('impossible_flow');
});

test('a mean of exactly the limit is still beer', () => {
  expect(checkFlow({ volumeMl: 400, durationMs: 2_000, maxFlowMlPerS: 200 })).toBeNull();
});

test('three ticks cover two gaps: the first tick came with no time of its own', () => {
  // 3 ticks of 2 mL at 100 mL/s: 20 ms apart, 40 ms in all. Without the correction it would read 150 mL/s.
  const sip = { volumeMl: 6, durationMs: 40, maxFlowMlPerS: 101 };
  expect(checkFlow({ ...sip, ticks: 3 })).toBeNull();
  expect(checkFlow(sip)).toBe('impossible_flow');
});

test('a pour of one instant is judged by the grain of its stamps', () => {
  expect(checkFlow({ volumeMl: 1, durationMs: 0, maxFlowMlPerS: 200 })).toBeNull();
  expect(checkFlow({ volumeMl: 10, durationMs: 0, maxFlowMlPerS: 200 })).toBe('impossible_flow');
  expect(checkFlow({ volumeMl: 10, durationMs: 0, maxFlowMlPerS: 200, stampGrainMs: 100 })).toBeNull();
  expect(checkFlow({ volumeMl: 9, durationMs: 0, maxFlowMlPerS: 200, ticks: 1, stampGrainMs: 0 })).toBeNull();
});

test('another controller may report a hundred litres and not a drop more', () => {
  expect(checkReportedVolume({ volumeMl: 100_000 })).toBeNull();
  expect(checkReportedVolume({ volumeMl: 100_000.1 })).toBe('too_large');
  expect(checkReportedVolume({ volumeMl: 600, maxVolumeMl: 500 })).toBe('too_large');
});

test('law: slower is never more doubtful', () => {
  const amount = fc.double({ min: 0, max: 100_000, noNaN: true });
  const duration = fc.integer({ min: 0, max: 300_000 });
  fc.assert(
    fc.property(amount, duration, duration, fc.integer({ min: 1, max: 9_999 }), (volumeMl, a, b, ticks) => {
      const judged = (durationMs: number) => checkFlow({ volumeMl, durationMs, maxFlowMlPerS: 200, ticks });
      if (judged(Math.min(a, b)) === null) expect(judged(Math.max(a, b))).toBeNull();
    }),
  );
});
