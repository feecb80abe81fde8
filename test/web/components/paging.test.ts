import { expect, test } from 'vitest';
import { pageQuery, withOlder } from '../../../src/web/components/paging.ts';

test('the query of the next page is all that its address has', () => {
  expect(pageQuery('/api/drinks?order=time&user=zo%C3%AB%2B+1&limit=50&cursor=b1777743000000.12')).toEqual({
    order: 'time',
    user: 'zoë+ 1',
    limit: '50',
    cursor: 'b1777743000000.12',
  });
});

const state = (items: readonly number[], next: string | null = null) => ({ items, next, error: null });

test('the newest items replace those shown, and older ones stay below them', () => {
  const joined = withOlder(state([9, 8, 7, 6]), state([8, 7, 6, 5, 4], '/older'), (item) => item);
  expect(joined).toEqual(state([9, 8, 7, 6, 5, 4], '/older'));
});

test('an item that moved to the newest ones is shown once', () => {
  const joined = withOlder(state([3, 9, 8]), state([9, 8, 5, 3], '/older'), (item) => item);
  expect(joined.items).toEqual([3, 9, 8, 5]);
});

test('without an item in common, or without keys, only the newest are shown, and the rest is loaded again', () => {
  const newest = state([9, 8], '/after-8');
  expect(withOlder(newest, state([5, 4], '/older'), (item) => item)).toEqual(newest);
  expect(withOlder(newest, state([8, 7], '/older'), () => undefined)).toEqual(newest);
});
