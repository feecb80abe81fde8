import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { joinAlarmKinds } from '../../../src/core/alarms/alarm-kinds.ts';
import { type ParsedMessage, parseMessage } from '../../../src/core/locales/parse-message.ts';
import { extensions } from '../../../src/extensions/all.ts';
import type { Catalogue } from '../../../src/web/locales/translator.ts';

const src = join(import.meta.dirname, '../../../src');
const folder = join(src, '../locales');

const catalogues = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => {
    const json = readFileSync(join(folder, name), 'utf8');
    return { language: name.replace('.json', ''), json, catalogue: JSON.parse(json) as Catalogue };
  });
const english = catalogues.find(({ language }) => language === 'en')?.catalogue ?? {};
const translations = catalogues.filter(({ language }) => language !== 'en');

/** A note for the readers of a language, which not every catalogue has; the build reads it. */
const noteKey = 'language.note';
const allKeys = new Set(catalogues.flatMap(({ catalogue }) => Object.keys(catalogue)));

const readSources = (directory: string): string =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('locales/messages.ts'))
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join('\n');
const sources = ['web', 'outbox', 'extensions'].map((layer) => readSources(join(src, layer))).join('\n');
const match = (pattern: RegExp) => [...sources.matchAll(pattern)].map(([, found = '']) => found);

test('English and German exist', () => {
  expect(catalogues.map(({ language }) => language)).toEqual(expect.arrayContaining(['en', 'de']));
});

test.each(translations)('$language has the keys of English', ({ catalogue }) => {
  const missing = Object.keys(english).filter((key) => catalogue[key] === undefined);
  const unknown = Object.keys(catalogue).filter((key) => english[key] === undefined && key !== noteKey);
  expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
});

test('every translation has the placeholders of English', () => {
  for (const { language, catalogue } of translations) {
    for (const [key, text] of Object.entries(english)) {
      expect(listPlaceholders(catalogue[key] ?? ''), `${key} in ${language}`).toEqual(listPlaceholders(text));
    }
  }
});

test.each(catalogues)('every plural of $language has the forms that the language needs', (entry) => {
  const needed = new Intl.PluralRules(entry.language).resolvedOptions().pluralCategories;
  for (const [key, text] of Object.entries(entry.catalogue)) {
    for (const forms of listPluralForms(parseMessage(text))) {
      const named = forms.filter((form) => !form.startsWith('='));
      expect(named.sort(), key).toEqual([...needed].sort());
    }
  }
});

test.each(catalogues)('$language never breaks a line before %', ({ catalogue }) => {
  for (const [key, text] of Object.entries(catalogue)) expect(text, key).not.toMatch(/\} %/);
});

test('French has a narrow no-break space before : ; ! ? % and inside of quotation marks', () => {
  const { catalogue = {} } = catalogues.find(({ language }) => language === 'fr') ?? {};
  const other = /[^\u202f][;!?»]|[^\u202f(]%|[^\u202f]:(?=\s|$)|«[^\u202f]/;
  expect(Object.entries(catalogue).filter(([, text]) => other.test(text))).toEqual([]);
});

test.each(catalogues)('$language has no HTML, no empty text and no ASCII apostrophe', ({ catalogue }) => {
  // ICU tools take an ASCII apostrophe for an escape character.
  expect(Object.entries(catalogue).filter(([, text]) => text === '' || /[<>&']/.test(text))).toEqual([]);
});

test.each(catalogues)('the file of $language has one key per line, sorted', ({ catalogue, json }) => {
  const sorted = Object.entries(catalogue).sort(([a], [b]) => (a < b ? -1 : 1));
  expect(json).toBe(`${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
});

test('the page or the daemon uses every key', () => {
  const literals = new Set(match(/['`]([a-z]\w*(?:\.[\w-]+)+)['`]/gi));
  const templates = match(/`((?:\w+\.)+)\$\{/g).map((prefix) => prefix.slice(0, -1));
  // The mail of an alarm is found by its kind.
  const mails = joinAlarmKinds(extensions).names.map((kind) => `mails.${kind}`);
  const groups = new Set([...literals, ...templates, ...mails]);
  const isUsed = (key: string) => {
    const parts = key.split('.');
    return literals.has(key) || parts.some((_, end) => groups.has(parts.slice(0, end).join('.')));
  };
  expect([...allKeys].filter((key) => key !== noteKey && !isUsed(key))).toEqual([]);
});

test('the catalogues have every key and group that is used', () => {
  const keys = match(/\bt\(\s*['`]([\w.-]+)['`]/g);
  expect(keys.length).toBeGreaterThan(100);
  expect(keys.filter((key) => english[key] === undefined)).toEqual([]);
  const groups = match(/\b(?:findText|listTexts)\(\s*['`]([\w.-]+)['`]/g);
  const hasKeys = (group: string) => [...allKeys].some((key) => key.startsWith(`${group}.`));
  expect(groups.filter((group) => !hasKeys(group))).toEqual([]);
});

function listPlaceholders(message: string): readonly string[] {
  const list = (parts: ParsedMessage): string[] =>
    parts.flatMap((part) =>
      typeof part === 'string' ? [] : [part.name, ...Object.values(part.forms).flatMap(list)],
    );
  return [...new Set(list(parseMessage(message)))].sort();
}

function listPluralForms(parts: ParsedMessage): readonly string[][] {
  return parts.flatMap((part) =>
    typeof part === 'string'
      ? []
      : [
          ...(part.type === 'plural' ? [Object.keys(part.forms)] : []),
          ...Object.values(part.forms).flatMap(listPluralForms),
        ],
  );
}
