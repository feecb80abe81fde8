import { english, type Words } from './english.ts';
import { german } from './german.ts';

/** Parts of the browser used here. Without a browser, in tests, the language is English. */
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
/** Storage key of the chosen language; without a choice the browser's languages decide. */
const storageKey = 'language';

const storedLanguage = readStoredLanguage();

/** Texts of the page in the user's language. */
export const say: Words = languages[storedLanguage ?? ''] ?? findBrowserLanguage() ?? english;

/** Locale of numbers and dates: the browser's own unless a language was chosen. */
export const locale: string | undefined = storedLanguage === null ? undefined : say.locale;

if (browser.document) browser.document.documentElement.lang = say.locale;

/** Available languages, by their own names. */
export const languageOptions: readonly { readonly tag: string; readonly name: string }[] = [
  { tag: 'en', name: 'English' },
  { tag: 'de', name: 'Deutsch' },
];

/** Stores the language and reloads the page. */
export function setLanguage(tag: string) {
  try {
    browser.localStorage?.setItem(storageKey, tag);
  } catch {
    // Without storage the browser's languages stay in use.
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
