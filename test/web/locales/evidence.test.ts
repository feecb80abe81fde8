import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extensionCases } from '../../kit/extension-cases.ts';
import { evidence } from './evidence.ts';

const english: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../locales/en.json'), 'utf8'),
);

/** Groups of other tests or of other readers: refusals and rules say what cannot be; mails have the alarm's or event's values. */
const otherGroups = /^(?:mails|daemon\.(?:refusals|rules|statuses|advice|problemTexts))\./;

const words =
  'done|sent|set|lost|read|kept|known|taken|found|made|given|rung|withdrawn|split|empty|full|works?|working|correct|ready|valid|' +
  'agrees?|again|early|since|dry|counting|gone';
const claim = new RegExp(`(?:^|[\\s:“”({])(?:\\w+ed|${words})\\W*$`, 'iu');

/** Whether a sentence of the text ends like a verdict, or it has a tick. */
const isClaim = (text: string): boolean =>
  !text.includes('?') &&
  (text.includes('✓') ||
    text.split(/(?<=[.!:])\s/).some((sentence) => claim.test(sentence.replaceAll(/\{[^{}]*\}/g, '').trim())));

const patterns = [evidence, ...extensionCases.map((one) => one.evidence ?? {})].flatMap((one) =>
  Object.values(one).flat(),
);
const toRegExp = (pattern: string) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
const claims = Object.keys(english).filter((key) => !otherGroups.test(key) && isClaim(english[key]!));

test('every verdict of the catalogues has evidence', () => {
  const known = patterns.map(toRegExp);
  expect(claims.filter((key) => !known.some((one) => one.test(key)))).toEqual([]);
});

test('every entry is of a text', () => {
  const keys = Object.keys(english);
  expect(patterns.filter((pattern) => !keys.some((key) => toRegExp(pattern).test(key)))).toEqual([]);
});
