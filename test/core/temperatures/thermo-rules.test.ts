import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyOffset,
  checkTemperature,
  readW1Text,
  ThermoFilter,
} from '../../../src/core/temperatures/thermo-rules.ts';

const minute = 60_000;
const at = (tempC: number) => ({ kind: 'temperature', tempC }) as const;
const silent = { kind: 'unusable', reason: 'no answer' } as const;

const w1 = (milli: number | string, crc = 'YES') =>
  `4b 01 4b 46 7f ff 05 10 e1 : crc=e1 ${crc}\n4b 01 4b 46 7f ff 05 10 e1 t=${milli}\n`;

/** A sensor that has read 4 °C at minute 0. */
function coldSensor(): ThermoFilter {
  const filter = new ThermoFilter();
  filter.step(at(4), 0);
  return filter;
}

test.each([
  [20_687, 20.687],
  [-1_250, -1.25],
  [0, 0],
  [85_000, 85],
])('t=%i is read as %d °C', (milli, tempC) => {
  expect(readW1Text(w1(milli))).toEqual({ kind: 'temperature', tempC });
});

test.each([
  ['a failed checksum, though the old value follows', w1(20_687, 'NO'), 'bad checksum'],
  ['an empty file', '', 'no answer'],
  ['one line only', '4b 01 4b 46 7f ff 05 10 e1 : crc=e1 YES\n', 'no value'],
  ['a value cut off', w1(''), 'no value'],
  [
    'a shorted line that reads as zero',
    '00 00 00 00 00 00 00 00 00 : crc=00 YES\n00 00 00 00 00 00 00 00 00 t=0\n',
    'data line stuck low',
  ],
  ['something endless', w1(20_687).repeat(50), 'answer too long'],
])('%s is not a temperature', (_, text, reason) => {
  expect(readW1Text(text)).toEqual({ kind: 'unusable', reason });
});

test('property: parsing any text never throws', () => {
  const nearly = fc.tuple(fc.string(), fc.string()).map(([a, b]) => `${a} : crc=e1 YES\n${b} t=${a}`);
  fc.assert(
    fc.property(fc.oneof(fc.string(), nearly), (text) => {
      const reading = readW1Text(text);
      if (reading.kind === 'temperature') expect(Number.isFinite(reading.tempC)).toBe(true);
      else expect(reading.reason).not.toBe('');
    }),
  );
});

test('the range is −50 to 125 °C, inclusive', () => {
  expect([-50, 0, 125].map(checkTemperature)).toEqual([null, null, null]);
  for (const tempC of [-50.1, 125.1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(checkTemperature(tempC)).not.toBeNull();
  }
});

test('85.000 °C as a first value is the power-on value', () => {
  const filter = new ThermoFilter();
  expect(filter.step(at(85), 0).kind).toBe('refused');
  expect(filter.step(at(4.5), minute)).toEqual({ kind: 'temperature', tempC: 4.5, recovered: false });
});

test('a sensor that loses power every minute never reports 85 °C', () => {
  const filter = coldSensor();
  const kinds = Array.from({ length: 120 }, (_, i) => filter.step(at(85), (i + 1) * minute).kind);
  expect(kinds).not.toContain('temperature');
});

test('a hot tank may pass through 85 °C', () => {
  const filter = new ThermoFilter();
  filter.step(at(84.4), 0);
  expect(filter.step(at(85), minute).kind).toBe('temperature');
});

test('a jump is refused once and accepted when the next reading confirms it', () => {
  const filter = coldSensor();
  expect(filter.step(at(19), minute).kind).toBe('refused');
  expect(filter.step(at(19.5), 2 * minute)).toEqual({ kind: 'temperature', tempC: 19.5, recovered: false });
});

test('after an unconfirmed jump the old value continues', () => {
  const filter = coldSensor();
  filter.step(at(60), minute);
  expect(filter.step(at(4.1), 2 * minute).kind).toBe('temperature');
  // The earlier jump is forgotten, so the same value is refused again.
  expect(filter.step(at(60), 3 * minute).kind).toBe('refused');
});

test('two jumps to different values confirm nothing', () => {
  const filter = coldSensor();
  expect(filter.step(at(60), minute).kind).toBe('refused');
  expect(filter.step(at(-30), 2 * minute).kind).toBe('refused');
});

test('five degrees at once and two more per minute are not a jump', () => {
  expect(coldSensor().step(at(9), 0).kind).toBe('temperature');
  expect(coldSensor().step(at(11), minute).kind).toBe('temperature');
  expect(coldSensor().step(at(11.1), minute).kind).toBe('refused');
  expect(coldSensor().step(at(11.1), 2 * minute).kind).toBe('temperature');
});

test('a value out of range stays refused however often it is repeated', () => {
  const filter = coldSensor();
  for (let i = 1; i < 5; i++) expect(filter.step(at(127.9), i * minute).kind).not.toBe('temperature');
});

test('three misses in a row make the sensor stale, reported once, until it recovers', () => {
  const filter = coldSensor();
  const kinds = [1, 2, 3, 4, 5].map((i) => filter.step(silent, i * minute).kind);
  expect(kinds).toEqual(['refused', 'refused', 'stale', 'refused', 'refused']);
  expect(filter.isStale).toBe(true);
  expect(filter.step(at(4), 6 * minute)).toEqual({ kind: 'temperature', tempC: 4, recovered: true });
  expect(filter.isStale).toBe(false);
  expect(filter.step(at(4), 7 * minute)).toMatchObject({ recovered: false });
});

test('two misses and a good reading restart the count', () => {
  const filter = coldSensor();
  const kinds = [silent, silent, at(4), silent, silent, silent].map(
    (reading, i) => filter.step(reading, i * minute).kind,
  );
  expect(kinds).toEqual(['refused', 'refused', 'temperature', 'refused', 'refused', 'stale']);
});

test('property: stale is reported once per outage, and no accepted value is out of range', () => {
  const reading = fc.oneof(
    fc.constant(silent),
    fc.double({ min: -80, max: 150 }).map(at),
    fc.constant(at(85)),
  );
  fc.assert(
    fc.property(fc.array(reading), (readings) => {
      const filter = new ThermoFilter();
      let wasStale = false;
      readings.forEach((reading, i) => {
        const step = filter.step(reading, i * minute);
        if (step.kind === 'stale') expect(wasStale).toBe(false);
        if (step.kind === 'temperature') {
          expect(checkTemperature(step.tempC)).toBeNull();
          expect(step.recovered).toBe(wasStale);
        }
        wasStale = filter.isStale;
      });
    }),
  );
});

test.each([
  [4.25, 0, 4.25],
  [4.1, 0.2, 4.3],
  [124, 10, 125],
  [-45, -10, -50],
])('a reading of %d °C with an offset of %d °C is %d °C', (tempC, offsetC, sum) => {
  expect(applyOffset(tempC, offsetC)).toBe(sum);
});
