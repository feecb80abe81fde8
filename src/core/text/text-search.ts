/** Letters that Unicode does not decompose, in the form in which people type them without their keyboard. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
};

/** Returns a text in the form in which searches compare texts: without case, accents and punctuation. */
export function toSearchText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðþłı]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** True when the text contains each word of the search text, in any order; an empty one matches every text. */
export function matchesSearch(text: string, searchText: string): boolean {
  const found = toSearchText(text);
  return toSearchText(searchText)
    .split(' ')
    .every((word) => found.includes(word));
}
