import { expect, test } from 'vitest';
import { limitCost } from '../../../src/engine/reports/statistics-rows.ts';

const rows = [9, 8, 7, 6, 5].map((id) => ({ id }));
const page = {
  total: 12,
  limit: 5,
  pos: 0,
  items: rows,
  next: { direction: 'below', row: { id: 5 } },
  prev: { direction: 'above', row: { id: 9 } },
} as const;
const costOf = ({ id }: { readonly id: number }) => id * 10;
const ids = (items: readonly { id: number }[]) => items.map(({ id }) => id);

test('a page of statistics ends before the rows that are too expensive, which follow on the next page', () => {
  const limited = limitCost(page, { upwards: false, most: 250, costOf });
  expect(ids(limited.items)).toEqual([9, 8, 7]);
  expect(limited).toMatchObject({ next: { direction: 'below', row: { id: 7 } }, prev: page.prev });
});

test('read upwards, the page keeps the rows next to where it was read from', () => {
  const limited = limitCost(page, { upwards: true, most: 130, costOf });
  expect(ids(limited.items)).toEqual([6, 5]);
  expect(limited).toMatchObject({ next: page.next, prev: { direction: 'above', row: { id: 6 } } });
});

test('a page has one row however expensive, and is not changed when it is cheap enough', () => {
  expect(ids(limitCost(page, { upwards: false, most: 1, costOf }).items)).toEqual([9]);
  expect(limitCost(page, { upwards: false, most: 350, costOf })).toBe(page);
});
