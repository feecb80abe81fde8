import { english, type Words } from './english.ts';
import { german } from './german.ts';

/** What of a browser is asked here; where there is none, the page speaks English. */
interface BrowserGlobals {
  readonly navigator?: { readonly languages?: readonly string[] };
  readonly localStorage?: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
  };
  readonly document?: { readonly documentElement: { lang: string } };
  readonly location?: { reload(): void };
}

const browser = globalThis as object as BrowserGlobals;
const languages: Readonly<Record<string, Words>> = { en: english, de: german };
/** Where a choice made on the page is kept; without one the browser's own languages decide. */
const storageKey = 'language';

const storedLanguage = readStoredLanguage();

/** What the page says, in the language of its reader. */
export const say: Words = languages[storedLanguage ?? ''] ?? findBrowserLanguage() ?? english;

/** The locale numbers and dates are written in: the browser's own unless a language was chosen by hand. */
export const locale: string | undefined = storedLanguage === null ? undefined : say.locale;

if (browser.document) browser.document.documentElement.lang = say.locale;

/** Languages to choose from, by their own names. */
export const languageOptions: readonly { readonly tag: string; readonly name: string }[] = [
  { tag: 'en', name: 'English' },
  { tag: 'de', name: 'Deutsch' },
];

/** Speaks another language from the next loading on, which is now. */
export function setLanguage(tag: string) {
  try {
    browser.localStorage?.setItem(storageKey, tag);
  } catch {
    // A browser that keeps nothing goes on in its own language.
  }
  browser.location?.reload();
}

function readStoredLanguage(): string | null {
  try {
    const tag = browser.localStorage?.getItem(storageKey) ?? null;
    return tag !== null && Object.hasOwn(languages, tag) ? tag : null;
  } catch {
    return null;
  }
}

function findBrowserLanguage(): Words | undefined {
  for (const tag of browser.navigator?.languages ?? []) {
    const dictionary = languages[tag.toLowerCase().split('-')[0] ?? ''];
    if (dictionary) return dictionary;
  }
  return undefined;
}
