import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, businessDay, businessDayAt, type DayRule } from '../../../src/core/clock/business-days.ts';

const hour = 3_600_000;
const berlin: DayRule = { timeZone: 'Europe/Berlin', endsMinutes: 240 };
const hoursOf = (date: string, rule: DayRule) => {
  const day = businessDay(date, rule)!;
  return (day.untilMs - day.sinceMs) / hour;
};

test('a pour at 3:00 belongs to the previous business day', () => {
  const three = Date.UTC(2026, 4, 3, 1); // 3:00 in Berlin
  expect(businessDayAt(three, berlin).date).toBe('2026-05-02');
  expect(businessDayAt(three + hour, berlin).date).toBe('2026-05-03');
  expect(businessDay('2026-05-02', berlin)).toEqual({
    date: '2026-05-02',
    sinceMs: Date.UTC(2026, 4, 2, 2),
    untilMs: Date.UTC(2026, 4, 3, 2),
  });
});

test('the business day of a clock change is an hour longer or shorter', () => {
  expect(hoursOf('2026-03-28', berlin)).toBe(23);
  expect(hoursOf('2026-03-29', berlin)).toBe(24);
  expect(hoursOf('2026-10-24', berlin)).toBe(25);
  // The day ends at two: in the hour that is skipped, and in the one that occurs twice.
  const atTwo = { ...berlin, endsMinutes: 120 };
  expect([hoursOf('2026-03-28', atTwo), hoursOf('2026-03-29', atTwo)]).toEqual([24, 23]);
  expect([hoursOf('2026-10-24', atTwo), hoursOf('2026-10-25', atTwo)]).toEqual([24, 25]);
});

test.each(['2026-02-30', '2026-13-01', '26-05-02', '2026-5-2', 'today', '2026-05-02T00:00'])(
  '%s is not an existing date',
  (date) => expect(businessDay(date, berlin)).toBeNull(),
);

test('accepts leap days', () => {
  expect(hoursOf('2028-02-29', berlin)).toBe(24);
  expect(businessDay('2027-02-29', berlin)).toBeNull();
});

const rules = fc.record({
  timeZone: fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/Sao_Paulo',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'Africa/Casablanca',
    'America/Havana',
  ),
  endsMinutes: fc.integer({ min: 0, max: 720 }),
});
const instants = fc.integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2040, 0, 1) });

test('property: every instant lies in exactly one business day, and days follow without a gap', () => {
  fc.assert(
    fc.property(rules, instants, (rule, ms) => {
      const day = businessDayAt(ms, rule);
      expect(day.sinceMs).toBeLessThanOrEqual(ms);
      expect(day.untilMs).toBeGreaterThan(ms);
      expect(businessDay(day.date, rule)).toEqual(day);
      const next = addDays(day, 1, rule);
      const before = addDays(day, -1, rule);
      expect(next.sinceMs).toBe(day.untilMs);
      expect(before.untilMs).toBe(day.sinceMs);
      // In a zone that skips a date, that day has length zero and contains no pour.
      expect(next.untilMs).toBeGreaterThanOrEqual(next.sinceMs);
    }),
    { numRuns: 400, seed: 20260502 },
  );
});
