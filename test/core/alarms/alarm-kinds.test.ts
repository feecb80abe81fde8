import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { baseAlarms, joinAlarmKinds } from '../../../src/core/alarms/alarm-kinds.ts';
import { extensions } from '../../../src/extensions/all.ts';
import { productDirectory } from '../../../src/system/product.ts';

const { names, find } = joinAlarmKinds(extensions);

/** The table of docs/alarms.md. */
const kindTable = (): string =>
  [
    '| Kind | Raised when | Urgent | In quiet hours | One message with |',
    '|---|---|---|---|---|',
    ...names.map((kind) => {
      const { description, urgency, breaksQuietHours, group } = find(kind)!;
      const others = names
        .filter((one) => one !== kind && find(one)!.group === group)
        .map((one) => `\`${one}\``)
        .join(', ');
      return `| \`${kind}\` | ${description} | ${urgency === 'high' ? 'yes' : 'no'} | ${breaksQuietHours ? 'sent' : 'later'} | ${others || '–'} |`;
    }),
  ].join('\n');

test('docs/alarms.md contains the table that the code gives', () => {
  const file = join(productDirectory, 'docs', 'alarms.md');
  const marked = /(<!-- kinds -->\n+)[\s\S]*?(\n*<!-- \/kinds -->)/;
  if (process.env.TAPSTER_WRITE_TABLES) {
    const text = readFileSync(file, 'utf8');
    // A function, because the table may contain dollar signs.
    writeFileSync(
      file,
      text.replace(marked, (_, open, close) => `${open}${kindTable()}${close}`),
    );
  }
  const document = readFileSync(file, 'utf8');
  expect(/<!-- kinds -->\n+([\s\S]*?)\n*<!-- \/kinds -->/.exec(document)?.[1]).toBe(kindTable());
});

const darts = { ...baseAlarms.tap_unused, values: {} };

test('kinds of extensions are kinds, behind the last one of their group, and only declared names are kinds', () => {
  const kinds = joinAlarmKinds([
    { alarms: { dart_lost: { ...darts, group: 'kegs' } } },
    {},
    { alarms: { darts } },
  ]);
  expect(kinds.names.slice(0, 5)).toEqual([
    'too_warm',
    'warming_fast',
    'keg_runs_dry',
    'dart_lost',
    'tap_unused',
  ]);
  expect(kinds.names).toHaveLength(Object.keys(baseAlarms).length + 2);
  const found = ['too_warm', 'darts', 'toString', 'constructor', ''].map((name) => kinds.find(name) !== null);
  expect(found).toEqual([true, true, false, false, false]);
});

test('a kind is declared once', () => {
  expect(() => joinAlarmKinds([{ alarms: { too_warm: darts } }])).toThrow('too_warm');
  expect(() => joinAlarmKinds([{ alarms: { darts } }, { alarms: { darts } }])).toThrow('darts');
});
