import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A static import or export of a module of the page; types are not loaded. */
const staticImport = /^(?:import|export) (?!type )(?:[^'"]*? from )?'(\.[^']+)'/gm;

/** A key or the beginning of keys, as a literal or before the name in a template. */
const keyLiteral = /['`]([a-z]\w*(?:\.[\w-]+)+)['`]|`((?:\w+\.)+)\$\{/gi;

/** Calls that look texts up by names known at run time only. */
const lookUp = /\b(?:findText|listTexts)\(\s*['`][\w.-]+['`]/g;

/**
 * Returns a function that tells whether a text belongs to the first page: its key stands in a module that the entry imports
 * statically. Texts of pages that are loaded on first use, and texts that are looked up by a name that the daemon sends, are
 * loaded after the first rendering.
 */
export function findFirstTexts(entry) {
  const sources = readModules(entry).map((source) => source.replaceAll(lookUp, ''));
  const literals = sources.flatMap((source) =>
    [...source.matchAll(keyLiteral)].map(([, literal, prefix]) => literal ?? prefix),
  );
  const keys = new Set(literals);
  const prefixes = literals.filter((literal) => literal.endsWith('.'));
  return (key) => keys.has(key) || prefixes.some((prefix) => key.startsWith(prefix));
}

/** The sources of a module and of all that it imports statically. */
function readModules(entry) {
  const found = new Map();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file) || !/\.tsx?$/.test(file) || !existsSync(file)) continue;
    const source = readFileSync(file, 'utf8');
    found.set(file, source);
    for (const [, path] of source.matchAll(staticImport)) waiting.push(join(dirname(file), path));
  }
  return [...found.values()];
}
