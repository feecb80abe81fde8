/// <reference types="vite/types/importMeta.d.ts" />
import { type Catalogue, createTranslator, type Translator } from './translator.ts';

/** Parts of the browser used here. Without a browser, in tests, the language is English. */
interface BrowserGlobals {
  readonly navigator?: { readonly languages?: readonly string[] };
  readonly localStorage?: { getItem(key: string): string | null };
  readonly location?: { readonly search: string };
  readonly document?: { readonly documentElement: { lang: string } };
}

const browser = globalThis as object as BrowserGlobals;
/** The catalogues by file name. The browser loads only the one that it shows. */
const catalogues = import.meta.glob<Catalogue>('./*.json', { import: 'default' });
const toFile = (tag: string) => `./${tag}.json`;
const isAvailable = (tag: string) => Object.hasOwn(catalogues, toFile(tag));

/** Storage key of a chosen language; without a choice the browser's languages decide. */
const storageKey = 'language';
const storedLanguage = readStoredLanguage();

/** Language that the URL names, `?lang=de`, for a kiosk or a link to the menu; null without one. */
const urlLanguage = readUrlLanguage();

/** Languages of the page, by their tags. */
export const languages: readonly string[] = Object.keys(catalogues).map((file) =>
  file.slice(2, -'.json'.length),
);

/** Language of the page. */
export const language = urlLanguage ?? storedLanguage ?? findBrowserLanguage() ?? 'en';

/** Name of a language in that language itself, such as “Deutsch”. */
export const nameLanguage = (tag: string): string =>
  new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;

/** Keeps a language for this browser and loads the page again, without a language in its URL, which would win. */
export function chooseLanguage(tag: string) {
  try {
    localStorage.setItem(storageKey, tag);
  } catch {
    // A browser that stores nothing keeps its own language.
  }
  const url = new URL(location.href);
  url.searchParams.delete('lang');
  history.replaceState(history.state, '', url);
  location.reload();
}

/** Locale of numbers and dates: the browser's own unless a language was chosen. */
export const locale: string | undefined = urlLanguage ?? storedLanguage ?? undefined;

let translator: Translator | null = null;

/** Loads the texts of the page's language. No text can be read before. */
export async function loadCatalogue() {
  translator = createTranslator(language, (await catalogues[toFile(language)]?.()) ?? {});
  if (browser.document) browser.document.documentElement.lang = language;
}

function loaded(): Translator {
  if (translator === null)
    throw new Error('The catalogue is not loaded: call t() in a function, not at module level.');
  return translator;
}

/** Returns the text of a key with its placeholders replaced. */
export const t: Translator['t'] = (key, ...values) => loaded().t(key, ...values);
/** Returns a text by a name that is known at run time only; undefined when the language has none. */
export const findText: Translator['findText'] = (...args) => loaded().findText(...args);
/** Returns the texts of a group by their names, in alphabetical order. */
export const listTexts: Translator['listTexts'] = (group) => loaded().listTexts(group);

function readUrlLanguage(): string | null {
  const tag = new URLSearchParams(browser.location?.search).get('lang');
  return tag !== null && isAvailable(tag) ? tag : null;
}

function readStoredLanguage(): string | null {
  try {
    const tag = browser.localStorage?.getItem(storageKey) ?? null;
    return tag !== null && isAvailable(tag) ? tag : null;
  } catch {
    return null;
  }
}

function findBrowserLanguage(): string | undefined {
  const tags = browser.navigator?.languages ?? [];
  return tags.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find(isAvailable);
}
