import { expect, test } from 'vitest';
import { latestFirst } from '../../../src/web/components/paging.ts';

test('a list with times shows the latest item first, not the one with the highest id', () => {
  const items = [
    { id: 3, time: '1970-01-01T00:00:05Z' },
    { id: 2, time: '2026-05-02T17:00:00Z' },
    { id: 1, time: '2026-05-02T17:00:00Z' },
    { id: 4, time: '2026-05-03T17:00:00Z' },
  ];
  expect(latestFirst(items, ({ time }) => time).map(({ id }) => id)).toEqual([4, 2, 1, 3]);
});
