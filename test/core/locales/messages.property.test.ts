import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MessageError, parseMessage } from '../../../src/core/locales/parse-message.ts';
import { type Catalogue, createTranslator } from '../../../src/core/locales/translator.ts';
import { propertyRuns } from '../../kit/slow.ts';

const folder = new URL('../../../locales/', import.meta.url);
const languages = readdirSync(folder).filter((name) => name.endsWith('.json'));
const readCatalogue = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Catalogue;

/** Also the names of inherited members and the signs of the syntax. */
const anyText = fc.oneof(
  fc.string(),
  fc.constantFrom('{', '}', 'constructor', '__proto__', 'other', 'toString'),
);
const anyValue = fc.oneof(anyText, fc.double(), fc.integer());
const syntax = fc.constantFrom(
  '{',
  '}',
  ', ',
  'plural',
  'select',
  'number',
  'other',
  ' one',
  ' {',
  '=0',
  'a',
  ' ',
);

test.each(languages)('every message of %s is a text for all values', (name) => {
  const catalogue = readCatalogue(name);
  const { findText } = createTranslator<Record<string, never>>(name.replace('.json', ''), catalogue);
  const split = (key: string) => [key.slice(0, key.lastIndexOf('.')), key.slice(key.lastIndexOf('.') + 1)];
  const messages = Object.entries(catalogue)
    .filter(([, message]) => message.includes('{'))
    .map(([key, message]) => ({ key, names: [...message.matchAll(/\{(\w+)/g)].map(([, found]) => found!) }));
  for (const { key, names } of messages) {
    const [group, last] = split(key);
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: names.length, maxLength: names.length }), (values) => {
        const text = findText(
          group as never,
          last!,
          Object.fromEntries(names.map((one, i) => [one, values[i]!])),
        );
        expect(typeof text).toBe('string');
      }),
      { numRuns: propertyRuns(20) },
    );
  }
});

test('parsing a text returns its parts or throws its own error', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.array(syntax, { maxLength: 60 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        expect(Array.isArray(parseMessage(text))).toBe(true);
      } catch (fault) {
        expect(fault).toBeInstanceOf(MessageError);
      }
    }),
    { numRuns: propertyRuns(4_000) },
  );
});

test('a message of ten thousand forms inside of forms is refused', () => {
  expect(() => parseMessage('{a, select, other {'.repeat(10_000))).toThrow(MessageError);
});
