import { expect, test } from 'vitest';
import { ebcToSrm, srmToEbc, srmToHex } from '../../../src/core/kegs/beer-color.ts';

test('one SRM is 1.97 EBC, and a value in EBC is unchanged by storing it as SRM', () => {
  expect(srmToEbc(10)).toBe(19.7);
  expect(ebcToSrm(19.7)).toBe(10);
  for (const ebc of [4, 6.5, 8, 25, 33, 80]) expect(srmToEbc(ebcToSrm(ebc))).toBe(ebc);
});

test('pale beer is yellow, dark beer brown, and values beyond the scale have the colour at its end', () => {
  expect([0, 1, 3, 14, 40, 900].map(srmToHex)).toEqual([
    '#FFE699',
    '#FFE699',
    '#FFCA5A',
    '#C35900',
    '#36080A',
    '#36080A',
  ]);
});
