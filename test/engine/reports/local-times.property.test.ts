import fc from 'fast-check';
import { expect, test } from 'vitest';
import { offsetMs } from '../../../src/core/clock/local-days.ts';
import {
  parseUtcOffset,
  shownTimes,
  shownTimeText,
  utcOffsetText,
} from '../../../src/core/clock/shown-time.ts';
import { propertyRuns } from '../../kit/slow.ts';

const hour = 3_600_000;

/** Instants at which clocks go back, some by half an hour and some south of the equator. */
const changes = [
  ['Europe/Berlin', Date.UTC(2026, 9, 25, 1)],
  ['Europe/Berlin', Date.UTC(2025, 2, 30, 1)],
  ['America/New_York', Date.UTC(2026, 10, 1, 6)],
  ['America/St_Johns', Date.UTC(2026, 10, 1, 4, 30)],
  ['Australia/Lord_Howe', Date.UTC(2026, 3, 4, 15)],
  ['Australia/Sydney', Date.UTC(2026, 3, 4, 16)],
  ['Africa/Casablanca', Date.UTC(2026, 1, 15, 2)],
  ['UTC', Date.UTC(2026, 9, 25, 1)],
] as const;

test('a local time with its offset is the same instant, in every minute around a change of the clocks', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...changes),
      fc.integer({ min: -5 * 3_600, max: 5 * 3_600 }),
      ([timeZone, changeMs], seconds) => {
        const ms = changeMs + seconds * 1_000;
        const shownMs = shownTimes(timeZone)(ms);
        const offset = utcOffsetText(shownMs - ms);
        const back = Date.parse(`${shownTimeText(shownMs).replace(' ', 'T')}Z`) - parseUtcOffset(offset)!;
        expect(back).toBe(ms);
        expect(offset).toMatch(/^UTC[+-]\d\d:\d\d$/);
      },
    ),
    { numRuns: propertyRuns(2_000) },
  );
});

test('the zones of the test have an hour, or half of one, that occurs twice', () => {
  for (const [timeZone, ms] of changes.slice(0, 1))
    expect(offsetMs(ms - hour, timeZone) - offsetMs(ms + hour, timeZone)).toBe(hour);
});

test.each(['', '+02:00', 'UTC+2', 'UTC', 'UTC+02:00 ', '2'])('%j is no offset', (text) => {
  expect(parseUtcOffset(text)).toBeNull();
});
