import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calendarSpan, daySpan, localDay, toCalendarDate } from '../../../src/core/clock/local-days.ts';
import { omitUndefined } from '../../../src/core/omit-undefined.ts';

const span = (zone: string, year: number, month?: number, day?: number) => {
  const found = calendarSpan({ year, ...omitUndefined({ month, day }) }, zone);
  return found && [found.sinceMs, found.untilMs].map((ms) => new Date(ms).toISOString().slice(0, 16));
};

test.each([
  ['UTC', [2026, 5, 2], ['2026-05-02T00:00', '2026-05-03T00:00']],
  ['Europe/Berlin', [2026, 5, 2], ['2026-05-01T22:00', '2026-05-02T22:00']],
  ['Europe/Berlin', [2026], ['2025-12-31T23:00', '2026-12-31T23:00']],
  ['Europe/Berlin', [2026, 12], ['2026-11-30T23:00', '2026-12-31T23:00']],
  // Clocks change on these Sundays.
  ['Europe/Berlin', [2026, 3, 29], ['2026-03-28T23:00', '2026-03-29T22:00']],
  ['Europe/Berlin', [2026, 10, 25], ['2026-10-24T22:00', '2026-10-25T23:00']],
  // Clocks go forward at midnight: the day begins at one o'clock. They go back at midnight too.
  ['America/Havana', [2026, 3, 8], ['2026-03-08T05:00', '2026-03-09T04:00']],
  ['Africa/Cairo', [2024, 4, 26], ['2024-04-25T22:00', '2024-04-26T21:00']],
  ['Pacific/Kiritimati', [2026, 1, 1], ['2025-12-31T10:00', '2026-01-01T10:00']],
] as const)('in %s the span %j is %j', (zone, [year, month, day], expected) => {
  expect(span(zone, year, month, day)).toEqual(expected);
});

test('a date that does not exist has no span', () => {
  expect(span('UTC', 2026, 2, 29)).toBeNull();
  expect(span('UTC', 2024, 2, 29)).not.toBeNull();
  expect(span('UTC', 2026, 4, 31)).toBeNull();
});

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/Havana',
  'Pacific/Auckland',
  'Asia/Kathmandu',
  'Africa/Cairo',
];

test('property: the days of a month follow without a gap and fill it', () => {
  const month = fc.record({
    zone: fc.constantFrom(...zones),
    year: fc.integer({ min: 1980, max: 2090 }),
    month: fc.integer({ min: 1, max: 12 }),
  });
  fc.assert(
    fc.property(month, ({ zone, ...date }) => {
      const days = Array.from({ length: 31 }, (_, i) => calendarSpan({ ...date, day: i + 1 }, zone)).filter(
        (day) => day !== null,
      );
      const whole = calendarSpan(date, zone)!;
      expect(days[0]!.sinceMs).toBe(whole.sinceMs);
      expect(days.at(-1)!.untilMs).toBe(whole.untilMs);
      for (const [i, day] of days.entries()) {
        expect(day.untilMs).toBeGreaterThan(day.sinceMs);
        if (i > 0) expect(day.sinceMs).toBe(days[i - 1]!.untilMs);
      }
    }),
    { numRuns: 60 },
  );
});

test('property: an instant lies in the span of its local day, which is that of its calendar date', () => {
  const instant = fc.integer({ min: Date.UTC(1980, 0, 1), max: Date.UTC(2090, 0, 1) });
  fc.assert(
    fc.property(instant, fc.constantFrom(...zones), (ms, zone) => {
      const day = localDay(ms, zone);
      const { sinceMs, untilMs } = daySpan(day, zone);
      expect([sinceMs <= ms, ms <= untilMs]).toEqual([true, true]);
      expect([localDay(sinceMs, zone), localDay(untilMs, zone)]).toEqual([day, day]);
      expect(localDay(untilMs + 1, zone)).toBe(day + 1);
      expect(calendarSpan(toCalendarDate(day), zone)).toEqual({ sinceMs, untilMs: untilMs + 1 });
    }),
    { numRuns: 60 },
  );
});
