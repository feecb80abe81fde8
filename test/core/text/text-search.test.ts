import { expect, test } from 'vitest';
import { matchesSearch, toSearchText } from '../../../src/core/text/text-search.ts';

test('ignores case, accents, ligatures and punctuation', () => {
  expect(toSearchText('  Bière-Brût  Øl & Weißbier!')).toBe('biere brut ol weissbier');
});

test('finds all words in any order, also parts of words', () => {
  expect(matchesSearch('Pils Brauerei Amsel', 'amsel pil')).toBe(true);
  expect(matchesSearch('Pils Brauerei Amsel', 'amsel stout')).toBe(false);
  expect(matchesSearch('Pils', ' ')).toBe(true);
});
