import { english, type Words } from './english.ts';
import { german } from './german.ts';

/** What of a browser is asked here; where there is none, the page speaks English. */
interface Reader {
  readonly navigator?: { readonly languages?: readonly string[] };
  readonly localStorage?: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
  };
  readonly document?: { readonly documentElement: { lang: string } };
  readonly location?: { reload(): void };
}

const reader = globalThis as object as Reader;
const languages: Readonly<Record<string, Words>> = { en: english, de: german };
/** Where a choice made on the page is kept; without one the browser's own languages decide. */
const place = 'language';

const chosen = readChoice();

/** What the page says, in the language of its reader. */
export const say: Words = languages[chosen ?? ''] ?? fromBrowser() ?? english;

/** The locale numbers and dates are written in: the browser's own unless a language was chosen by hand. */
export const locale: string | undefined = chosen === null ? undefined : say.locale;

if (reader.document) reader.document.documentElement.lang = say.locale;

/** Languages to choose from, by their own names. */
export const choices: readonly { readonly tag: string; readonly name: string }[] = [
  { tag: 'en', name: 'English' },
  { tag: 'de', name: 'Deutsch' },
];

/** Speaks another language from the next loading on, which is now. */
export function choose(tag: string) {
  try {
    reader.localStorage?.setItem(place, tag);
  } catch {
    // A browser that keeps nothing goes on in its own language.
  }
  reader.location?.reload();
}

function readChoice(): string | null {
  try {
    const tag = reader.localStorage?.getItem(place) ?? null;
    return tag !== null && Object.hasOwn(languages, tag) ? tag : null;
  } catch {
    return null;
  }
}

function fromBrowser(): Words | undefined {
  for (const tag of reader.navigator?.languages ?? []) {
    const known = languages[tag.toLowerCase().split('-')[0] ?? ''];
    if (known) return known;
  }
  return undefined;
}
