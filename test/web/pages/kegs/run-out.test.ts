import { expect, test } from 'vitest';
import { loadAllTexts } from '../../../../src/web/locales/locale.ts';
import { formatRunOut } from '../../../../src/web/pages/kegs/run-out.ts';

await loadAllTexts();

const berlin = { time_zone: 'Europe/Berlin' };
/** Thursday 21 May 2026, 17:00 in Berlin. */
const now = Date.UTC(2026, 4, 21, 15);

test.each([
  ['2026-05-21T18:30:00Z', 'evening', 'Empty this evening'],
  ['2026-05-21T23:30:00Z', 'night', 'Empty tonight'],
  ['2026-05-22T18:30:00Z', 'evening', 'Empty about tomorrow evening'],
  ['2026-05-22T23:30:00Z', 'night', 'Empty about tomorrow night'],
  ['2026-05-23T18:30:00Z', 'evening', 'Empty about Saturday evening'],
  ['2026-05-23T23:30:00Z', 'night', 'Empty about Saturday night'],
  ['2026-05-26T10:30:00Z', 'afternoon', 'Empty about Tuesday afternoon'],
  ['2026-05-29T18:30:00Z', 'evening', 'Empty about May 29'],
] as const)('at 17:00 on a Thursday, %s (%s) is formatted as “%s”', (time, part, text) => {
  expect(formatRunOut({ time, part }, berlin, now)).toBe(text);
});

test('at 02:00 the present night is still “tonight”', () => {
  const atTwo = Date.UTC(2026, 4, 22, 0);
  expect(formatRunOut({ time: '2026-05-22T02:00:00Z', part: 'night' }, berlin, atTwo)).toBe('Empty tonight');
});
