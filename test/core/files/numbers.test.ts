import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseNumber } from '../../../src/core/files/numbers.ts';

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
