#!/usr/bin/env node
// Writes the table of metrics of the built daemon between the two marks of docs/monitoring/README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatMetricTable } from '../dist/extensions/metrics/daemon/metric-table.js';

const document = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'monitoring', 'README.md');
const text = readFileSync(document, 'utf8');
const marked = /(<!-- metrics -->\n)[\s\S]*?(<!-- \/metrics -->)/;
if (!marked.test(text)) {
  console.error('docs/monitoring/README.md lacks the marks <!-- metrics --> and <!-- /metrics -->.');
  process.exit(1);
}
writeFileSync(
  document,
  text.replace(marked, (_, open, close) => `${open}\n${formatMetricTable()}\n${close}`),
);
