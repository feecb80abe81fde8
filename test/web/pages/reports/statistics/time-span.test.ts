import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeSpan } from '../../../../../src/web/pages/reports/statistics/time-span.ts';

const minute = 60;
const hour = 60 * minute;
/** Thursday 21 May 2026, 20:00, Unix seconds. */
const eight = Date.UTC(2026, 4, 21, 20) / 1000;

test.each([
  ['an old single reading is in the middle of its hour', [eight, eight], 9 * hour, [-30, 30]],
  ['a single reading of this minute is at the end of its hour', [eight, eight], 0, [-60, 0]],
  ['a single reading of ten minutes ago: the axis ends now', [eight, eight], 10 * minute, [-50, 10]],
  ['twenty minutes are in the middle of their hour', [eight, eight + 20 * minute], hour, [-20, 40]],
  ['one hour stays one hour', [eight, eight + hour], 9 * hour, [0, 60]],
  ['four hours stay as they are', [eight, eight + 4 * hour], 4 * hour, [0, 240]],
  ['shows all readings when the browser’s clock is behind', [eight, eight + 5 * minute], -hour, [-55, 5]],
] as const)('%s', (_what, [first, last], sinceEight, minutes) => {
  const span = timeSpan(first, last, eight + sinceEight);
  expect(span.map((end) => (end - eight) / minute)).toEqual(minutes);
});

test('every span of readings lies within an axis of an hour or more', () => {
  const seconds = fc.integer({ min: 0, max: 100_000 });
  fc.assert(
    fc.property(seconds, seconds, seconds, (first, more, now) => {
      const [from, to] = timeSpan(first, first + more, now);
      expect(from).toBeLessThanOrEqual(first);
      expect(to).toBeGreaterThanOrEqual(first + more);
      expect(to - from).toBe(Math.max(hour, more));
    }),
  );
});
