import { expect, test } from 'vitest';
import { parseUrlencoded } from '../../../src/http/body/urlencoded.ts';

const invalid = expect.objectContaining({ code: 'invalid_request' });

test('parses and decodes the fields of a form', () => {
  expect({ ...parseUrlencoded('username=anna+b&shout=Prost%21&ticks=12&empty=&bare&&') }).toEqual({
    username: 'anna b',
    shout: 'Prost!',
    ticks: '12',
    empty: '',
    bare: '',
  });
});

test('rejects a field that is sent twice', () => {
  expect(() => parseUrlencoded('ticks=1&ticks=2')).toThrow(invalid);
});

test.each(['shout=%', 'shout=%zz', 'shout=%ff', '%e4=1'])('rejects the invalid encoding %s', (text) => {
  expect(() => parseUrlencoded(text)).toThrow(invalid);
});

test('accepts 200 fields and rejects one more', () => {
  const form = (count: number) => Array.from({ length: count }, (_, i) => `f${i}=1`).join('&');
  expect(Object.keys(parseUrlencoded(form(200)))).toHaveLength(200);
  expect(() => parseUrlencoded(form(201))).toThrow(invalid);
});

test('accepts fields with the names of object members', () => {
  const fields = parseUrlencoded('__proto__=1&constructor=2');
  expect(Object.keys(fields)).toEqual(['__proto__', 'constructor']);
});
