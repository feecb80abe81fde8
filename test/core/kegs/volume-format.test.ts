import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseVolume } from '../../../src/core/kegs/parse-volume.ts';
import {
  formatQuantity,
  toQuantity,
  toServing,
  toUncertainQuantity,
  type VolumeStyle,
} from '../../../src/core/kegs/volume-format.ts';
import { mlPerOz, mlPerUkPint, mlPerUsPint, regionOf } from '../../../src/core/kegs/volume-units.ts';

const words = { pint: 'pint', pints: 'pints' };
const german: VolumeStyle = { units: 'metric', locale: 'de', region: 'DE', words };
const swiss: VolumeStyle = { units: 'metric', locale: 'de-CH', region: 'CH', words };
const french: VolumeStyle = { units: 'metric', locale: 'fr', region: 'FR', words };
const australian: VolumeStyle = { units: 'metric', locale: 'en', region: 'AU', words };
const american: VolumeStyle = { units: 'us', locale: 'en', region: 'US', words };
const british: VolumeStyle = { units: 'uk', locale: 'en', region: 'GB', words };

/** Reads a volume as it is shown in that style, millilitres. */
function read(text: string, { units, locale }: VolumeStyle): number {
  const decimal = locale === 'de' || locale === 'fr' ? ',' : '.';
  const parsed = parseVolume(text, { mlPerUnit: 1, decimal, units });
  return parsed.kind === 'volume' ? parsed.ml : Number.NaN;
}

const measured = (ml: number, style: VolumeStyle) => formatQuantity(toQuantity(ml, style));
const serving = (ml: number, style: VolumeStyle) => formatQuantity(toServing(ml, style));

test('the US pint is 473.176473 mL, the UK pint 568.26125 mL', () => {
  expect(mlPerUsPint).toBe(473.176473);
  expect(mlPerUkPint * 8).toBe(4_546.09);
});

test('glasses are written in the unit of the country', () => {
  expect([200, 300, 330, 500, 1_000].map((ml) => serving(ml, german))).toEqual([
    '0,2 L',
    '0,3 L',
    '0,33 L',
    '0,5 L',
    '1 L',
  ]);
  expect([300, 330, 1_000].map((ml) => serving(ml, swiss))).toEqual(['3 dL', '3.3 dL', '1 L']);
  expect([125, 250, 500].map((ml) => serving(ml, french))).toEqual(['12,5 cL', '25 cL', '50 cL']);
  expect([285, 425].map((ml) => serving(ml, australian))).toEqual(['285 mL', '425 mL']);
});

test('measured volumes of less than a litre are in mL, or in cL and dL where the country uses them', () => {
  expect(measured(312.4, german)).toBe('312 mL');
  expect(measured(312.4, french)).toBe('31,2 cL');
  expect(measured(312.4, swiss)).toBe('3.1 dL');
  expect(measured(8, french)).toBe('8 mL');
  expect([499.6, 540, 999.4, 999.5].map((ml) => measured(ml, german))).toEqual([
    '500 mL',
    '540 mL',
    '999 mL',
    '1,0 L',
  ]);
  expect([german, french, swiss].map((style) => measured(19_800, style))).toEqual([
    '19,8 L',
    '19,8 L',
    '19.8 L',
  ]);
});

test('a glass and a drink of that size have the same unit, except where glasses of less than a litre are in litres', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(swiss, french, australian),
      fc.integer({ min: 10, max: 3_000 }),
      (style, ml) => {
        expect(toQuantity(ml, style).unit).toBe(toServing(ml, style).unit);
      },
    ),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000 }), (ml) => {
      expect(toServing(ml, german).unit).toBe('L');
      expect(toQuantity(ml, german).unit).toBe(ml < 1_000 ? 'mL' : 'L');
    }),
  );
});

test('US glasses are in fluid ounces, and measured volumes from 32 of them on in pints of 16', () => {
  expect([4, 10, 16].map((oz) => serving(oz * mlPerOz, american))).toEqual([
    '4 fl oz',
    '10 fl oz',
    '16 fl oz',
  ]);
  expect(measured(31.94 * mlPerOz, american)).toBe('31.9 fl oz');
  expect(measured(31.96 * mlPerOz, american)).toBe('2.0 pints');
});

