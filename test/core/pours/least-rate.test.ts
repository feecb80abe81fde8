import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LeastRate, reachesRate } from '../../../src/core/pours/least-rate.ts';

/** Whether a flow of so many ticks per second reaches the rate. */
function reaches(hz: number, minTicksPerS: number, ticks = 60): boolean {
  const rate = new LeastRate(minTicksPerS);
  for (let i = 0; i < ticks; i++) rate.add((i * 1_000) / hz);
  return rate.isReached;
}

test('60 ticks at 5 Hz through an SF800 are no pour, at 10 mL/s they are', () => {
  expect(reaches(5, 2 * 5.4)).toBe(false);
  expect(reaches(54, 2 * 5.4)).toBe(true);
});

test('a meter that ticks once a second at the least flow is judged by three gaps', () => {
  expect(reaches(0.5, 0.9)).toBe(false);
  expect(reaches(1, 0.9)).toBe(true);
});

test('one gush of two ticks is not a rate, a second of flow within a trickle is', () => {
  const trickle = Array.from({ length: 40 }, (_, i) => i * 400);
  const withGush = [...trickle, 16_010, 16_020].map((ms) => ({ ms, ticks: 1 }));
  expect(reachesRate(withGush, 10.8)).toBe(false);
  const withPour = [...trickle, ...Array.from({ length: 20 }, (_, i) => 16_000 + i * 50)];
  expect(
    reachesRate(
      withPour.map((ms) => ({ ms, ticks: 1 })),
      10.8,
    ),
  ).toBe(true);
});

test('a few ticks that are a pour by their number are judged by the time between first and last', () => {
  expect(reaches(20, 10.8, 5)).toBe(true);
  expect(reaches(5, 10.8, 5)).toBe(false);
});

test('property: a steady flow reaches every rate below its own, and none above', () => {
  const hz = fc.double({ min: 0.2, max: 400, noNaN: true });
  fc.assert(
    fc.property(
      hz,
      fc.double({ min: 0.1, max: 100, noNaN: true }),
      fc.integer({ min: 2, max: 300 }),
      (flow, least, ticks) => {
        fc.pre(Math.abs(flow / least - 1) > 1e-6);
        expect(reaches(flow, least, ticks)).toBe(flow > least);
      },
    ),
  );
});
