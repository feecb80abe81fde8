import { expect, test } from 'vitest';
import { findDelimiter, findSepLine } from '../../../src/core/files/separator.ts';

test.each([
  ['semicolons beside decimal commas', 'time;volume\n2026-05-02;1,5\n2026-05-03;2,5\n', ';'],
  ['commas beside semicolons in texts', 'a,b,c\n1,x;y,2\n1,x;y;z,2\n', ','],
  ['tabs', 'a\tb\n1,5\t2\n', '\t'],
  ['bars', 'a|b|c\r1|2|3\r', '|'],
  ['titles above the head', 'Report, May\n\na;b;c;d\n1;2;3;4\n', ';'],
  ['quoted cells with line breaks', 'a;b;c\n"x,\n,\n,";1,5;2\n"x,\n,\n,";1,5;2\n', ';'],
  ['a byte order mark and quoted names', '\uFEFF"a, b";"c, d"\n1;2\n', ';'],
  ['one column', 'a\n1\n', null],
])('finds the separator of a file with %s', (_name, text, sign) => {
  expect(findDelimiter(text)).toBe(sign);
});

test.each([
  ['sep=;\r\na;b', ';', 7],
  ['\uFEFFSEP=,\na', ',', 7],
  ['sep=\t\ra', '\t', 6],
  ['"sep=|"\na', '|', 8],
])('reads the line %j of a spreadsheet', (text, delimiter, length) => {
  expect(findSepLine(text)).toEqual({ delimiter, length });
});

test.each(['sep=\na', 'sep=;;\na', 'sepal=;\na', 'a\nsep=;\n', 'sep=a\n'])('%j has none', (text) => {
  expect(findSepLine(text)).toBeNull();
});
