import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingsTable } from '../../src/config/table.ts';
import { settingsGroups } from '../../src/extensions/all.ts';
import { productDirectory } from '../../src/system/product.ts';

test('the table lists each setting once, with default, range and meaning', () => {
  const lines = settingsTable(settingsGroups).trimEnd().split('\n');
  expect(lines).toContain(
    '| `pour.idle_ms` | `5000` | an integer from 200 to 120000 (ms) | Silence that ends a pour. Shorter splits a top-up in two, longer joins two quick drinks. |',
  );
  expect(lines.find((line) => line.startsWith('| `meters[].pin` '))).toContain(
    '| (needed) | an integer from 0 to 63 |',
  );
  expect(lines.find((line) => line.startsWith('| `taps[].idle_ms` '))).toContain('| – |');
  const names = lines.slice(2).map((line) => line.split(' ')[1]);
  expect(new Set(names).size).toBe(names.length);
  for (const line of lines) expect(line.match(/(?<!\\)\|/g)).toHaveLength(5);
});

test('docs/settings.md contains the table that the schema gives', () => {
  const document = readFileSync(join(productDirectory, 'docs', 'settings.md'), 'utf8');
  const shown = /<!-- settings -->\n+([\s\S]*?)\n*<!-- \/settings -->/.exec(document)?.[1];
  expect(shown).toBe(settingsTable(settingsGroups).trimEnd());
});
