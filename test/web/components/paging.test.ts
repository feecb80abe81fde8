import { expect, test } from 'vitest';
import { pageQuery } from '../../../src/web/components/paging.ts';

test('the query of the next page is all that its address has', () => {
  expect(pageQuery('/api/drinks?order=time&user=zo%C3%AB%2B+1&limit=50&cursor=b1777743000000.12')).toEqual({
    order: 'time',
    user: 'zoë+ 1',
    limit: '50',
    cursor: 'b1777743000000.12',
  });
});
