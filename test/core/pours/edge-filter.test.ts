import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEdgeFilter } from '../../../src/core/pours/edge-filter.ts';
import { cutAnywhere } from './arbitrary-batches.ts';

test('every edge without bounce is a tick', () => {
  const filter = createEdgeFilter({ minGapMs: 1.2 });
  expect(filter.accept([0, 3, 6, 9])).toEqual([0, 3, 6, 9]);
  expect(filter.rejected).toBe(0);
});

test('contact bounce within the gap counts once', () => {
  const filter = createEdgeFilter({ minGapMs: 1.2 });
  expect(filter.accept([100, 100.2, 100.9, 103, 103.1])).toEqual([100, 103]);
  expect(filter.rejected).toBe(3);
});

test('the gap is measured from the last counted edge, so long bounce does not suppress the next tick', () => {
  const filter = createEdgeFilter({ minGapMs: 1.2 });
  expect(filter.accept([0, 0.5, 1, 1.5, 2])).toEqual([0, 1.5]);
});

test('an edge exactly one gap later is a tick', () => {
  const filter = createEdgeFilter({ minGapMs: 2 });
  expect(filter.accept([10, 12, 13])).toEqual([10, 12]);
});

test('bounce in the next drain is still rejected', () => {
  const filter = createEdgeFilter({ minGapMs: 1.2 });
  filter.accept([50]);
  expect(filter.accept([50.4, 53])).toEqual([53]);
  expect(filter.rejected).toBe(1);
});

test('a tick delivered late counts, and stamps do not decrease', () => {
  const filter = createEdgeFilter({ minGapMs: 1.2 });
  expect(filter.accept([100, 110, 105, 110.5, 113])).toEqual([100, 110, 110, 113]);
  expect(filter.rejected).toBe(1);
});

test('with a gap of zero nothing is rejected', () => {
  const filter = createEdgeFilter({ minGapMs: 0 });
  expect(filter.accept([5, 5, 4, 6])).toEqual([5, 5, 5, 6]);
});

test('a stamp that is not a number affects neither the count nor later edges', () => {
  const filter = createEdgeFilter({ minGapMs: 1.2 });
  expect(filter.accept([Number.NaN, 10, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 20])).toEqual([
    10, 20,
  ]);
  expect(filter.rejected).toBe(3);
});

test('property: ticks and rejected edges add up to all edges, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.double()), fc.double({ min: 0, max: 100, noNaN: true }), (stamps, minGapMs) => {
      const filter = createEdgeFilter({ minGapMs });
      const ticks = filter.accept(stamps);
      expect(ticks.length + filter.rejected).toBe(stamps.length);
      expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
    }),
  );
});

test('property: batch boundaries change no tick', () => {
  const edges = fc.array(fc.double({ min: -2, max: 5, noNaN: true }), { maxLength: 200 });
  fc.assert(
    fc.property(edges, cutAnywhere, (gaps, cuts) => {
      let at = 1_000;
      const stamps = gaps.map((gap) => {
        at += gap;
        return at;
      });
      const whole = createEdgeFilter({ minGapMs: 1.2 });
      const drained = createEdgeFilter({ minGapMs: 1.2 });
      expect(cuts(stamps).flatMap((batch) => drained.accept(Float64Array.from(batch)))).toEqual(
        whole.accept(stamps),
      );
      expect(drained.rejected).toBe(whole.rejected);
    }),
  );
});
