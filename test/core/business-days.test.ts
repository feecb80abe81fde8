import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, businessDay, businessDayAt, type DayRule } from '../../src/core/business-days.ts';

const hour = 3_600_000;
const berlin: DayRule = { timeZone: 'Europe/Berlin', endsMinutes: 240 };
const hoursOf = (date: string, rule: DayRule) => {
  const day = businessDay(date, rule)!;
  return (day.untilMs - day.sinceMs) / hour;
};

test('what is poured at three in the morning belongs to the evening before', () => {
  const three = Date.UTC(2026, 4, 3, 1); // 3:00 in Berlin
  expect(businessDayAt(three, berlin).date).toBe('2026-05-02');
  expect(businessDayAt(three + hour, berlin).date).toBe('2026-05-03');
  expect(businessDay('2026-05-02', berlin)).toEqual({
    date: '2026-05-02',
    sinceMs: Date.UTC(2026, 4, 2, 2),
    untilMs: Date.UTC(2026, 4, 3, 2),
  });
});

test('the night the clocks change belongs to Saturday, with an hour more or less', () => {
  expect(hoursOf('2026-03-28', berlin)).toBe(23);
  expect(hoursOf('2026-03-29', berlin)).toBe(24);
  expect(hoursOf('2026-10-24', berlin)).toBe(25);
  // Ended at two, the day ends in the very hour that is skipped, and in the one that comes twice.
  const atTwo = { ...berlin, endsMinutes: 120 };
  expect([hoursOf('2026-03-28', atTwo), hoursOf('2026-03-29', atTwo)]).toEqual([24, 23]);
  expect([hoursOf('2026-10-24', atTwo), hoursOf('2026-10-25', atTwo)]).toEqual([24, 25]);
});

test.each(['2026-02-30', '2026-13-01', '26-05-02', '2026-5-2', 'today', '2026-05-02T00:00'])(
  'no calendar has %s',
  (date) => expect(businessDay(date, berlin)).toBeNull(),
);

test('leap days are days', () => {
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

test('every instant lies in exactly one business day, and days follow one another without a gap', () => {
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
      // A zone that leaps over a date has a day without an hour, and nothing was poured in it.
      expect(next.untilMs).toBeGreaterThanOrEqual(next.sinceMs);
    }),
    { numRuns: 400, seed: 20260502 },
  );
});
