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

/** How a file separates cells and writes numbers. */
export interface CsvDialect {
  readonly separator: ',' | ';';
  readonly decimalSign: '.' | ',';
  /** Before the first line: Excel else reads the file in the code page of Windows. */
  readonly byteOrderMark: '' | '\uFEFF';
}

/** RFC 4180, for programs. */
export const standardCsv: CsvDialect = { separator: ',', decimalSign: '.', byteOrderMark: '' };

/** Regions in which Windows has a decimal point, and all the same a semicolon between the cells of a list. */
const semicolonRegions: ReadonlySet<string> = new Set(['CH', 'LI']);

/**
 * The dialect that Excel opens by a double click on a computer of this locale, such as `de-DE`: Excel takes both signs from the
 * region that is set in the system. An empty locale stands for one with a decimal comma, since where there is a decimal
 * point, Excel reads the standard dialect, too.
 */
export function excelCsv(locale: string): CsvDialect {
  const decimalSign = locale === '' || decimalSignOf(locale) === ',' ? ',' : '.';
  const region = locale === '' ? undefined : new Intl.Locale(locale).maximize().region;
  const usesSemicolon = decimalSign === ',' || semicolonRegions.has(region ?? '');
  return { separator: usesSemicolon ? ';' : ',', decimalSign, byteOrderMark: '\uFEFF' };
}

const decimalSignOf = (locale: string): string | undefined =>
  new Intl.NumberFormat(locale, { numberingSystem: 'latn' })
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value;

/** One line as in RFC 4180, including its line end. */
export function csvLine(values: readonly CsvValue[], dialect: CsvDialect = standardCsv): string {
  return `${values.map((value) => csvCell(value, dialect)).join(dialect.separator)}\r\n`;
}

/** Puts an apostrophe before a text that a spreadsheet could take for a formula; numbers stay numbers. */
function csvCell(value: CsvValue, { decimalSign }: CsvDialect): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value).replace('.', decimalSign);
  if (typeof value === 'boolean') return String(value);
  // A spreadsheet drops characters that it does not show: without them the text may begin with a formula's sign.
  const shown = removeHiddenCharacters(value, 'lines');
  const text = formula.test(shown) ? `'${shown}` : shown;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
