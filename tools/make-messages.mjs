#!/usr/bin/env node
// Checks the catalogues (locales/*.json) and fails with the list of missing keys, unknown keys and wrong messages of each language.
// Generates the types of the texts from the English catalogue, each key with the values that its placeholders need: those of the
// page (src/web/locales/messages.ts) and those of the daemon (src/core/locales/messages.ts); and the English texts of the daemon's
// problems (src/core/locales/problem-texts.ts), which all layers need. `tools/build.mjs` runs it when it is needed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'locales');
const load = async (name) => {
  const options = { root, configFile: false, logLevel: 'error' };
  return (await runnerImport(join(root, 'src/core/locales', name), options)).module;
};
const { parseMessage } = await load('parse-message.ts');
const { findCatalogueFaults } = await load('catalogue-faults.ts');
const { isDaemonKey, isPageKey } = await load('key-groups.ts');

/** Types of the values by the placeholder's type. */
const valueTypes = { text: 'string | number', select: 'string', number: 'number', plural: 'number' };

/** The placeholders of a message with the types of their values, those inside of forms first. */
function listValues(parts) {
  const placeholders = parts.filter((part) => typeof part !== 'string');
  const inForms = placeholders.flatMap(({ forms }) => Object.values(forms).flatMap(listValues));
  return [...inForms, ...placeholders.map(({ name, type }) => [name, valueTypes[type]])];
}

function printValues(message) {
  const values = new Map();
  for (const [name, type] of listValues(parseMessage(message))) {
    // A placeholder that occurs several times has its narrowest type.
    if (!values.has(name) || type !== valueTypes.text) values.set(name, type);
  }
  const fields = [...values].map(([name, type]) => `readonly ${name}: ${type}`);
  return fields.length === 0 ? 'Plain' : `{ ${fields.join('; ')} }`;
}

/** The source of a file with the types of the texts whose keys are accepted. */
function printMessages(catalogue, isAccepted) {
  const lines = Object.entries(catalogue)
    .filter(([key]) => isAccepted(key))
    .map(([key, text]) => `  readonly '${key}': ${printValues(text)};`);
  return `// Generated from locales/en.json by tools/make-messages.mjs.
/** A text without placeholders. */
type Plain = Readonly<Record<never, never>>;

/** Keys of the catalogues with the values that their texts need. */
export interface Messages {
${lines.join('\n')}
}
`;
}

const problemPrefix = 'daemon.problemTexts.';

/** The source of a file with the English texts of the problems by code. */
function printProblemTexts(catalogue) {
  const lines = Object.entries(catalogue)
    .filter(([key]) => key.startsWith(problemPrefix))
    .map(([key, text]) => `  ${key.slice(problemPrefix.length)}: ${JSON.stringify(text)},`);
  return `// Generated from locales/en.json by tools/make-messages.mjs.
/** English texts of the problems that the daemon reports, by code. */
export const problemTexts = {
${lines.join('\n')}
} as const;
`;
}

/** An unchanged file keeps its time, so that what depends on it is not built again. */
function writeIfChanged(file, source) {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== source) writeFileSync(file, source);
}

function readCatalogue(name) {
  try {
    return JSON.parse(readFileSync(join(folder, name), 'utf8'));
  } catch (fault) {
    console.error(`locales/${name} cannot be read: ${fault.message}`);
    process.exit(1);
  }
}

const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
const catalogues = Object.fromEntries(
  names.map((name) => [name.replace(/\.json$/, ''), readCatalogue(name)]),
);
const faults = findCatalogueFaults(catalogues);
if (faults.length > 0) {
  console.error(`The catalogues of texts do not fit together:\n  ${faults.join('\n  ')}`);
  process.exit(1);
}
writeIfChanged(join(root, 'src/web/locales/messages.ts'), printMessages(catalogues.en, isPageKey));
writeIfChanged(join(root, 'src/core/locales/messages.ts'), printMessages(catalogues.en, isDaemonKey));
writeIfChanged(join(root, 'src/core/locales/problem-texts.ts'), printProblemTexts(catalogues.en));
