import { defaultLanguage } from './choose-language.ts';
import { type ParsedMessage, parseMessage } from './parse-message.ts';
import type { Catalogue } from './translator.ts';

/** A note for the readers of a language, which not every catalogue has. */
const noteKey = 'language.note';

/**
 * What is wrong with the catalogues, one line each: keys that a language lacks or that English does not have, messages that
 * cannot be parsed, and placeholders that differ from the English ones. Empty when all is well.
 */
export function findCatalogueFaults(catalogues: Readonly<Record<string, Catalogue>>): readonly string[] {
  const english = catalogues[defaultLanguage] ?? {};
  return Object.entries(catalogues).flatMap(([language, catalogue]) => {
    const fault = (key: string, text: string) => `locales/${language}.json: ${key} ${text}`;
    const missing = Object.keys(english).filter((key) => !Object.hasOwn(catalogue, key));
    const messages = Object.entries(catalogue).flatMap(([key, message]) => {
      const original = Object.hasOwn(english, key) ? english[key] : undefined;
      if (original === undefined && key !== noteKey) return [fault(key, 'is not a key of en.json')];
      const found = listPlaceholders(message);
      if (typeof found === 'string') return [fault(key, `cannot be parsed: ${found}`)];
      const expected = original === undefined ? found : listPlaceholders(original);
      // A fault of the English message is in its own line.
      if (typeof expected === 'string' || String(found) === String(expected)) return [];
      return [fault(key, `needs the placeholders [${expected}], not [${found}]`)];
    });
    return [...missing.map((key) => fault(key, 'is missing')), ...messages];
  });
}

/** The names of a message's placeholders, sorted; the reason as text if it cannot be parsed. */
function listPlaceholders(message: unknown): readonly string[] | string {
  if (typeof message !== 'string' || message === '') return 'it must be a text';
  const list = (parts: ParsedMessage): string[] =>
    parts.flatMap((part) =>
      typeof part === 'string' ? [] : [part.name, ...Object.values(part.forms).flatMap(list)],
    );
  try {
    return [...new Set(list(parseMessage(message)))].sort();
  } catch (fault) {
    return (fault as Error).message;
  }
}
