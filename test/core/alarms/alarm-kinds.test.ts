import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alarmDeclarations, alarmKinds, isAlarmKind } from '../../../src/core/alarms/alarm-kinds.ts';
import { productDirectory } from '../../../src/system/product.ts';

/** The table of docs/alarms.md. */
const kindTable = (): string =>
  [
    '| Kind | Raised when | Urgent | In quiet hours | One message with |',
    '|---|---|---|---|---|',
    ...alarmKinds.map((kind) => {
      const { description, urgency, breaksQuietHours, group } = alarmDeclarations[kind];
      const others = alarmKinds.filter((one) => one !== kind && alarmDeclarations[one].group === group);
      const names = others.map((one) => `\`${one}\``).join(', ');
      return `| \`${kind}\` | ${description} | ${urgency === 'high' ? 'yes' : 'no'} | ${breaksQuietHours ? 'sent' : 'later'} | ${names || '–'} |`;
    }),
  ].join('\n');

test('docs/alarms.md contains the table that the code gives', () => {
  const document = readFileSync(join(productDirectory, 'docs', 'alarms.md'), 'utf8');
  expect(/<!-- kinds -->\n+([\s\S]*?)\n*<!-- \/kinds -->/.exec(document)?.[1]).toBe(kindTable());
});

test('only declared names are kinds', () => {
  expect(['too_warm', 'toString', 'constructor', ''].map(isAlarmKind)).toEqual([true, false, false, false]);
});
