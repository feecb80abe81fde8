import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  findHiddenCharacter,
  normalizeBreaks,
  removeHiddenCharacters,
} from '../../../src/core/text/text-rules.ts';

const hidden: readonly (readonly [what: string, character: string, name: string])[] = [
  ['NUL', '\0', 'U+0000'],
  ['escape, which starts terminal sequences', '\x1b', 'U+001B'],
  ['delete', '\x7f', 'U+007F'],
  ['a C1 control', '\x9b', 'U+009B'],
  ['soft hyphen', '\u00ad', 'U+00AD'],
  ['combining grapheme joiner', '\u034f', 'U+034F'],
  ['Arabic letter mark', '\u061c', 'U+061C'],
  ['Hangul filler', '\u3164', 'U+3164'],
  ['halfwidth Hangul filler', '\uffa0', 'U+FFA0'],
  ['zero width space', '\u200b', 'U+200B'],
  ['zero width non-joiner', '\u200c', 'U+200C'],
  ['zero width joiner', '\u200d', 'U+200D'],
  ['left-to-right mark', '\u200e', 'U+200E'],
  ['right-to-left mark', '\u200f', 'U+200F'],
  ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'].map(
    (mark) => ['a bidi control', mark, `U+${mark.charCodeAt(0).toString(16).toUpperCase()}`] as const,
  ),
  ['word joiner', '\u2060', 'U+2060'],
  ['invisible plus', '\u2064', 'U+2064'],
  ['a stray variation selector', '\ufe0f', 'U+FE0F'],
  ['byte order mark', '\ufeff', 'U+FEFF'],
  ['blank Braille pattern', '\u2800', 'U+2800'],
  ['interlinear annotation', '\ufff9', 'U+FFF9'],
  ['noncharacter', '\uffff', 'U+FFFF'],
  ['half of a surrogate pair', '\ud83c', 'U+D83C'],
  ['tag character', '\u{e0041}', 'U+E0041'],
];

test.each(hidden)('%s is found and removed', (_what, character, name) => {
  const text = `Hel${character}les`;
  expect(findHiddenCharacter(text, 'line')).toBe(name);
  expect(findHiddenCharacter(text, 'lines')).toBe(name);
  expect(removeHiddenCharacters(text, 'line')).toBe('Helles');
  expect(removeHiddenCharacters(text, 'lines')).toBe('Helles');
});

test.each([
  ['umlauts', 'Märzen – Öl'],
  ['Japanese', '生ビール'],
  ['Hebrew', 'בירה'],
  ['an emoji', 'Helles 🍺'],
  ['a family joined by ZWJ', '👨‍👩‍👧'],
  ['a skin tone and ZWJ', '👩🏽‍🍳'],
  ['a heart with its variation selector', '❤️'],
  ['the rainbow flag', '🏳️‍🌈'],
  ['the flag of Scotland, made of tag characters', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
  ['a country’s flag', '🇩🇪'],
  ['a key cap', '1️⃣'],
  ['Persian with ZWNJ', 'می‌خواهم'],
  ['Sinhala with ZWJ', 'ශ්‍රී'],
  ['a private character', '\ue000'],
])('%s is kept', (_what, text) => {
  expect(findHiddenCharacter(text, 'line')).toBeNull();
  expect(removeHiddenCharacters(text, 'line')).toBe(text);
});

test('ZWJ is found beside an emoji when it joins nothing', () => {
  expect(findHiddenCharacter('🍺\u200d', 'line')).toBe('U+200D');
  expect(removeHiddenCharacters('\u200d🍺\u200d\u200d🍺', 'line')).toBe('🍺🍺');
});

test('line breaks and tabs become blanks in a line and stay in lines', () => {
  expect(normalizeBreaks('a\r\nb\u2028c\td', 'line')).toBe('a b c d');
  expect(normalizeBreaks('a\r\nb\u2028c\td', 'lines')).toBe('a\nb\nc\td');
  expect(removeHiddenCharacters('a\r\nb\tc\u202e', 'line')).toBe('a b c');
  expect(removeHiddenCharacters('a\r\nb\tc\u202e', 'lines')).toBe('a\nb\tc');
  expect(findHiddenCharacter('a\tb', 'line')).toBe('U+0009');
  expect(findHiddenCharacter('a\n\tb', 'lines')).toBeNull();
});

test('no hidden character is found in any text after their removal', () => {
  const parts = fc.constantFrom(
    ...hidden.map(([, one]) => one),
    ...'a1#🍺👩🏽🏴ش漢',
    '\u{e0067}',
    '\u{e007f}',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), fc.constantFrom('line', 'lines'), (list, kind) => {
      const removed = removeHiddenCharacters(list.join(''), kind);
      expect(findHiddenCharacter(removed, kind)).toBeNull();
      expect(removeHiddenCharacters(removed, kind)).toBe(removed);
    }),
  );
});
