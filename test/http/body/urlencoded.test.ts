import { expect, test } from 'vitest';
import { parseUrlencoded } from '../../../src/http/body/urlencoded.ts';

const invalid = expect.objectContaining({ code: 'invalid_request' });

test('a form gives each field once, decoded', () => {
  expect({ ...parseUrlencoded('username=anna+b&shout=Prost%21&ticks=12&empty=&bare&&') }).toEqual({
    username: 'anna b',
    shout: 'Prost!',
    ticks: '12',
    empty: '',
    bare: '',
  });
});

test('a field given twice is refused: nobody can say which one was meant', () => {
  expect(() => parseUrlencoded('ticks=1&ticks=2')).toThrow(invalid);
});

test.each(['shout=%', 'shout=%zz', 'shout=%ff', '%e4=1'])('%s is broken encoding', (text) => {
  expect(() => parseUrlencoded(text)).toThrow(invalid);
});

test('two hundred fields are a form, one more is mischief', () => {
  const form = (count: number) => Array.from({ length: count }, (_, i) => `f${i}=1`).join('&');
  expect(Object.keys(parseUrlencoded(form(200)))).toHaveLength(200);
  expect(() => parseUrlencoded(form(201))).toThrow(invalid);
});

test('a field named like a part of every object is a field like any other', () => {
  const fields = parseUrlencoded('__proto__=1&constructor=2');
  expect(Object.keys(fields)).toEqual(['__proto__', 'constructor']);
});
