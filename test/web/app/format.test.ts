import { expect, test } from 'vitest';
import {
  barTime,
  drumCount,
  drumText,
  formatDecimal,
  formatUncertainVolume,
  percent,
  temperature,
  type Units,
  volume,
} from '../../../src/web/app/format.ts';
import { loadAllTexts } from '../../../src/web/locales/locale.ts';

await loadAllTexts();

const metric: Units = { volume_units: 'metric', temperature_units: 'c', time_zone: 'Europe/Berlin' };
const us: Units = { ...metric, volume_units: 'us', temperature_units: 'f' };
const uk: Units = { ...metric, volume_units: 'uk' };
const ukPintMl = 568.26125;
const ozMl = 29.5735295625;

/** A number in this machine's locale, with one decimal. */
const tenths = (value: number) => value.toLocaleString(undefined, { minimumFractionDigits: 1 });

test('formats less than a litre in whole millilitres, more in litres', () => {
  expect(volume(0, metric)).toEqual({ number: '0', unit: 'mL' });
  expect(volume(999.4, metric)).toEqual({ number: '999', unit: 'mL' });
  expect(volume(999.6, metric)).toEqual({ number: tenths(1), unit: 'L' });
  expect(volume(19_800, metric)).toEqual({ number: tenths(19.8), unit: 'L' });
});

test('formats less than 32 ounces in ounces, more in pints, and never as 32.0 oz', () => {
  expect(volume(12 * ozMl, us)).toEqual({ number: tenths(12), unit: 'fl oz' });
  expect(volume(31.94 * ozMl, us)).toEqual({ number: tenths(31.9), unit: 'fl oz' });
  expect(volume(31.96 * ozMl, us)).toEqual({ number: tenths(2), unit: 'pints' });
});

test('formats UK volumes in pints with millilitres beside, and the usual servings as fractions', () => {
  expect(volume(60, uk)).toEqual({ number: '60', unit: 'mL' });
  expect(volume(ukPintMl / 3, uk)).toEqual({ number: '⅓', unit: 'pint (189 mL)' });
  expect(volume(ukPintMl / 2, uk)).toEqual({ number: '½', unit: 'pint (284 mL)' });
  expect(volume((ukPintMl * 2) / 3, uk)).toEqual({ number: '⅔', unit: 'pint (379 mL)' });
  expect(volume(ukPintMl, uk)).toEqual({ number: '1', unit: 'pint (568 mL)' });
  expect(volume(500, uk)).toEqual({ number: tenths(0.9), unit: 'pints (500 mL)' });
  expect(volume(72 * ukPintMl, uk)).toEqual({ number: tenths(72), unit: 'pints' });
});

test('a US pint is 473 mL and a UK pint 568 mL', () => {
  expect(volume(4 * 473.176473, us)).toEqual({ number: tenths(4), unit: 'pints' });
  expect(volume(20 * 568.26125, uk)).toEqual({ number: tenths(20), unit: 'pints' });
});

test('formats a volume and its uncertainty as one figure with one unit', () => {
  const hundredths = (value: number) => value.toLocaleString(undefined, { minimumFractionDigits: 2 });
  const usPintMl = 16 * ozMl;
  const shown = (ml: number, uncertaintyMl: number, units: Units) =>
    formatUncertainVolume(ml, uncertaintyMl, units).replace(/\s/g, ' ');
  expect(shown(122.2 * usPintMl, 23.9 * ozMl, us)).toBe(`${tenths(122.2)} ± ${tenths(1.5)} pints`);
  expect(shown(31 * ozMl, 3.1 * ozMl, us)).toBe('31 ± 3 fl oz');
  expect(shown(72 * ukPintMl, 0.5 * ukPintMl, uk)).toBe(`${tenths(72)} ± ${tenths(0.5)} pints`);
  expect(shown(60, 2, uk)).toBe('60 ± 2 mL');
  expect(shown(19_800, 352, metric)).toBe(`${tenths(19.8)} ± ${tenths(0.4)} L`);
  expect(shown(19_800, 122, metric)).toBe(`${hundredths(19.8)} ± ${hundredths(0.12)} L`);
  expect(shown(330, 4, metric)).toBe('330 ± 4 mL');
});

test('counts odometer steps in millilitres or tenths of an ounce, never below 0', () => {
  expect(drumCount(329.6, metric)).toEqual({ steps: 330, decimals: 0, unit: 'mL' });
  expect(drumCount(11.25 * ozMl, us)).toEqual({ steps: 113, decimals: 1, unit: 'fl oz' });
  expect(drumCount(284, uk)).toEqual({ steps: 284, decimals: 0, unit: 'mL' });
  expect(drumCount(-3, metric).steps).toBe(0);
  expect(drumText(drumCount(11.25 * ozMl, us))).toBe(`${tenths(11.3)} fl oz`);
});

test('formats a number for a field with the decimals it has, so that it can be typed again', () => {
  const point = tenths(0.1).charAt(1);
  expect([6.2, 1_234, 0, -0.5].map((value) => formatDecimal(value))).toEqual([
    `6${point}2`,
    '1234',
    '0',
    `-0${point}5`,
  ]);
  expect(formatDecimal(1.01, 3)).toBe(`1${point}010`);
});

test('rounds an almost empty keg up to 1 % and an almost full one down to 99 %', () => {
  expect([1.2, 1, 0.999, 0.5, 0.001, 0, -0.2].map(percent)).toEqual([
    '100',
    '100',
    '99',
    '50',
    '1',
    '0',
    '0',
  ]);
});

test('converts 4 °C to 39.2 °F', () => {
  expect(temperature(4, metric)).toEqual({ number: tenths(4), unit: '°C' });
  expect(temperature(4, us)).toEqual({ number: tenths(39.2), unit: '°F' });
});

test('formats times in the bar’s time zone, with the day unless it is today', () => {
  const past = barTime('2024-06-01T20:30:00Z', metric);
  expect(past.clock).toContain('30');
  expect(past.day).not.toBeNull();
  expect(barTime(new Date().toISOString(), metric).day).toBeNull();
  expect(barTime('2024-06-01T20:30:00Z', { ...metric, time_zone: 'Mars/Olympus' }).clock).toContain('30');
  expect(barTime('yesterday', metric)).toEqual({ clock: '', day: null });
});
