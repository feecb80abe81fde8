import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseVolume, type VolumeWriting } from '../../../src/core/kegs/parse-volume.ts';

const english: VolumeWriting = { mlPerUnit: 1, decimal: '.', units: 'metric' };
const german: VolumeWriting = { mlPerUnit: 1, decimal: ',', units: 'metric' };
const uk: VolumeWriting = { mlPerUnit: 568.26125, decimal: '.', units: 'uk' };
const us: VolumeWriting = { mlPerUnit: 29.5735295625, decimal: '.', units: 'us' };

test.each([
  ['250', english, 250],
  ['250 ml', english, 250],
  ['250ML', english, 250],
  ['0.25l', english, 250],
  ['0,25 l', english, 250],
  ['0,25 l', german, 250],
  ['0.25l', german, 250],
  [' 2.5 dL ', english, 250],
  ['25 cl', german, 250],
  ['0,5 Liter', german, 500],
  ['2 litres', english, 2_000],
  ['1 hl', german, 100_000],
  ['.5 l', english, 500],
  ['1,000 ml', english, 1_000],
  ['1.000 ml', german, 1_000],
  ['1 000 ml', german, 1_000],
  ['1.234,5', german, 1_234.5],
  ['1,234.5', english, 1_234.5],
  ['0.125', german, 0.125],
  ['1', uk, 568.26125],
  ['1 pt', uk, 568.26125],
  ['½ pint', uk, 284.130625],
  ['1/2 pt', uk, 284.130625],
  ['1 ½', uk, 852.391875],
  ['1 1/2 pints', uk, 852.391875],
  ['20 fl oz', uk, 568.26125],
  ['1 pt', us, 473.176473],
  ['16 fl. oz.', us, 473.176473],
  ['16', us, 473.176473],
  ['568 ml', uk, 568],
  ['½ pint (284 mL)', uk, 284.130625],
  ['pint', uk, 568.26125],
  ['1 pint', english, 568.26125],
  ['16 oz', english, 473.176473],
  ['1’137.5 ml', english, 1_137.5],
  ['3 Deziliter', german, 300],
])('%s is a volume (%#)', (text, writing, ml) => {
  const parsed = parseVolume(text, writing);
  expect(parsed).toEqual({ kind: 'volume', ml: expect.closeTo(ml, 6) });
});

test.each([
  ['', 'empty'],
  ['  ', 'empty'],
  ['abc', 'not_a_number'],
  ['ml', 'not_a_number'],
  ['1.2.3', 'not_a_number'],
  ['1,2,3', 'not_a_number'],
  ['1/0', 'not_a_number'],
  ['1 2', 'not_a_number'],
  ['..', 'not_a_number'],
  ['5 5/', 'not_a_number'],
  ['-5', 'negative'],
  ['−0,5 l', 'negative'],
])('“%s” is refused as %s', (text, kind) => {
  expect(parseVolume(text, english).kind).toBe(kind);
  expect(parseVolume(text, german).kind).toBe(kind);
});

test('an unknown unit is named', () => {
  expect(parseVolume('3 buckets', english)).toEqual({ kind: 'unknown_unit', unit: 'buckets' });
  expect(parseVolume('3 constructor', english)).toEqual({ kind: 'unknown_unit', unit: 'constructor' });
});

const writings = fc.constantFrom(english, german, uk, us);

test('every text is a volume of at least 0 mL or is refused', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^[-0-9., ½/lmcptoz]{0,12}$/)),
      writings,
      (text, writing) => {
        const parsed = parseVolume(text, writing);
        if (parsed.kind === 'volume') {
          expect(parsed.ml).toBeGreaterThanOrEqual(0);
          expect(Number.isFinite(parsed.ml)).toBe(true);
        }
      },
    ),
  );
});

test('a volume written by a browser in its language is read back', () => {
  const languages = [
    ['en', '.'],
    ['de', ','],
    ['fr', ','],
    ['es', ','],
    ['nl', ','],
  ] as const;
  const units = [
    ['ml', 1],
    [' cl', 10],
    [' dl', 100],
    [' L', 1_000],
  ] as const;
  fc.assert(
    fc.property(
      fc.nat({ max: 20_000_000 }),
      fc.constantFrom(...languages),
      fc.constantFrom(...units),
      (tenths, [language, decimal], [unit, ml]) => {
        const text = `${new Intl.NumberFormat(language).format(tenths / 10)}${unit}`;
        const parsed = parseVolume(text, { mlPerUnit: 1, decimal, units: 'metric' });
        expect(parsed).toEqual({ kind: 'volume', ml: expect.closeTo((tenths / 10) * ml, 3) });
      },
    ),
  );
});
