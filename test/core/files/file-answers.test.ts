import { expect, test } from 'vitest';
import { createOrderFinder, createSignFinder } from '../../../src/core/files/file-answers.ts';

const cells = (texts: readonly string[]) => texts.map((text, i) => ({ line: i + 2, column: 'x', text }));

function signOf(delimiter: string, texts: readonly string[]) {
  const finder = createSignFinder(delimiter);
  for (const cell of cells(texts)) finder.add(cell);
  const answer = finder.answer();
  if (answer.kind === 'known') return answer.value;
  return answer.kind === 'doubt'
    ? `doubt ${answer.cell.line}`
    : `contradiction ${answer.cells.map(({ line }) => line).join(' ')}`;
}

test.each([
  [';', ['330,5', '500'], ','],
  [';', ['330.5', '1.234'], '.'],
  [';', ['1.234', '330,5'], 'contradiction 2 3'],
  [';', ['1.234,5', '1.234'], ','],
  [';', ['30.000', '50.000'], 'doubt 2'],
  ['\t', ['5', '30.000'], 'doubt 3'],
  [';', ['30,000'], 'doubt 2'],
  // Programs write files with commas between the cells with points.
  [',', ['1.050', '1.010'], '.'],
  [',', ['1,234'], 'doubt 2'],
  [',', ['1.234', '1,234'], 'contradiction 2 3'],
  [',', ['330.5', '330,5'], 'contradiction 2 3'],
  [',', ['1,234', '330.5'], 'contradiction 2 3'],
  [',', ['330', 'x', ''], '.'],
])('between cells with %s the numbers %j have the decimal sign %s', (delimiter, texts, expected) => {
  expect(signOf(delimiter, texts)).toBe(expected);
});

test.each([
  [['05/02/26', '05/22/26'], 'mdy'],
  [['02.05.2026 18:04', '22.05.2026'], 'dmy'],
  [['05/02/26'], 'doubt 2'],
  [['05/22/26', '22/05/26'], 'contradiction 2 3'],
  [['2026-05-02', '2 May 2026', '05/05/26', '1777744800'], 'none'],
])('the dates %j have the order %s', (texts, expected) => {
  const finder = createOrderFinder();
  for (const cell of cells(texts)) finder.add(cell);
  const answer = finder.answer();
  const found =
    answer.kind === 'known'
      ? (answer.value ?? 'none')
      : answer.kind === 'doubt'
        ? `doubt ${answer.cell.line}`
        : `contradiction ${answer.cells.map(({ line }) => line).join(' ')}`;
  expect(found).toBe(expected);
});
