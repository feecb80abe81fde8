import { expect, test } from 'vitest';
import { openingSpanAt } from '../../../src/core/clock/opening-span.ts';

const may = (day: number, hour: number) => Date.UTC(2026, 4, day, hour);
const spanAt = (ms: number, from: string, until: string, zone = 'UTC') =>
  openingSpanAt(ms, { from, until }, zone);

test('while the bar is open, and on the same day before, it is the opening of that day', () => {
  const span = { opensMs: may(2, 10), closesMs: may(2, 14) };
  expect(spanAt(may(2, 3), '10:00', '14:00')).toEqual(span);
  expect(spanAt(may(2, 10), '10:00', '14:00')).toEqual(span);
  expect(spanAt(may(2, 14) - 1, '10:00', '14:00')).toEqual(span);
});

test('after closing it is the opening of the next day', () => {
  expect(spanAt(may(2, 14), '10:00', '14:00')).toEqual({ opensMs: may(3, 10), closesMs: may(3, 14) });
});

test('after midnight the opening that began the day before still runs', () => {
  expect(spanAt(may(2, 1), '18:00', '02:00')).toEqual({ opensMs: may(1, 18), closesMs: may(2, 2) });
  expect(spanAt(may(2, 2), '18:00', '02:00')).toEqual({ opensMs: may(2, 18), closesMs: may(3, 2) });
});

test('hours are those of the clock on the wall: the night of the change has an hour less', () => {
  const span = spanAt(Date.UTC(2026, 2, 28, 20), '18:00', '06:00', 'Europe/Berlin');
  expect(span).toEqual({ opensMs: Date.UTC(2026, 2, 28, 17), closesMs: Date.UTC(2026, 2, 29, 4) });
});

test('a bar without hours, or that never closes, has none', () => {
  expect(openingSpanAt(may(2, 1), null, 'UTC')).toBeNull();
  expect(spanAt(may(2, 1), '00:00', '00:00')).toBeNull();
});
