import { describe, expect, test } from 'vitest';
import {
  createProductFinder,
  isDraughtCategory,
} from '../../../../src/extensions/sales/core/propose-product.ts';

const known = {
  beverages: [
    { id: 1, name: 'Helles', producer: 'Augustiner' },
    { id: 2, name: 'Kölsch', producer: 'Früh' },
    { id: 3, name: 'Pale Ale', producer: 'Maisel' },
    { id: 4, name: 'Hazy Pale Ale', producer: 'Maisel' },
    { id: 5, name: 'Stout', producer: 'A' },
    { id: 6, name: 'Stout', producer: 'B' },
  ],
  sizes: [
    { id: 11, volumeMl: 118.3, names: ['Taster'] },
    { id: 12, volumeMl: 300, names: [] },
    { id: 13, volumeMl: 500, names: ['Halbe'] },
    { id: 14, volumeMl: 473.2, names: ['Pint'] },
  ],
};
const writing = { mlPerUnit: 1_000, decimal: ',', units: 'metric' } as const;
const propose = (name: string, variant = '') => {
  const { beverageId, sizeId } = createProductFinder(known, writing)({ name, variant, category: '' });
  return [beverageId, sizeId];
};

describe('a product is proposed', () => {
  test.each([
    ['Helles 0,5', '', [1, 13]],
    ['HELLES 0.3L', '', [1, 12]],
    ['Koelsch 0,5', '', [null, 13]],
    ['Kölsch', '500 ml', [2, 13]],
    ['Pale Ale Pint', '', [3, 14]],
    ['Hazy Pale Ale', 'Taster', [4, 11]],
    ['Augustiner Helles', 'Halbe', [1, 13]],
    ['Burger', 'Regular', [null, null]],
  ] as const)('%s %s', (name, variant, expected) => {
    expect(propose(name, variant)).toEqual(expected);
  });

  test('not where two beverages fit, and not for bottles', () => {
    expect(propose('Stout 0,5')).toEqual([null, 13]);
    expect(propose('Helles 0,5 Flasche')).toEqual([null, null]);
    expect(propose('Pale Ale Bottle 12oz')).toEqual([null, null]);
  });
});

test.each([
  ['Draft Beer', true],
  ['Bier vom Fass', true],
  ['Bottled Beer', false],
  ['Speisen', false],
])('the category %s says draught: %s', (category, isDraught) => {
  expect(isDraughtCategory(category)).toBe(isDraught);
});
