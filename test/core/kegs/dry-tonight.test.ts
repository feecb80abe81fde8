import { expect, test } from 'vitest';
import { openingSpanAt } from '../../../src/core/clock/opening-span.ts';
import { toDryTonightCondition } from '../../../src/core/kegs/dry-tonight.ts';

const at = (day: number, hour: number, minute = 0) => Date.UTC(2026, 4, day, hour, minute);
const late = { from: '16:00', until: '02:00' };

test.each([
  [at(1, 12), at(1, 16), at(2, 2)],
  [at(1, 16), at(1, 16), at(2, 2)],
  [at(2, 1, 59), at(1, 16), at(2, 2)],
  [at(2, 2), at(2, 16), at(3, 2)],
])('hours across midnight: at %d the opening is from %d to %d', (nowMs, opensMs, closesMs) => {
  expect(openingSpanAt(nowMs, late, 'UTC')).toEqual({ opensMs, closesMs });
});

test('opening hours are those of the bar’s time zone, and a bar that never closes has none', () => {
  const span = openingSpanAt(at(1, 12), { from: '10:00', until: '22:00' }, 'Europe/Berlin');
  expect(span).toEqual({ opensMs: at(1, 8), closesMs: at(1, 20) });
  expect(openingSpanAt(at(1, 12), { from: '00:00', until: '00:00' }, 'UTC')).toBeNull();
  expect(openingSpanAt(at(1, 12), null, 'UTC')).toBeNull();
});

const span = openingSpanAt(at(1, 18), late, 'UTC');

test.each([
  ['before closing', at(1, 18), at(2, 1), 'bad'],
  ['shortly after closing', at(1, 18), at(2, 2, 30), 'between'],
  ['tomorrow', at(1, 18), at(2, 20), 'good'],
  ['weeks away', at(1, 18), null, 'good'],
  ['tonight, as known on the morning', at(1, 8), at(1, 22), 'good'],
  ['tonight, as known four hours before opening', at(1, 12), at(1, 22), 'bad'],
] as const)('a keg empty %s', (_, nowMs, endMs, state) => {
  expect(toDryTonightCondition({ remainMl: 5_000, endMs }, nowMs, span)).toBe(state);
});

test('without opening hours the next six hours count', () => {
  const judge = (hours: number) =>
    toDryTonightCondition({ remainMl: 5_000, endMs: at(1, 18) + hours * 3_600_000 }, at(1, 18), null);
  expect([5.9, 6, 7].map(judge)).toEqual(['bad', 'between', 'good']);
});

test('a keg that should be empty already keeps its alarm and raises none', () => {
  expect(toDryTonightCondition({ remainMl: 0, endMs: null }, at(1, 18), span)).toBe('between');
});
