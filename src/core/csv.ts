/** What may stand in a cell; null leaves it empty. */
export type CsvValue = string | number | boolean | null;

/**
 * A text that begins so is a formula to a spreadsheet, which would run it on the desk of whoever opens the file. The
 * wide forms of the signs count as the signs in some countries.
 */
const formula = /^[\s\0]*[=+\-@\t\r＝＋－＠]/;

/** What must stand between quotes; a semicolon parts cells for the spreadsheets of half the world. */
const needsQuotes = /[",;\r\n\t]|^\s|\s$/;

/** One line in the form of RFC 4180, its end included. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(csvCell).join(',')}\r\n`;

/** A text that a spreadsheet might take for a formula gets an apostrophe in front; numbers stay numbers. */
function csvCell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
