import { expect, test } from 'vitest';
import { findCatalogueFaults } from '../../../src/core/locales/catalogue-faults.ts';

const en = { 'kegs.empty': 'Empty', 'kegs.left': '{left} left of {full}' };

test('finds nothing in catalogues with the same keys and placeholders', () => {
  const de = { 'kegs.empty': 'Leer', 'kegs.left': 'Von {full} sind {left} übrig' };
  expect(findCatalogueFaults({ en, de })).toEqual([]);
});

test('lists missing and unknown keys of each language', () => {
  const fr = { 'kegs.empty': 'Vide', 'kegs.plein': 'Plein' };
  const nl = { 'kegs.left': '{left} van {full}' };
  expect(findCatalogueFaults({ en, fr, nl })).toEqual([
    'locales/fr.json: kegs.left is missing',
    'locales/fr.json: kegs.plein is not a key of en.json',
    'locales/nl.json: kegs.empty is missing',
  ]);
});

test('lists messages with other placeholders, without text and with wrong syntax', () => {
  const es = { 'kegs.empty': '', 'kegs.left': 'Quedan {rest}' };
  expect(findCatalogueFaults({ en, es })).toEqual([
    'locales/es.json: kegs.empty cannot be parsed: it must be a text',
    'locales/es.json: kegs.left needs the placeholders [full,left], not [rest]',
  ]);
  expect(findCatalogueFaults({ en: { 'kegs.empty': 'Empty {' } })).toEqual([
    expect.stringContaining('locales/en.json: kegs.empty cannot be parsed: Expected'),
  ]);
});

test('accepts a note about the language that English does not have', () => {
  expect(findCatalogueFaults({ en, nl: { ...en, 'language.note': 'Niet nagekeken' } })).toEqual([]);
});
