import type { ServerResponse } from 'node:http';
import Type from 'typebox';
import { type CsvDialect as CsvSigns, type CsvValue, csvLine } from '../../../core/text/csv.ts';
import { csvDialects } from '../../../engine/engine.ts';

/** How a CSV file separates cells and writes numbers and times. */
export const CsvDialect = Type.Enum([...csvDialects], {
  description:
    'For CSV only: `standard` (the default) is RFC 4180 with times in UTC. `excel` is what Excel opens by a double click: with a byte order mark, numbers and separators as the site’s `locale` has them (unless it is set: a decimal comma and semicolons), and times in the site’s time zone.',
});

/** Sends a file of rows, of which the first one has the names of the columns. */
export const sendCsv = (
  response: ServerResponse,
  name: string,
  rows: readonly (readonly CsvValue[])[],
  signs: CsvSigns,
): void => sendCsvText(response, name, signs.byteOrderMark + rows.map((row) => csvLine(row, signs)).join(''));

export function sendCsvText(response: ServerResponse, name: string, text: string): void {
  response
    .writeHead(200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'Content-Disposition': `attachment; filename="${name}.csv"`,
    })
    .end(text);
}
