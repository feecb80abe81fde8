import { expect, test } from 'vitest';
import { omitUndefined } from '../../src/core/omit-undefined.ts';

test('only undefined members are omitted, and the order is kept', () => {
  const object = omitUndefined({ b: undefined, z: null, a: 0, empty: '', no: false });
  expect(Object.entries(object)).toEqual([
    ['z', null],
    ['a', 0],
    ['empty', ''],
    ['no', false],
  ]);
});

test('a default is kept when the member spread over it is undefined', () => {
  const limit: number | undefined = undefined;
  expect({ limit: 20, ...omitUndefined({ limit }) }).toEqual({ limit: 20 });
});
