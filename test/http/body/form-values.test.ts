import Type from 'typebox';
import { expect, test } from 'vitest';
import { parseBoolean, parseNumber, parseTexts } from '../../../src/http/body/form-values.ts';

test.each([
  ['2200', 2200],
  ['2200.0', 2200],
  ['-1.5', -1.5],
  ['.5', 0.5],
  ['1e3', 1000],
  ['-0', 0],
])('a controller that writes %s means %d', (text, value) => {
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
])('“%s” is no number of ticks', (text) => {
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
])('“%s” for spilled means %s', (text, value) => {
  expect(parseBoolean(text)).toBe(value);
});

test.each(['maybe', '2', 't', ''])('“%s” for spilled means nothing', (text) => {
  expect(parseBoolean(text)).toBeUndefined();
});

test('a form is read as its schema asks, and an empty field was not filled in', () => {
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

test('what is no number stays as it was written, for the schema to refuse', () => {
  const read = parseTexts(Type.Object({ ticks: Type.Integer() }), { ticks: '12abc' });
  expect(read.ticks).toBe('12abc');
});
