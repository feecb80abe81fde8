import { removeHiddenCharacters } from './text-rules.ts';

/** Value of a cell; null leaves it empty. */
export type CsvValue = string | number | boolean | null;

/**
 * Spreadsheets run a text that starts like this as a formula on the computer of whoever opens the file.
 * Full-width signs count as the signs in some locales.
 */
const formula = /^\s*[=+\-@|\t\r＝＋－＠｜]/;

/** Text that needs quotes; a semicolon separates cells in the spreadsheets of many locales. */
const needsQuotes = /[",;\r\n\t]|^\s|\s$/;

/** One line as in RFC 4180, including its line end. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(csvCell).join(',')}\r\n`;

/** Puts an apostrophe before a text that a spreadsheet could take for a formula; numbers stay numbers. */
function csvCell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  // A spreadsheet drops characters that it does not show: without them the text may begin with a formula's sign.
  const shown = removeHiddenCharacters(value, 'lines');
  const text = formula.test(shown) ? `'${shown}` : shown;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
