import { expect, test } from 'vitest';
import { isClosed, openingHoursPattern, parseOpeningHours } from '../../../src/core/clock/opening-hours.ts';

test.each(['', '16:00-02:00', '00:00-23:59'])('accepts %j', (text) => {
  expect(new RegExp(openingHoursPattern).test(text)).toBe(true);
});

test.each(['16-2', '24:00-02:00', '16:00-02:60', '16:00', '16:00 - 02:00', 'off'])('refuses %j', (text) => {
  expect(new RegExp(openingHoursPattern).test(text)).toBe(false);
  expect(parseOpeningHours(text)).toBeNull();
});

test('opening hours may cross midnight', () => {
  const late = { from: '16:00', until: '02:30' };
  const clocks = ['15:59', '16:00', '23:59', '00:00', '02:29', '02:30', '12:00'];
  expect(clocks.map((clock) => isClosed(late, clock))).toEqual([
    true,
    false,
    false,
    false,
    false,
    true,
    true,
  ]);
  const early = { from: '09:00', until: '18:00' };
  expect(['08:59', '09:00', '17:59', '18:00'].map((clock) => isClosed(early, clock))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test('a bar without opening hours, or open all day, is never closed', () => {
  expect(isClosed(null, '03:00')).toBe(false);
  expect(isClosed({ from: '00:00', until: '00:00' }, '03:00')).toBe(false);
});
