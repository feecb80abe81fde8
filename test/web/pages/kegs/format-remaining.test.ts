import { expect, test } from 'vitest';
import { loadAllTexts } from '../../../../src/web/locales/locale.ts';
import { formatRemaining } from '../../../../src/web/pages/kegs/menu/format-remaining.ts';

await loadAllTexts();

const keg = (remainMl: number) => ({
  id: 1,
  percent_full: remainMl / 30_000,
  volume_ml_remain: remainMl,
  full_volume_ml: 30_000,
});

test.each([
  [30_000, 'Plenty left'],
  [20_000, 'More than half left'],
  [14_000, 'Less than half left'],
  [6_000, 'Getting low: about 12 glasses'],
  [900, 'Nearly empty: about 1 glass'],
  [400, 'Nearly empty'],
  [0, 'May be empty'],
  [-250, 'May be empty'],
])('%i mL in a 30 L keg with servings of 500 mL is formatted as: %s', (remainMl, text) => {
  expect(formatRemaining(keg(remainMl), 500)).toBe(text);
});

test('gives no number of servings without a serving size', () => {
  expect(formatRemaining(keg(6_000), null)).toBe('Getting low');
});
