import { expect, test } from 'vitest';
import { isOldReading, newestReading } from '../../../src/core/temperatures/sensor-reading.ts';

const minute = 60_000;
const stored = { tempC: 4, timeMs: 100 * minute };

test('a reading is old when three of its interval and the minute of its time have passed', () => {
  expect(isOldReading(0, 31 * minute)).toBe(false);
  expect(isOldReading(0, 31 * minute + 1)).toBe(true);
  expect(isOldReading(0, 4 * minute, minute)).toBe(false);
  expect(isOldReading(0, 4 * minute + 1, minute)).toBe(true);
});

test('the newest reading is that in memory, unless a later one is stored', () => {
  const inMemory = { tempC: 6, timeMs: 105 * minute, isStale: true };
  expect(newestReading(stored, inMemory, 106 * minute)).toEqual(inMemory);
  expect(newestReading(null, inMemory, 106 * minute)).toEqual(inMemory);
  const later = { tempC: 7, timeMs: 106 * minute };
  expect(newestReading(later, inMemory, 107 * minute)).toEqual({ ...later, isStale: false });
  expect(newestReading(null, undefined, 0)).toBeNull();
});

test('a stored reading is stale when nothing has followed for three reports', () => {
  expect(newestReading(stored, undefined, 131 * minute)?.isStale).toBe(false);
  expect(newestReading(stored, undefined, 132 * minute)?.isStale).toBe(true);
  // The clock is not set yet.
  expect(newestReading(stored, undefined, 0)?.isStale).toBe(false);
});
