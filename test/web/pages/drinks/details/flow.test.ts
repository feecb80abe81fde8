import { expect, test } from 'vitest';
import { toFlow } from '../../../../../src/web/pages/drinks/details/flow.ts';

test('the flow is the volume of each interval, with the gaps', () => {
  // 10 ticks of 100 mL in all: 5 in the first tenth of a second, none in the second, 5 in the third.
  const series = [
    { ms: 0, ticks: 5 },
    { ms: 200, ticks: 5 },
  ];
  expect(toFlow(series, 100)).toEqual([
    { startMs: 0, mlPerS: 500 },
    { startMs: 100, mlPerS: 0 },
    { startMs: 200, mlPerS: 500 },
  ]);
});

test('a long pour has at most 60 intervals and keeps its volume', () => {
  const series = Array.from({ length: 250 }, (_, index) => ({ ms: index * 1_200, ticks: 4 }));
  const flow = toFlow(series, 3_000);
  expect(flow.length).toBeLessThanOrEqual(60);
  const widthMs = flow[1]!.startMs;
  const sumMl = flow.reduce((sum, { mlPerS }) => sum + (mlPerS * widthMs) / 1000, 0);
  expect(sumMl).toBeCloseTo(3_000, 6);
});

test('gas is shown as fast as it turned the wheel, and adds nothing to the flow of the beer', () => {
  const series = [
    { ms: 0, ticks: 5 },
    { ms: 100, ticks: 5 },
    { ms: 200, ticks: 15 },
  ];
  expect(toFlow(series, 100, 15).map(({ mlPerS }) => mlPerS)).toEqual([500, 500, 1_500]);
  expect(toFlow(series, 0, 25)).toEqual([]);
});

test('without at least two times there is no flow', () => {
  expect(toFlow([], 300)).toEqual([]);
  expect(toFlow([{ ms: 0, ticks: 9 }], 300)).toEqual([]);
});
