#!/usr/bin/env node
// Generates src/web/locales/messages.ts, the types of the page's texts, from the English catalogue: each key with
// the values that its placeholders need. `tools/build.mjs` runs it when it is needed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'src/web/locales');
const options = { root, configFile: false, logLevel: 'error' };
const { module } = await runnerImport(join(folder, 'parse-message.ts'), options);

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
  for (const [name, type] of listValues(module.parseMessage(message))) {
    // A placeholder that occurs several times has its narrowest type.
    if (!values.has(name) || type !== valueTypes.text) values.set(name, type);
  }
  const fields = [...values].map(([name, type]) => `readonly ${name}: ${type}`);
  return fields.length === 0 ? 'Plain' : `{ ${fields.join('; ')} }`;
}

const catalogue = JSON.parse(readFileSync(join(folder, 'en.json'), 'utf8'));
const lines = Object.entries(catalogue).map(([key, text]) => `  readonly '${key}': ${printValues(text)};`);
const source = `// Generated from en.json by tools/make-messages.mjs.
/** A text without placeholders. */
type Plain = Readonly<Record<never, never>>;

/** Keys of the catalogues with the values that their texts need. */
export interface Messages {
${lines.join('\n')}
}
`;
const file = join(folder, 'messages.ts');
// An unchanged file keeps its time, so that the page is not built again.
if (!existsSync(file) || readFileSync(file, 'utf8') !== source) writeFileSync(file, source);
