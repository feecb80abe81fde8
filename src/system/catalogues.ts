import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLanguage } from '../core/locales/choose-language.ts';
import { isDaemonKey } from '../core/locales/key-groups.ts';
import type { Messages } from '../core/locales/messages.ts';
import { type Catalogue, createTranslator, type TranslatorOf } from '../core/locales/translator.ts';
import { productDirectory } from './product.ts';

/** The functions that return the daemon's texts in one language. */
export type DaemonTexts = TranslatorOf<Messages>;

const folder = join(productDirectory, 'locales');
const extension = '.json';

let languages: readonly string[] | null = null;
const loaded = new Map<string, DaemonTexts>();

/** The tags of all languages, one for each file of the folder `locales`, in alphabetical order. */
export function listLanguages(): readonly string[] {
  languages ??= readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name) => name.slice(0, -extension.length))
    .sort();
  return languages;
}

/** The daemon's texts in one of the languages. A catalogue is read on first use; one that cannot be read is replaced with English. */
export function daemonTexts(language: string): DaemonTexts {
  const texts = loaded.get(language) ?? createTranslator<Messages>(language, readCatalogue(language));
  loaded.set(language, texts);
  return texts;
}

function readCatalogue(language: string): Catalogue {
  try {
    const catalogue = JSON.parse(readFileSync(join(folder, language + extension), 'utf8')) as Catalogue;
    return Object.fromEntries(Object.entries(catalogue).filter(([key]) => isDaemonKey(key)));
  } catch (fault) {
    if (language === defaultLanguage) throw fault;
    return readCatalogue(defaultLanguage);
  }
}
