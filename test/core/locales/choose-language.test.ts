import { expect, test } from 'vitest';
import { chooseLanguage } from '../../../src/core/locales/choose-language.ts';

const available = ['de', 'en', 'pt-BR'];

test.each([
  [['de'], 'de'],
  [['de-AT'], 'de'],
  [['pt-br'], 'pt-BR'],
  [['pt'], 'en'],
  [[null, undefined, '', 'xx', 'DE'], 'de'],
  [['en-US', 'de'], 'en'],
  [[], 'en'],
])('of %j it chooses %s', (wanted, chosen) => {
  expect(chooseLanguage(wanted, available)).toBe(chosen);
});
