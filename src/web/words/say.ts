import { english, type Words } from './english.ts';
import { german } from './german.ts';

const languages: Readonly<Record<string, Words>> = { en: english, de: german };
/** Where a choice made on the page is kept; without one the browser's own languages decide. */
const place = 'language';

const chosen = readChoice();

/** What the page says, in the language of its reader. */
export const say: Words = languages[chosen ?? ''] ?? fromBrowser() ?? english;

/** The locale numbers and dates are written in: the browser's own unless a language was chosen by hand. */
export const locale: string | undefined = chosen === null ? undefined : say.locale;

document.documentElement.lang = say.locale;

/** Languages to choose from, by their own names. */
export const choices: readonly { readonly tag: string; readonly name: string }[] = [
  { tag: 'en', name: 'English' },
  { tag: 'de', name: 'Deutsch' },
];

/** Speak another language from the next page on. */
export function choose(tag: string) {
  try {
    localStorage.setItem(place, tag);
  } catch {
    // A browser that keeps nothing goes on in its own language.
  }
  location.reload();
}

function readChoice(): string | null {
  try {
    const tag = localStorage.getItem(place);
    return tag !== null && Object.hasOwn(languages, tag) ? tag : null;
  } catch {
    return null;
  }
}

function fromBrowser(): Words | undefined {
  for (const tag of navigator.languages) {
    const known = languages[tag.toLowerCase().split('-')[0] ?? ''];
    if (known) return known;
  }
  return undefined;
}
