#!/usr/bin/env node
// Writes the table of settings, generated from the schema of the built daemon, between the two marks of
// docs/settings.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settingsTable } from '../dist/config/table.js';
import { settingsGroups } from '../dist/extensions/all.js';

const document = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'settings.md');
const text = readFileSync(document, 'utf8');
const marked = /(<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->)/;
if (!marked.test(text)) {
  console.error(
    'docs/settings.md lacks the marks <!-- settings --> and <!-- /settings --> around the table.',
  );
  process.exit(1);
}
// A function, because the table may contain dollar signs.
writeFileSync(
  document,
  text.replace(marked, (_, open, close) => `${open}\n${settingsTable(settingsGroups)}\n${close}`),
);
