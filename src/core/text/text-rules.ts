/**
 * Kinds of texts: a `line` such as a name has no line break; `lines` such as a note may have some.
 */
export type TextKind = 'line' | 'lines';

/** Scripts that join their letters: ZWJ (U+200D) and ZWNJ (U+200C) between two letters change what is shown. */
const joining = [
  ...['Arabic', 'Bengali', 'Devanagari', 'Gujarati', 'Gurmukhi', 'Kannada', 'Khmer', 'Malayalam'],
  ...['Mongolian', 'Oriya', 'Sinhala', 'Syriac', 'Tamil', 'Telugu', 'Thaana'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');

const pictograph = '\\p{Extended_Pictographic}[\\uFE0E\\uFE0F]?\\p{Emoji_Modifier}?';

/** Sequences in which an otherwise hidden character is part of what is shown (UTS #51, RFC 5892 appendix A). */
const shownSequences = [
  // Flags of regions, such as Scotland's: a black flag followed by tag characters.
  '\\u{1F3F4}[\\u{E0020}-\\u{E007E}]{1,16}\\u{E007F}',
  `${pictograph}(?:\\u200D${pictograph})*`,
  // Key caps such as 1️⃣.
  '[0-9#*]\\uFE0F\\u20E3',
  // Variants of Chinese characters.
  '\\p{Script=Han}[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]',
  `(?<=[${joining}])[\\u200C\\u200D](?=[${joining}])`,
].join('|');

/**
 * Characters that are not shown as themselves: controls, marks of writing direction such as U+202E, zero-width
 * characters and other default-ignorable ones, halves of surrogate pairs, noncharacters, annotation marks and the
 * blank Braille pattern. Private and unassigned characters are not among them: a newer emoji is unassigned here.
 */
const hiddenCharacters =
  '[\\p{Cc}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800\\uFFF9-\\uFFFB]';

/** The first group is a sequence that is shown; without it the match is one hidden character. */
const shownOrHidden = new RegExp(`(${shownSequences})|${hiddenCharacters}`, 'gu');

const plainAscii = /^[ -~]*$/;
const lineBreaks = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** Replaces line breaks and tabs of a `line` by blanks; in `lines` every kind of line break becomes `\n`. */
export function normalizeBreaks(text: string, kind: TextKind): string {
  if (kind === 'lines') return text.replace(lineBreaks, '\n');
  return text.replace(lineBreaks, ' ').replaceAll('\t', ' ');
}

/**
 * Returns the first hidden character as `U+202E`, or null. Line breaks and tabs are hidden in a `line`; `\n` and tabs
 * are not in `lines`.
 */
export function findHiddenCharacter(text: string, kind: TextKind): string | null {
  if (plainAscii.test(text)) return null;
  for (const [match, shown] of text.matchAll(shownOrHidden)) {
    if (shown === undefined && !isAllowedBreak(match, kind)) return toCodePointName(match);
  }
  return null;
}

/** Returns the text without hidden characters; breaks are normalized as by `normalizeBreaks`. */
export function removeHiddenCharacters(text: string, kind: TextKind): string {
  if (plainAscii.test(text)) return text;
  return normalizeBreaks(text, kind).replace(shownOrHidden, (match: string, shown: string | undefined) =>
    shown !== undefined || isAllowedBreak(match, kind) ? match : '',
  );
}

const isAllowedBreak = (character: string, kind: TextKind): boolean =>
  kind === 'lines' && (character === '\n' || character === '\t');

const toCodePointName = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
