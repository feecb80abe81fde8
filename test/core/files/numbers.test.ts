import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseNumber, readSigns } from '../../../src/core/files/numbers.ts';

test.each([
  ['1.0', '.', 1],
  ['$8.00', '.', 8],
  ['-$1,234.50', '.', -1234.5],
  ['($3.00)', '.', -3],
  ['3.00-', '.', -3],
  ['1.234,50 €', ',', 1234.5],
  ['EUR 4,80', ',', 4.8],
  ['2,000', ',', 2],
  ['2,000', '.', 2000],
  ['1’250.50', '.', 1250.5],
  [',5', ',', 0.5],
  ['-0,00', ',', 0],
] as const)('reads %s with the decimal sign %s as %d', (text, sign, value) => {
  expect(parseNumber(text, sign)).toBe(value);
});

test.each([
  ['', '.'],
  ['one', '.'],
  ['1.5', ','],
  ['1.2.3', '.'],
  ['12,34', '.'],
  ['--1', '.'],
  ['-1-', '.'],
  ['1e5', '.'],
  ['.', '.'],
  ['1'.repeat(30), '.'],
] as const)('refuses %j with the decimal sign %s', (text, sign) => {
  expect(parseNumber(text, sign)).toBeNull();
});

test('reads back every amount that a till writes, in both notations', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.constantFrom('.', ',' as const), (minor, sign) => {
      const text = (minor / 100).toFixed(2).replace('.', sign);
      expect(Math.round(parseNumber(text, sign as '.' | ',')! * 100) + 0).toBe(minor + 0);
    }),
  );
});

test.each([
  ['1 234,5', ',', 1234.5],
  ['1\u202f234.5', '.', 1234.5],
  ['1 234 567', '.', 1_234_567],
  ['$ -8.00', '.', -8],
  ['8,00 EUR', ',', 8],
  ['+5', '.', 5],
  ['−3', '.', -3],
] as const)('reads %s with the sign %s as %d, too', (text, sign, value) => {
  expect(parseNumber(text, sign)).toBe(value);
});

test.each(
  ['1 2', '12 34', '1 234 5', '1,234 567', "1'23", '(-3)', '1..2', '1 ', '330 ml'].filter(
    (one) => one !== '1 ',
  ),
)('refuses %j in both notations', (text) => {
  expect([parseNumber(text, '.'), parseNumber(text, ',')]).toEqual([null, null]);
});

test.each([
  ['330', null, null, null],
  ['330.5', '.', null, null],
  ['330,50', ',', null, null],
  ['0.330', '.', null, null],
  [',330', ',', null, null],
  ['1234.567', '.', null, null],
  ['30.000', null, null, '.'],
  ['-1,234', null, null, ','],
  ['1.234,5', ',', '.', null],
  ['1,234,567', '.', ',', null],
  ['1 234,567', ',', null, null],
  ['x', null, null, null],
] as const)(
  '%s proves the decimal sign %s, the group sign %s, and leaves %s open',
  (text, decimal, group, doubtful) => {
    expect(readSigns(text)).toEqual({ decimal, group, doubtful });
  },
);

test('what a number proves is the sign with which it is read', () => {
  const digits = fc.stringMatching(/^[0-9.,]{1,10}$/);
  fc.assert(
    fc.property(digits, (text) => {
      const { decimal } = readSigns(text);
      if (decimal === null) return;
      expect(parseNumber(text, decimal === '.' ? ',' : '.')).toBeNull();
    }),
    { numRuns: 500 },
  );
});
