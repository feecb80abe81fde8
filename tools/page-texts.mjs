import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPageKey } from '../src/core/locales/key-groups.ts';
import { findFirstTexts } from './first-texts.mjs';

/** Key of a note that a catalogue may have for the readers of its language, such as “Not reviewed by a native speaker.” */
const noteKey = 'language.note';

/**
 * Vite plugin that bundles the catalogues of a folder without the texts that only the daemon writes, and their notes. Each is
 * two modules: `de.json?first` has the texts that the module `entry` needs, `de.json` the others.
 */
export function pageTexts(folder, entry) {
  const isFirst = findFirstTexts(entry);
  return {
    name: 'page-texts',
    enforce: 'pre',
    config: () => ({
      define: { 'import.meta.env.LANGUAGE_NOTES': JSON.stringify(readLanguageNotes(folder)) },
    }),
    transform(code, id) {
      if (!id.startsWith(join(folder, '/'))) return null;
      const [file, part] = id.split('?');
      if (!file.endsWith('.json')) return null;
      const texts = Object.entries(toPageCatalogue(JSON.parse(code)));
      const wanted = texts.filter(([key]) => isFirst(key) === (part === 'first'));
      const json = JSON.stringify(Object.fromEntries(wanted));
      return part === undefined
        ? { code: json, map: null }
        : { code: `export default ${json};`, map: null, moduleType: 'js' };
    },
  };
}

/** The texts of a catalogue that the page shows. */
export const toPageCatalogue = (catalogue) =>
  Object.fromEntries(Object.entries(catalogue).filter(([key]) => isPageKey(key) && key !== noteKey));

/** The notes of the languages that have one, by language. */
export function readLanguageNotes(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const notes = files.map((name) => [
    name.slice(0, -'.json'.length),
    JSON.parse(readFileSync(join(folder, name), 'utf8'))[noteKey],
  ]);
  return Object.fromEntries(notes.filter(([, note]) => note !== undefined));
}
