import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMainsHz, isEcho, pulseHz, pulseShape } from '../../../src/core/pours/pulse-shape.ts';

const limits = { minGapMs: 1.2, noiseShare: 0.2 };

/** Pulses with gaps given by a function. */
function train(count: number, gapMs: (i: number) => number, fromMs = 1_000): number[] {
  const stamps: number[] = [];
  for (let i = 0, at = fromMs; i < count; i++, at += gapMs(i)) stamps.push(at);
  return stamps;
}

test('a turning wheel is steady, at a trickle and at full flow', () => {
  for (const hz of [5, 50, 300, 800])
    expect(
      pulseShape(
        train(100, () => 1_000 / hz),
        limits,
      ),
    ).toBe('steady');
});

test('no pulses are quiet, and a few are too few', () => {
  expect(pulseShape([], limits)).toBe('quiet');
  expect(
    pulseShape(
      train(12, () => 10),
      limits,
    ),
  ).toBe('few');
});

test('pauses between pours are not noise', () => {
  const stamps = [1_000, 9_000, 30_000].flatMap((fromMs) => train(30, () => 4, fromMs));
  expect(pulseShape(stamps, limits)).toBe('steady');
});

test('a bouncing contact is classified as bounce', () => {
  expect(
    pulseShape(
      train(100, (i) => (i % 2 === 0 ? 0.3 : 4)),
      limits,
    ),
  ).toBe('bounce');
});

test('a wheel with four uneven magnets is steady', () => {
  const magnets = [2, 9, 4, 6];
  expect(
    pulseShape(
      train(100, (i) => magnets[i % 4]!),
      limits,
    ),
  ).toBe('steady');
});

test('a wheel with 33 % jitter is steady at any speed', () => {
  const jitter = fc.array(fc.double({ min: -0.33, max: 0.33, noNaN: true }), {
    minLength: 40,
    maxLength: 200,
  });
  fc.assert(
    fc.property(fc.double({ min: 3, max: 450, noNaN: true }), jitter, (hz, shares) => {
      const stamps = train(shares.length, (i) => (1_000 / hz) * (1 + shares[i]!));
      return pulseShape(stamps, limits) === 'steady';
    }),
  );
});

/** Uniform random numbers, repeatable by seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
}

test('random pulses are stray or bounce, never steady', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 10, max: 600 }), (seed, hz) => {
      const random = randomNumbers(seed);
      const stamps = train(200, () => (-Math.log(random()) * 1_000) / hz);
      return ['stray', 'bounce'].includes(pulseShape(stamps, limits));
    }),
    { numRuns: 500 },
  );
});

test('the mains are detected by their exact frequency', () => {
  expect(findMainsHz(train(100, () => 20))).toBe(50);
  expect(findMainsHz(train(100, (i) => 20 + (i % 5) * 0.4))).toBeNull();
  expect(findMainsHz(train(100, () => 3))).toBeNull();
});

test('crosstalk between cables is detected, and two simultaneous pours are not crosstalk', () => {
  const left = train(100, (i) => 3 + (i % 7) * 0.2);
  const crosstalk = left.filter((_, i) => i % 3 === 0).map((at) => at + 0.05);
  expect(isEcho(crosstalk, left)).toBe(true);
  expect(isEcho(left, crosstalk)).toBe(false);
  const right = train(100, (i) => 3.3 + (i % 5) * 0.3);
  expect(isEcho(right, left)).toBe(false);
  expect(isEcho(left.slice(0, 5), left)).toBe(false);
});

test('pulses are an echo of themselves, and not of pulses shifted by half a gap', () => {
  const gaps = fc.array(fc.double({ min: 1.5, max: 50, noNaN: true }), { minLength: 10, maxLength: 200 });
  fc.assert(
    fc.property(gaps, (some) => {
      const stamps = train(some.length, (i) => some[i]!);
      const beside = stamps.map((at, i) => at + (some[i] ?? 10) / 2);
      return isEcho(stamps, stamps) && !isEcho(beside, stamps);
    }),
  );
});

test('the rate counts the last second', () => {
  const stamps = train(300, () => 10);
  expect(pulseHz(stamps, 4_000)).toBe(99);
  expect(pulseHz(stamps, 3_500)).toBeGreaterThanOrEqual(100);
  expect(pulseHz(stamps, 9_000)).toBe(0);
});
