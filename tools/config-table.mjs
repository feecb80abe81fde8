#!/usr/bin/env node
// Writes the table of settings, as the built daemon prints it from the schema, between the README's two marks.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settingsTable } from '../dist/config/table.js';

const readme = join(dirname(fileURLToPath(import.meta.url)), '..', 'README.md');
const text = readFileSync(readme, 'utf8');
const marked = /(<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->)/;
if (!marked.test(text)) {
  console.error(
    'README.md has no marks <!-- settings --> and <!-- /settings --> to write the table between.',
  );
  process.exit(1);
}
// A function, because the table's own text may hold a dollar sign.
writeFileSync(
  readme,
  text.replace(marked, (_, open, close) => `${open}\n${settingsTable()}\n${close}`),
);
