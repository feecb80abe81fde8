import { expect, test } from 'vitest';
import { entityTag, findKnownTag, namesBody, parseCondition } from '../../../src/http/server/entity-tags.ts';

test.each([
  ['*', '*'],
  [' * ', '*'],
  ['"a"', [{ isWeak: false, tag: 'a' }]],
  ['W/"a"', [{ isWeak: true, tag: 'a' }]],
  [
    '"a", W/"b,c" ,,"",',
    [
      { isWeak: false, tag: 'a' },
      { isWeak: true, tag: 'b,c' },
      { isWeak: false, tag: '' },
    ],
  ],
  ['a', null],
  ['"a" "b"', null],
  ['w/"a"', null],
  ['"a', null],
  ['*, "a"', null],
  ['', null],
  [',,', null],
])('reads the condition %j', (header, condition) => {
  expect(parseCondition(header)).toEqual(condition);
});

test('does not read a condition of more than 4096 characters', () => {
  const list = (length: number) => `${',"a"'.repeat(2_000).slice(0, length - 3)}"a"`;
  expect(parseCondition(`"${'a'.repeat(4_094)}"`)).toHaveLength(1);
  expect(parseCondition(`"${'a'.repeat(4_095)}"`)).toBeNull();
  expect(parseCondition(list(5_000))).toBeNull();
});

test('a body has the same tag as text and as bytes, and another body another one', () => {
  expect(entityTag('{"tap":"Küche"}')).toBe(entityTag(Buffer.from('{"tap":"Küche"}')));
  expect(entityTag('a')).not.toBe(entityTag('b'));
});

test('If-None-Match compares weakly, with every coding of the body', () => {
  for (const header of ['"a"', 'W/"a"', '"b", "a"', '"a-br"', 'W/"a-gzip"', '*'])
    expect(findKnownTag(header, 'a')).not.toBeNull();
  for (const header of ['"b"', '"a-zstd"', 'a', undefined]) expect(findKnownTag(header, 'a')).toBeNull();
  expect(findKnownTag('W/"b", W/"a-gzip"', 'a')).toBe('"a-gzip"');
});

test('If-Match compares strongly, with every coding of the body', () => {
  const names = (header: string) => namesBody(parseCondition(header)!, 'a');
  expect(['"a"', '"b", "a"', '"a-br"', '"a-gzip"', '*'].map(names)).toEqual([true, true, true, true, true]);
  expect(['W/"a"', '"b"', '"b-br"'].map(names)).toEqual([false, false, false]);
});
