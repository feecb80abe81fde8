/// <reference types="vite/types/importMeta.d.ts" />
import { signal } from '@preact/signals';
import { chooseLanguage as chooseFrom, findLanguage } from '../../core/locales/choose-language.ts';
import { type Catalogue, createTranslator, type Translator } from './translator.ts';

/** Parts of the browser used here. Without a browser, in tests, the language is English. */
interface BrowserGlobals {
  readonly navigator?: { readonly languages?: readonly string[] };
  readonly localStorage?: { getItem(key: string): string | null };
  readonly location?: { readonly search: string };
  readonly document?: { readonly documentElement: { lang: string } };
}

const browser = globalThis as object as BrowserGlobals;
/** The texts that the first page needs, by the file name of the language. The browser loads only those that it shows. */
const firstTexts = import.meta.glob<Catalogue>('../../../locales/*.json', {
  import: 'default',
  query: '?first',
});
/** The other texts; without the page's build, in tests, all of them. */
const laterTexts = import.meta.glob<Catalogue>('../../../locales/*.json', { import: 'default' });
const toFile = (tag: string) => `../../../locales/${tag}.json`;

/** Languages of the page, by their tags. */
export const languages: readonly string[] = Object.keys(firstTexts).map((file) =>
  file.slice(toFile('').length - '.json'.length, -'.json'.length),
);

/** Notes about languages by their tags, such as that no native speaker has reviewed one; set by the build. */
const languageNotes: Readonly<Record<string, string>> = import.meta.env.LANGUAGE_NOTES ?? {};

/** What the reader of a language should know about its texts; undefined without a note. */
export const noteOf = (tag: string): string | undefined => languageNotes[tag];

/** Storage key of a chosen language; without a choice the browser's languages decide. */
const storageKey = 'language';
const storedLanguage = readStoredLanguage();

/** Language that the URL names, `?lang=de`, for a kiosk or a link to the menu; null without one. */
const urlLanguage = readUrlLanguage();

const browserLanguage = findBrowserLanguage();

/** Language of the page: of the URL, else the stored choice, else the browser's, else the site's, else English. */
export const language =
  urlLanguage ??
  storedLanguage ??
  browserLanguage ??
  chooseFrom([browser.document?.documentElement.lang], languages);

/** Name of a language in that language itself, such as “Deutsch”, with a capital letter also where sentences have none. */
export function nameLanguage(tag: string): string {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

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

/** Locale of numbers and dates: the browser's own (undefined) if the page is in its language. */
export const locale: string | undefined =
  urlLanguage ??
  storedLanguage ??
  (browser.navigator === undefined || browserLanguage ? undefined : language);

const translator = signal<Translator | null>(null);
let catalogue: Catalogue = {};
let loadingLater: Promise<void> | undefined;

/** Loads the first page's texts in the page's language. No text can be read before. */
export async function loadFirstTexts() {
  addTexts((await firstTexts[toFile(language)]?.()) ?? {});
  if (browser.document) browser.document.documentElement.lang = language;
}

/** Loads the other texts as well; pages that are loaded on first use wait for it. */
export function loadAllTexts(): Promise<void> {
  loadingLater ??= (laterTexts[toFile(language)]?.() ?? Promise.resolve({})).then(addTexts);
  return loadingLater;
}

function addTexts(texts: Catalogue) {
  catalogue = { ...catalogue, ...texts };
  translator.value = createTranslator(language, catalogue);
}

const notLoaded = (): never => {
  throw new Error('The catalogue is not loaded: call t() in a function, not at module level.');
};

/** Returns the text of a key with its placeholders replaced. */
export const t: Translator['t'] = (key, ...values) => (translator.peek() ?? notLoaded()).t(key, ...values);
/**
 * Returns a text by a name that is known at run time only; undefined when the language has none. A component that is rendered
 * before all texts are loaded is rendered again.
 */
export const findText: Translator['findText'] = (...args) =>
  (translator.value ?? notLoaded()).findText(...args);
/** Returns the texts of a group by their names, in alphabetical order. */
export const listTexts: Translator['listTexts'] = (group) =>
  (translator.value ?? notLoaded()).listTexts(group);

function readUrlLanguage(): string | null {
  return findLanguage(new URLSearchParams(browser.location?.search).get('lang'), languages);
}

function readStoredLanguage(): string | null {
  try {
    return findLanguage(browser.localStorage?.getItem(storageKey), languages);
  } catch {
    return null;
  }
}

function findBrowserLanguage(): string | null {
  const tags = browser.navigator?.languages ?? [];
  return tags.map((tag) => findLanguage(tag, languages)).find((tag) => tag !== null) ?? null;
}
