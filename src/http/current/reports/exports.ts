import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import {
  type Engine,
  type ExportFormat,
  exportFormats,
  exportKinds,
  maxWorkbookRows,
} from '../../../engine/engine.ts';
import type { HttpExtension } from '../../extension.ts';
import { parseTimeSpan, timeSpanFields, validationError } from '../../routes/input-values.ts';
import { defineRawRoute, defineRoute, type Route } from '../../routes/route.ts';
import { CalendarDate, Closed, Maybe, Open } from '../../routes/schemas.ts';
import { overloadLimits } from '../../server/overload-limits.ts';
import { CsvDialect } from '../shared/csv-dialect.ts';

const dayFields = {
  first: Maybe({
    ...CalendarDate,
    description: 'First business day, `YYYY-MM-DD`, instead of `since`; the first of all unless given.',
  }),
  last: Maybe({
    ...CalendarDate,
    description: 'Last business day, `YYYY-MM-DD`, instead of `until`; today unless given.',
  }),
};

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

type SpanQuery = Static<Type.TObject<typeof timeSpanFields & typeof dayFields>>;

/** Formats of the exports that run. */
const running: ExportFormat[] = [];

/** Exports all drinks, kegs, sessions or temperatures as CSV, JSON lines or a workbook. */
const getExport = (kinds: readonly string[]) =>
  defineRawRoute({
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
          kinds.flatMap((kind) => exportFormats.map((format) => `${kind}.${format}`)),
          { description: 'Kind and format.' },
        ),
      }),
      query: Open({ ...timeSpanFields, ...dayFields, dialect: Maybe(CsvDialect) }),
    },
    errors: { too_many: ['exports_running'] },
    mediaType: 'text/csv',
    otherMediaTypes: ['application/x-ndjson', mediaTypes.xlsx],
    async send({ engine }, { request, response }, { params: { file }, query }) {
      const [kind, format] = file.split('.') as [string, ExportFormat];
      const pieces = engine.reports.exports.pieces(
        { kind, format, ...parseSpan(engine, query), ...omitUndefined({ dialect: query.dialect }) },
        () => yieldToEventLoop(),
      );
      if (isBusy(format)) {
        throw new AppError('too_many', 'Other exports are running. Try again when one of them has ended.', {
          reason: { name: 'exports_running' },
        });
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

/** How much an export would contain. */
const getExportSizes = (kinds: readonly string[]) =>
  defineRoute({
    id: 'getExportSizes',
    method: 'get',
    path: '/admin/export-sizes',
    summary: 'Count the rows that exports of some business days would have',
    description:
      'Drinks count by the end of their pour, kegs by the time they were put on tap, sessions by their start. Counted up to one ' +
      'row more than a workbook holds.',
    access: 'staff',
    accepts: { query: Open(dayFields) },
    replies: {
      status: 200,
      body: Closed({
        most_workbook_rows: Type.Integer({
          minimum: 1,
          description: 'Rows that a workbook (`.xlsx`) holds; a larger export as a workbook is a 400.',
        }),
        sizes: Type.Array(
          Closed(
            {
              kind: Type.Enum([...kinds], { description: 'Kind of the records.' }),
              rows: Type.Integer({ minimum: 0, description: 'Number of rows.' }),
            },
            { description: 'Size of one export.' },
          ),
          { description: 'All kinds.' },
        ),
      }),
    },
    run: ({ engine }, { query }) => ({
      most_workbook_rows: maxWorkbookRows,
      sizes: engine.reports.exports.counts(engine.reports.daysSpan(query)),
    }),
  });

/** Exports of all records of one kind, those of extensions too: their data stays while they are off. */
export function recordExportRoutes(extensions: readonly HttpExtension[]): readonly Route[] {
  const kinds = [
    ...exportKinds,
    ...extensions.flatMap(({ exports = [] }) => exports.map(({ kind }) => kind)),
  ];
  return [getExport(kinds), getExportSizes(kinds)];
}

function parseSpan(engine: Engine, query: SpanQuery) {
  const { first, last, since, until } = query;
  if (first !== undefined && since !== undefined)
    throw validationError('since', 'cannot be combined with first');
  if (last !== undefined && until !== undefined)
    throw validationError('until', 'cannot be combined with last');
  return {
    ...parseTimeSpan(engine, query),
    ...engine.reports.daysSpan(omitUndefined({ first, last })),
  };
}

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
