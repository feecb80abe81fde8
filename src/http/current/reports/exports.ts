import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { type ExportFormat, type ExportKind, exportFormats, exportKinds } from '../../../engine/engine.ts';
import { parseTimeSpan, timeSpanFields } from '../../routes/input-values.ts';
import { defineRawRoute } from '../../routes/route.ts';
import { Maybe, Open } from '../../routes/schemas.ts';
import { overloadLimits } from '../../server/overload-limits.ts';
import { CsvDialect } from './report-views.ts';

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Formats of the exports that run. */
const running: ExportFormat[] = [];

/** Exports all drinks, kegs, sessions or temperatures as CSV, JSON lines or a workbook. */
export const getExport = defineRawRoute({
  id: 'getExport',
  method: 'get',
  path: '/admin/export/{file}',
  summary: 'Export all records of one kind, oldest first, as CSV, one JSON object per line, or a workbook',
  description:
    'The whole table, or a time span, is streamed in chunks while the bar goes on; the connection is closed when ' +
    'it fails half-way. Held pours are exported with their state. Volumes have at most two decimals of a ' +
    'millilitre. At most three exports run at a time, one of them as a workbook (`.xlsx`); another one gets 429. Times are in UTC, in workbooks and with ' +
    '`dialect=excel` in the site’s time zone.',
  access: 'staff',
  accepts: {
    params: Open({
      file: Type.Enum(
        exportKinds.flatMap((kind) => exportFormats.map((format) => `${kind}.${format}`)),
        { description: 'Kind and format.' },
      ),
    }),
    query: Open({ ...timeSpanFields, dialect: Maybe(CsvDialect) }),
  },
  errors: { too_many: [] },
  mediaType: 'text/csv',
  otherMediaTypes: ['application/x-ndjson', mediaTypes.xlsx],
  async send({ engine }, { request, response }, { params: { file }, query }) {
    const [kind, format] = file.split('.') as [ExportKind, ExportFormat];
    const pieces = engine.exports.pieces(
      { kind, format, ...parseTimeSpan(engine, query), ...omitUndefined({ dialect: query.dialect }) },
      () => yieldToEventLoop(),
    );
    if (isBusy(format)) {
      throw new AppError('too_many', 'Other exports are running. Try again when one of them has ended.');
    }
    response.writeHead(200, {
      'Content-Type': mediaTypes[format],
      'Content-Disposition': `attachment; filename="tapster-${file}"`,
    });
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    running.push(format);
    try {
      for await (const piece of pieces) {
        if (response.destroyed) return;
        if (piece.length > 0 && !response.write(piece)) await waitForDrainOrClose(response);
        // Lets GPIO edges and other requests be handled between chunks.
        await yieldToEventLoop();
      }
      response.end();
    } catch (fault) {
      // Closing the connection tells the client that the export is incomplete.
      response.destroy();
      throw fault;
    } finally {
      running.splice(running.indexOf(format), 1);
    }
  },
});

function isBusy(format: ExportFormat): boolean {
  const { total, workbooks } = overloadLimits.exports;
  const ofWorkbooks = running.filter((one) => one === 'xlsx').length;
  return running.length >= total || (format === 'xlsx' && ofWorkbooks >= workbooks);
}

const waitForDrainOrClose = (response: NodeJS.WritableStream): Promise<void> =>
  new Promise((done) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      done();
    };
    response.on('drain', go).on('close', go);
  });