test('UK glasses are fractions of the pint with mL beside', () => {
  expect([1 / 3, 1 / 2, 2 / 3, 1, 2].map((pints) => serving(pints * mlPerUkPint, british))).toEqual([
    '⅓ pint (189 mL)',
    '½ pint (284 mL)',
    '⅔ pint (379 mL)',
    '1 pint (568 mL)',
    '2 pints (1137 mL)',
  ]);
  expect(measured(500, british)).toBe('0.9 pints (500 mL)');
  expect(measured(72 * mlPerUkPint, british)).toBe('72.0 pints');
});

const within = (ml: number, uncertaintyMl: number, style: VolumeStyle) => {
  const { number, uncertainty, unit } = toUncertainQuantity(ml, uncertaintyMl, style);
  return `${number} ± ${uncertainty} ${unit}`;
};

test('an uncertainty is in the unit of its volume, and both have the same decimals', () => {
  expect(within(122.2 * mlPerUsPint, 23.9 * mlPerOz, american)).toBe('122.2 ± 1.5 pints');
  expect(within(12 * mlPerOz, 0.4 * mlPerOz, american)).toBe('12.0 ± 0.4 fl oz');
  expect(within(72 * mlPerUkPint, 284, british)).toBe('72.0 ± 0.5 pints');
  expect(within(60, 2.4, british)).toBe('60 ± 2 mL');
  expect(within(19_800, 350, german)).toBe('19,8 ± 0,4 L');
  expect(within(19_800, 120, german)).toBe('19,80 ± 0,12 L');
  expect(within(312, 4.7, german)).toBe('312 ± 5 mL');
  expect(within(312, 4.7, french)).toBe('31,2 ± 0,5 cL');
});

test('an uncertainty larger than its volume gives both their unit, and 0 has the usual decimals', () => {
  expect(within(0, 2_300, german)).toBe('0,0 ± 2,3 L');
  expect(within(0, 23_000, german)).toBe('0 ± 23 L');
  expect(within(19_800, 0, german)).toBe('19,8 ± 0,0 L');
});

test('an uncertainty has the decimals of its volume, is never shown as 0, and never finer than 1 mL', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(german, swiss, french, australian, american, british),
      fc.double({ min: 0, max: 99_000, noNaN: true }),
      fc.double({ min: 0.01, max: 20_000, noNaN: true }),
      (style, ml, uncertaintyMl) => {
        const { number, uncertainty, unit } = toUncertainQuantity(ml, uncertaintyMl, style);
        const point = style.locale === 'de' || style.locale === 'fr' ? ',' : '.';
        const decimals = uncertainty.split(point)[1]?.length ?? 0;
        expect(number.split(point)[1]?.length ?? 0).toBe(decimals);
        expect(uncertainty).toMatch(/[1-9]/);
        const pints = style.units === 'us' ? mlPerUsPint : mlPerUkPint;
        const unitMl = { mL: 1, cL: 10, dL: 100, L: 1_000, 'fl oz': mlPerOz, pints }[unit]!;
        expect(unitMl * 10 ** -decimals).toBeGreaterThanOrEqual(1);
      },
    ),
  );
});

test('what is shown reads back as the same volume, to the last digit shown', () => {
  const styles = [german, swiss, french, australian, american, british];
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: styles.length - 1 }),
      fc.double({ min: 0, max: 99_000, noNaN: true }),
      (n, ml) => {
        const style = styles[n]!;
        const text = measured(ml, style);
        // Half a tenth of the largest unit that `text` can have.
        const unitMl = { metric: ml < 1_000 ? 100 : 1_000, us: mlPerUsPint, uk: mlPerUkPint }[style.units];
        expect(Math.abs(read(text, style) - ml)).toBeLessThanOrEqual(unitMl / 20 + 0.51);
      },
    ),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: styles.length - 1 }),
      fc.integer({ min: 1, max: 300 }),
      (n, count) => {
        const style = styles[n]!;
        const ml = count * { metric: 10, us: mlPerOz, uk: mlPerUkPint / 20 }[style.units];
        expect(read(serving(ml, style), style)).toBeCloseTo(ml, 0);
      },
    ),
  );
});

test('the region of a language tag', () => {
  expect(['de-CH', 'en-US', 'zh-Hant-TW', 'de', ''].map(regionOf)).toEqual(['CH', 'US', 'TW', null, null]);
});
