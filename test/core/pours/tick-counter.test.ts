import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TickCounter } from '../../../src/core/pours/tick-counter.ts';

const board = (maxJump = 1_000) => new TickCounter({ maxJump });

test('the first reading is the baseline and counts no tick', () => {
  expect(board().read(123_456)).toEqual({ kind: 'baseline' });
});

test('ticks are the growth of the total', () => {
  const counter = board();
  counter.read(100);
  expect(counter.read(160)).toEqual({ kind: 'counted', ticks: 60 });
  expect(counter.read(160)).toEqual({ kind: 'counted', ticks: 0 });
  expect(counter.read(161)).toEqual({ kind: 'counted', ticks: 1 });
});

test('a counter wrap during a pour loses no tick', () => {
  const counter = board();
  counter.read(4_294_967_290);
  expect(counter.read(5)).toEqual({ kind: 'counted', ticks: 11 });
});

test('a board that restarted at zero has counted its total since', () => {
  const counter = board();
  counter.read(0);
  counter.read(100);
  expect(counter.read(50)).toEqual({ kind: 'restarted', ticks: 50 });
  expect(counter.read(60)).toEqual({ kind: 'counted', ticks: 10 });
});

test('a board that reports a restart is counted from zero, even past its old total', () => {
  const counter = board();
  counter.read(20);
  counter.reset();
  expect(counter.read(45)).toEqual({ kind: 'counted', ticks: 45 });
});

test('a reported restart before the first reading makes zero the baseline', () => {
  const counter = board();
  counter.reset();
  expect(counter.read(7)).toEqual({ kind: 'counted', ticks: 7 });
});

test('an implausible jump is reported and not counted', () => {
  const counter = board();
  counter.read(100);
  expect(counter.read(70_000)).toEqual({ kind: 'jumped', ticks: 69_900 });
});

test('one wrong total between two right ones loses no tick', () => {
  const counter = board();
  counter.read(255);
  expect(counter.read(255 + 65_536)).toEqual({ kind: 'jumped', ticks: 65_536 });
  expect(counter.read(260)).toEqual({ kind: 'counted', ticks: 5 });
});

test('a total that fell too far for a restart is a jump too', () => {
  const counter = board();
  counter.read(80_000);
  expect(counter.read(14_464)).toEqual({ kind: 'jumped', ticks: -65_536 });
  expect(counter.read(80_002)).toEqual({ kind: 'counted', ticks: 2 });
});

test('a total that continues from its new value becomes the base', () => {
  const counter = board();
  counter.read(100);
  counter.read(70_000);
  expect(counter.read(70_004)).toEqual({ kind: 'counted', ticks: 4 });
  expect(counter.read(70_010)).toEqual({ kind: 'counted', ticks: 6 });
});

test('the caller may pass a wider or narrower limit for a silent board', () => {
  const counter = board();
  counter.read(0);
  expect(counter.read(4_000, 5_000)).toEqual({ kind: 'counted', ticks: 4_000 });
  expect(counter.read(4_256, 80)).toEqual({ kind: 'jumped', ticks: 256 });
});

test.each([-1, 0.5, 2 ** 32, Number.NaN, Number.POSITIVE_INFINITY])('ignores a total of %d', (total) => {
  const counter = board();
  counter.read(10);
  expect(counter.read(total)).toEqual({ kind: 'unusable' });
  expect(counter.read(12)).toEqual({ kind: 'counted', ticks: 2 });
});

test('property: ticks are counted from any value and across any number of wraps', () => {
  const start = fc.oneof(
    fc.nat({ max: 2 ** 31 - 1 }),
    fc.integer({ min: 2 ** 32 - 3_000, max: 2 ** 32 - 1 }),
  );
  const gains = fc.array(fc.nat({ max: 1_000 }));
  fc.assert(
    fc.property(start, gains, (start, gains) => {
      const counter = board();
      counter.read(start);
      let total = start;
      let counted = 0;
      for (const gain of gains) {
        total = (total + gain) % 2 ** 32;
        const step = counter.read(total);
        if (step.kind === 'counted') counted += step.ticks;
      }
      expect(counted).toBe(gains.reduce((sum, gain) => sum + gain, 0));
    }),
  );
});

test('property: no reading counts more ticks than the limit', () => {
  const totals = fc.array(
    fc.oneof(fc.nat({ max: 3_000 }), fc.integer({ min: -5, max: 2 ** 32 + 5 }), fc.double()),
  );
  fc.assert(
    fc.property(totals, (totals) => {
      const counter = board();
      for (const total of totals) {
        const step = counter.read(total);
        if (step.kind !== 'counted' && step.kind !== 'restarted') continue;
        expect(step.ticks).toBeGreaterThanOrEqual(0);
        expect(step.ticks).toBeLessThanOrEqual(1_000);
      }
    }),
  );
});
