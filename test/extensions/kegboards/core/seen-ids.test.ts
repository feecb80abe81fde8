import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SeenIds } from '../../../../src/extensions/kegboards/core/seen-ids.ts';

test('consecutive ids form one span, a gap stays open, and filling it joins its neighbours', () => {
  const seen = new SeenIds();
  for (const id of [1, 2, 3, 5]) seen.add(id);
  expect(seen.toString()).toBe('0 1-3 5');
  expect(seen.state(4)).toBe('new');
  seen.add(4);
  expect(seen.toString()).toBe('0 1-5');
});

test('with too many gaps the oldest ones are forgotten', () => {
  const seen = new SeenIds();
  for (let id = 1; id <= 400; id += 2) seen.add(id);
  expect(seen.state(2)).toBe('forgotten');
  expect(seen.state(1)).toBe('forgotten');
  expect(seen.state(398)).toBe('new');
  expect(seen.state(399)).toBe('seen');
  expect(seen.toString().length).toBeLessThan(4_096);
});

test('property: in any order and with repeats, exactly the added ids are seen', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 })), (ids) => {
      let seen = new SeenIds();
      const known = new Set<number>();
      for (const id of ids) {
        expect(seen.state(id)).toBe(known.has(id) ? 'seen' : 'new');
        seen.add(id);
        known.add(id);
        seen = new SeenIds(seen.toString());
      }
      for (let id = 1; id <= 61; id++) expect(seen.state(id)).toBe(known.has(id) ? 'seen' : 'new');
    }),
  );
});
