import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMainsHz, isEcho, pulseHz, pulseShape } from '../../src/core/pulse-shape.ts';

const limits = { minGapMs: 1.2, noiseShare: 0.2 };

/** Pulses whose gaps are given by a rule. */
function train(count: number, gapMs: (i: number) => number, fromMs = 1_000): number[] {
  const stamps: number[] = [];
  for (let i = 0, at = fromMs; i < count; i++, at += gapMs(i)) stamps.push(at);
  return stamps;
}

test('a wheel that turns is steady, at a trickle and at full flow', () => {
  for (const hz of [5, 50, 300, 800])
    expect(
      pulseShape(
        train(100, () => 1_000 / hz),
        limits,
      ),
    ).toBe('steady');
});

test('nothing is quiet, and a sip says too little', () => {
  expect(pulseShape([], limits)).toBe('quiet');
  expect(
    pulseShape(
      train(12, () => 10),
      limits,
    ),
  ).toBe('few');
});

test('glasses poured one after the other are no noise for the pauses between them', () => {
  const stamps = [1_000, 9_000, 30_000].flatMap((fromMs) => train(30, () => 4, fromMs));
  expect(pulseShape(stamps, limits)).toBe('steady');
});

test('a chattering contact bounces: every other edge comes faster than a wheel turns', () => {
  expect(
    pulseShape(
      train(100, (i) => (i % 2 === 0 ? 0.3 : 4)),
      limits,
    ),
  ).toBe('bounce');
});

test('a wheel with four magnets set unevenly is still a wheel', () => {
  const magnets = [2, 9, 4, 6];
  expect(
    pulseShape(
      train(100, (i) => magnets[i % 4]!),
      limits,
    ),
  ).toBe('steady');
});

test('a wheel that jitters by a third is steady, whatever its speed', () => {
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

/** Even chances, dealt again in the same order for the same seed (mulberry32). */
function chancesOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
}

test('pulses that remember nothing are stray or bounce, and never a wheel', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 10, max: 600 }), (seed, hz) => {
      const chance = chancesOf(seed);
      const stamps = train(200, () => (-Math.log(chance()) * 1_000) / hz);
      return ['stray', 'bounce'].includes(pulseShape(stamps, limits));
    }),
    { numRuns: 500 },
  );
});

test('the mains are known by keeping time better than beer does', () => {
  expect(findMainsHz(train(100, () => 20))).toBe(50);
  expect(findMainsHz(train(100, (i) => 20 + (i % 5) * 0.4))).toBeNull();
  expect(findMainsHz(train(100, () => 3))).toBeNull();
});

test('pulses of one cable are heard in the other, and two glasses at once are not', () => {
  const left = train(100, (i) => 3 + (i % 7) * 0.2);
  const heard = left.filter((_, i) => i % 3 === 0).map((at) => at + 0.05);
  expect(isEcho(heard, left)).toBe(true);
  expect(isEcho(left, heard)).toBe(false);
  const right = train(100, (i) => 3.3 + (i % 5) * 0.3);
  expect(isEcho(right, left)).toBe(false);
  expect(isEcho(left.slice(0, 5), left)).toBe(false);
});

test('a train is always its own echo, and none of one that lies half a gap beside it', () => {
  const gaps = fc.array(fc.double({ min: 1.5, max: 50, noNaN: true }), { minLength: 10, maxLength: 200 });
  fc.assert(
    fc.property(gaps, (some) => {
      const stamps = train(some.length, (i) => some[i]!);
      const beside = stamps.map((at, i) => at + (some[i] ?? 10) / 2);
      return isEcho(stamps, stamps) && !isEcho(beside, stamps);
    }),
  );
});

test('the rate is what fell within the last second', () => {
  const stamps = train(300, () => 10);
  expect(pulseHz(stamps, 4_000)).toBe(99);
  expect(pulseHz(stamps, 3_500)).toBeGreaterThanOrEqual(100);
  expect(pulseHz(stamps, 9_000)).toBe(0);
});
