import { expect, test } from 'vitest';
import { chooseAlarmKinds } from '../../../src/core/alarms/chosen-kinds.ts';

const all = ['warm', 'dry', 'darts', 'cards'];
/** Darts and cards are off. */
const choose = (before: readonly string[] | null, ...wanted: string[]) =>
  chooseAlarmKinds({ before, wanted, shown: ['warm', 'dry'], all });

test('all shown kinds are all, unless one that is not shown was left out before', () => {
  expect(choose(null, 'warm', 'dry')).toBeNull();
  expect(choose(['darts', 'cards'], 'warm', 'dry')).toBeNull();
  expect(choose(['warm', 'darts'], 'warm', 'dry')).toEqual(['warm', 'dry', 'darts']);
});

test('kinds that are not shown stay as they were chosen', () => {
  expect(choose(null)).toEqual(['darts', 'cards']);
  expect(choose(['dry', 'cards'], 'warm')).toEqual(['warm', 'cards']);
  expect(choose([])).toEqual([]);
});
