/** The language in which every text exists. */
export const defaultLanguage = 'en';

/**
 * The first language that is wanted and available; else English. A tag such as `de-AT` is also satisfied by `de`. Null and
 * unknown tags are skipped.
 */
export function chooseLanguage(
  wanted: readonly (string | null | undefined)[],
  available: readonly string[],
): string {
  return wanted.map((tag) => findLanguage(tag, available)).find((tag) => tag !== null) ?? defaultLanguage;
}

/** The available language of a tag: itself, else the language without its country; null if there is none. */
export function findLanguage(tag: string | null | undefined, available: readonly string[]): string | null {
  const [full, language] = [tag?.toLowerCase(), tag?.toLowerCase().split('-')[0]];
  const find = (name: string | undefined) => available.find((one) => one.toLowerCase() === name);
  return find(full) ?? find(language) ?? null;
}
