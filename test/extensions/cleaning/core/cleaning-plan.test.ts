import { expect, test } from 'vitest';
import { cleaningExpiresMs, contactEndsMs } from '../../../../src/extensions/cleaning/core/cleaning-mode.ts';
import { daysSince, findCleaningDue } from '../../../../src/extensions/cleaning/core/cleaning-plan.ts';
import { cleaningPresets, findPreset } from '../../../../src/extensions/cleaning/core/cleaning-presets.ts';
import { cleaningBounds } from '../../../../src/extensions/cleaning/core/cleaning-terms.ts';

const timeZone = 'Europe/Berlin';
const lateOnMonday = Date.UTC(2026, 4, 4, 21); // 23:00 in Berlin

test.each([
  ['the next day', Date.UTC(2026, 4, 5, 5), 13, 'done'],
  ['two days before', Date.UTC(2026, 4, 16, 5), 2, 'soon'],
  ['the day itself, from midnight at the bar', Date.UTC(2026, 4, 17, 22), 0, 'due'],
  ['the day after', Date.UTC(2026, 4, 18, 22), -1, 'overdue'],
])('14 days after a cleaning late on Monday: %s', (_, wallMs, daysLeft, state) => {
  const due = findCleaningDue({ intervalDays: 14, lastMs: lateOnMonday, sinceMs: 0 }, { wallMs, timeZone });
  expect(due).toMatchObject({ daysLeft, state });
});

test('a plan without a cleaning counts from the day on which it was made', () => {
  const due = findCleaningDue(
    { intervalDays: 7, lastMs: null, sinceMs: lateOnMonday },
    { wallMs: lateOnMonday, timeZone },
  );
  expect(due).toMatchObject({ daysLeft: 7, state: 'done' });
});

test('the change of the clocks moves no due day', () => {
  const before = Date.UTC(2026, 9, 24, 22, 30); // 00:30 on the day with 25 hours
  const due = findCleaningDue(
    { intervalDays: 7, lastMs: before, sinceMs: 0 },
    { wallMs: Date.UTC(2026, 9, 31, 23, 30), timeZone }, // 00:30 on 1 November
  );
  expect(due.daysLeft).toBe(0);
});

test('days since a cleaning are days of the bar', () => {
  expect(daysSince(lateOnMonday, { wallMs: lateOnMonday + 30 * 60_000, timeZone })).toBe(0);
  expect(daysSince(lateOnMonday, { wallMs: lateOnMonday + 60 * 60_000, timeZone })).toBe(1);
});

test('presets have their sources and intervals that can be set', () => {
  expect(findPreset('pennsylvania')?.plans).toEqual([{ kind: 'caustic', intervalDays: 14 }]);
  expect(findPreset('cask_marque')?.plans).toEqual([{ kind: 'caustic', intervalDays: 7 }]);
  expect(findPreset('rhode_island')?.plans).toEqual([{ kind: 'caustic', intervalDays: 28 }]);
  for (const { source, plans } of cleaningPresets) {
    expect(source).not.toBe('');
    for (const { intervalDays } of plans) {
      expect(intervalDays).toBeGreaterThanOrEqual(cleaningBounds.intervalDays.min);
      expect(intervalDays).toBeLessThanOrEqual(cleaningBounds.intervalDays.max);
    }
  }
});

test('cleaning mode ends two hours after the last step, after the contact time where it is running', () => {
  expect(cleaningExpiresMs({ step: 'rinse', sinceMs: 0 }, 20)).toBe(120 * 60_000);
  expect(cleaningExpiresMs({ step: 'contact', sinceMs: 0 }, 20)).toBe(140 * 60_000);
  expect(contactEndsMs({ step: 'contact', sinceMs: 1_000 }, 20)).toBe(1_000 + 20 * 60_000);
  expect(contactEndsMs({ step: 'rinse', sinceMs: 0 }, 20)).toBeNull();
});
