import Type from 'typebox';
import { expect, test } from 'vitest';
import {
  parseBoolean,
  parseNumber,
  parseTexts,
  parseUrlencoded,
} from '../../../../src/http/pipeline/body/form-values.ts';

test.each([
  ['2200', 2200],
  ['2200.0', 2200],
  ['-1.5', -1.5],
  ['.5', 0.5],
  ['1e3', 1000],
  ['-0', 0],
])('parses %s as %d', (text, value) => {
  expect(parseNumber(text)).toBe(value);
});

test.each([
  '12abc',
  'nan',
  'NaN',
  'inf',
  '-Infinity',
  '1e400',
  '0x10',
  '1_000',
  '',
  ' ',
  '1 2',
  '١٢',
  '--1',
  '.',
])('rejects “%s” as a number', (text) => {
  expect(parseNumber(text)).toBeUndefined();
});

test.each([
  ['True', true],
  ['true', true],
  ['1', true],
  ['on', true],
  ['YES', true],
  ['False', false],
  ['0', false],
  ['off', false],
  ['no', false],
])('parses “%s” as %s', (text, value) => {
  expect(parseBoolean(text)).toBe(value);
});

test.each(['maybe', '2', 't', ''])('rejects “%s” as a boolean', (text) => {
  expect(parseBoolean(text)).toBeUndefined();
});

test('converts texts by the schema and omits empty fields', () => {
  const schema = Type.Object({
    ticks: Type.Integer(),
    spilled: Type.Boolean(),
    username: Type.String(),
    volume_ml: Type.Union([Type.Number(), Type.Null()]),
  });
  const read = parseTexts(schema, {
    ticks: '12',
    spilled: 'on',
    username: '12',
    volume_ml: '3.5',
    shout: '',
    tap_name: '7',
  });
  expect({ ...read }).toEqual({ ticks: 12, spilled: true, username: '12', volume_ml: 3.5, tap_name: '7' });
});

test('keeps an invalid number as text, so that validation rejects it', () => {
  const read = parseTexts(Type.Object({ ticks: Type.Integer() }), { ticks: '12abc' });
  expect(read.ticks).toBe('12abc');
});

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
