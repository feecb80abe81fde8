import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTime, timePattern, timesEndMs } from '../../../src/core/clock/parse-time.ts';

const read = (value: number | string, zone = 'Europe/Berlin') => {
  const ms = parseTime(value, zone);
  return ms === null ? null : new Date(ms).toISOString();
};

const fiveO4 = '2026-05-02T17:04:11.000Z';

test.each<[string | number, string]>([
  ['2026-05-02T17:04:11Z', fiveO4],
  ['2026-05-02t17:04:11z', fiveO4],
  ['2026-05-02 17:04:11Z', fiveO4],
  ['2026-05-02T19:04:11+02:00', fiveO4],
  // A plus sign that a query does not encode.
  ['2026-05-02T19:04:11 02:00', fiveO4],
  ['2026-05-02T11:34:11-05:30', fiveO4],
  // RFC 3339: the zone of the place is unknown.
  ['2026-05-02T17:04:11-00:00', fiveO4],
  ['2026-05-02T19:04:11', fiveO4],
  ['2026-05-02 19:04:11', fiveO4],
  ['2026-05-02T17:04Z', '2026-05-02T17:04:00.000Z'],
  ['2026-05-02T19:04', '2026-05-02T17:04:00.000Z'],
  ['2026-05-02T17:04:11.5Z', '2026-05-02T17:04:11.500Z'],
  ['2026-05-02T17:04:11.123999999Z', '2026-05-02T17:04:11.123Z'],
  [1777741451, fiveO4],
  ['1777741451', fiveO4],
  [0, '1970-01-01T00:00:00.000Z'],
  ['2100-12-31T23:59:59Z', '2100-12-31T23:59:59.000Z'],
])('%s is %s', (value, time) => expect(read(value)).toBe(time));

test.each<[what: string, value: string | number]>([
  ['a date alone', '2026-05-02'],
  ['30 February', '2026-02-30T10:00:00Z'],
  ['29 February of a common year', '2026-02-29T10:00:00Z'],
  ['month 13', '2026-13-01T10:00:00Z'],
  ['day 0', '2026-05-00T10:00:00Z'],
  ['24 hours', '2026-05-02T24:00:00Z'],
  ['minute 60', '2026-05-02T10:60:00Z'],
  ['second 61', '2026-06-30T23:59:61Z'],
  ['an offset of 24 hours', '2026-05-02T10:00:00+24:00'],
  ['an offset of 60 minutes', '2026-05-02T10:00:00+01:60'],
  ['a year of two digits', '26-05-02T10:00:00Z'],
  ['the year 99', '0099-05-02T10:00:00Z'],
  ['the year 0', '0000-01-01T10:00:00'],
  ['a time before 1970', '1969-12-31T23:59:59Z'],
  ['a local time before 1970 in Greenwich', '1970-01-01T00:30:00'],
  ['2101', '2101-01-01T00:00:00Z'],
  ['2101 in Greenwich', '2100-12-31T23:30:00-01:00'],
  ['the year 9999', '9999-12-31T23:59:59'],
  ['milliseconds', 1777741451000],
  ['milliseconds as text', '1777741451000'],
  ['a fraction of a second as number', 1777741451.5],
  ['a negative number', -1],
  ['no number', Number.NaN],
  ['an exponent', '1e9'],
  ['words', 'yesterday'],
  ['nothing', ''],
  ['a line end', '2026-05-02T10:00:00Z\n'],
  ['digits of another script', '٢٠٢٦-٠٥-٠٢T10:00:00Z'],
])('%s is not a time', (_what, value) => expect(read(value)).toBeNull());

test('a time that occurs twice when clocks go back means the first', () => {
  expect(read('2026-10-25T02:30')).toBe('2026-10-25T00:30:00.000Z');
  expect(read('2026-10-25T02:30+01:00')).toBe('2026-10-25T01:30:00.000Z');
});

test('a time that is skipped when clocks go forward is read with the offset before the change', () => {
  // Clocks go from 2:00 to 3:00; 2:30 by the old offset is 3:30 by the new one.
  expect(read('2026-03-29T02:30')).toBe('2026-03-29T01:30:00.000Z');
  expect(read('2026-03-29T03:30')).toBe('2026-03-29T01:30:00.000Z');
});

test('a leap second at the end of a month means the second after it', () => {
  expect(read('2016-12-31T23:59:60Z')).toBe('2017-01-01T00:00:00.000Z');
  expect(read('2016-12-31T23:59:60.25Z')).toBe('2017-01-01T00:00:00.250Z');
  expect(read('2017-01-01T00:59:60')).toBe('2017-01-01T00:00:00.000Z');
  expect(read('2016-12-31T15:59:60-08:00')).toBe('2017-01-01T00:00:00.000Z');
  expect(read('2016-12-31T23:59:60')).toBeNull();
  expect(read('2016-12-30T23:59:60Z')).toBeNull();
  expect(read('2016-12-31T22:59:60Z')).toBeNull();
});

const instants = fc.integer({ min: 0, max: timesEndMs / 1000 - 1 });
const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Auckland',
);

test('property: every form of an instant is that instant', () => {
  fc.assert(
    fc.property(instants, zones, fc.integer({ min: -1439, max: 1439 }), (seconds, zone, offset) => {
      const ms = seconds * 1000;
      expect(parseTime(seconds, zone)).toBe(ms);
      expect(parseTime(String(seconds), zone)).toBe(ms);
      expect(parseTime(new Date(ms).toISOString(), zone)).toBe(ms);
      const shown = new Date(ms + offset * 60_000).toISOString().slice(0, 19);
      const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
      const zoned = `${shown}${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
      if (/^(19[67]|20|2100|2101)/.test(shown)) expect(parseTime(zoned, zone)).toBe(ms);
    }),
  );
});

test('property: a text of the documented form is a time or none, never an error', () => {
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(timePattern)), zones, (text, zone) => {
      const ms = parseTime(text, zone);
      if (ms !== null) expect(ms).toSatisfy((one: number) => one >= 0 && one < timesEndMs);
    }),
  );
});
