import { expect, test } from 'vitest';
import { MessageError, parseMessage } from '../../../src/core/locales/parse-message.ts';
import { createTranslator, type MessageValues } from '../../../src/web/locales/translator.ts';

/** Formats one message in a language. */
const format = (message: string, values: MessageValues = {}, language = 'en') =>
  createTranslator(language, { 'audit.via.x': message }).findText('audit.via', 'x', values);

test('replaces placeholders and leaves their values as they are', () => {
  expect(format('{name} on {system}', { name: '{system}', system: 1234 })).toBe('{system} on 1234');
});

test('chooses the plural form of the language', () => {
  const message = '{count, plural, one {1 pour} few {{count} pours (few)} other {{count} pours}}';
  expect([1, 2, 5].map((count) => format(message, { count }))).toEqual(['1 pour', '2 pours', '5 pours']);
  expect([1, 2, 5].map((count) => format(message, { count }, 'pl'))).toEqual([
    '1 pour',
    '2 pours (few)',
    '5 pours',
  ]);
});

test('prefers the form of an exact number', () => {
  const message = '{count, plural, =0 {none} one {one} other {many}}';
  expect([0, 1, 2].map((count) => format(message, { count }))).toEqual(['none', 'one', 'many']);
});

test('chooses the form of a value, and “other” for unknown values', () => {
  const message = 'Empty this {part, select, morning {morning} other {evening}}.';
  expect(format(message, { part: 'morning' })).toBe('Empty this morning.');
  expect(format(message, { part: 'night' })).toBe('Empty this evening.');
});

test('takes the names of inherited members for ordinary values', () => {
  const message = '{part, select, morning {morning} other {another}}';
  expect(format(message, { part: 'constructor' })).toBe('another');
  expect(format(message, { part: '__proto__' })).toBe('another');
});

test('writes numbers as the language does', () => {
  expect(format('at most {most, number}', { most: 1234.5 }, 'en')).toBe('at most 1,234.5');
  expect(format('höchstens {most, number}', { most: 1234.5 }, 'de')).toBe('höchstens 1.234,5');
});

test('has no text for an unknown name or an inherited member', () => {
  const { findText } = createTranslator('en', { 'audit.via.page': 'on the page' });
  expect(findText('audit.via', 'page')).toBe('on the page');
  expect(findText('audit.via', 'constructor')).toBeUndefined();
  expect(findText('audit.via', 'unknown')).toBeUndefined();
});

test('lists the texts of a group by their names', () => {
  const catalogue = {
    'audit.via.page': 'on the page',
    'audit.via.key': 'by a key',
    'audit.title': 'Changes',
  };
  expect(createTranslator('en', catalogue).listTexts('audit.via')).toEqual({
    page: 'on the page',
    key: 'by a key',
  });
});

test.each([
  '{count',
  'count}',
  '{}',
  '{count, date}',
  '{count, plural, one {1}}',
  '{count, plural, one {1} other {2}',
])('refuses the incomplete message “%s”', (message) => {
  expect(() => parseMessage(message)).toThrow(MessageError);
});

test('the compiler refuses unknown keys and wrong placeholders', () => {
  const { t, findText } = createTranslator('en', {});
  // @ts-expect-error: no such key
  t('audit.nothingSuch');
  // @ts-expect-error: the value is missing
  t('kegs.keg');
  // @ts-expect-error: another value than the text needs
  t('kegs.keg', { number: 7 });
  // @ts-expect-error: a value too much
  t('kegs.keg', { id: 7, tap: 'Left' });
  // @ts-expect-error: a value although the text has no placeholder
  t('kegs.noKeg', { id: 7 });
  // @ts-expect-error: a plural needs a number
  t('menu.servings', { count: '2' });
  // @ts-expect-error: no such group
  findText('audit.nothing', 'x');
  expect(t('kegs.keg', { id: 7 })).toBe('kegs.keg');
});
