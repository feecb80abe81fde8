import { readFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import Type, { type Static } from 'typebox';
import type { Upload } from '../../../engine/engine.ts';
import {
  PageQuery,
  PagingJson,
  pagingJson,
  toPageRequest,
  wholeListPaging,
} from '../../../http/current/shared/paging.ts';
import { validate } from '../../../http/pipeline/validate.ts';
import { IdParam, validationError } from '../../../http/routes/input-values.ts';
import { defineRoute, type Route } from '../../../http/routes/route.ts';
import { actorContext } from '../../../http/routes/route-context.ts';
import {
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  Open,
} from '../../../http/routes/schemas.ts';
import { salesPresetFormats } from '../core/sales-format.ts';
import type { SalesImportView } from '../engine/imports/sales-imports.ts';
import { maxSalesFileBytes } from '../engine/imports/sales-table.ts';
import type { SalesRouteParts } from './route-parts.ts';
import { SalesPreviewJson, salesPreviewJson } from './sales-preview-views.ts';
import {
  BadRowJson,
  formatJson,
  NewSalesFormatJson,
  SalesFormatJson,
  TimeMeaningJson,
  toFormat,
} from './sales-schemas.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Time = (description: string) => Nullable({ ...IsoSeconds, description });

const SalesImportJson = named(
  'SalesImport',
  Closed(
    {
      id: Id,
      till_id: { ...Id, description: 'Id of the till.' },
      till: Type.String({ description: 'Name of the till.' }),
      source: Type.Enum(['file', 'folder', 'api'], { description: 'How the lines came.' }),
      file_name: Type.String({
        description: 'Name of the file; of lines by the API the day on which they came.',
      }),
      started_time: { ...IsoSeconds, description: 'When it began, UTC.' },
      state: Type.Enum(['running', 'interrupted', 'complete', 'undoing', 'undone'], {
        description: '`interrupted`: the program ended meanwhile; import the file again, or undo it.',
      }),
      time_meaning: TimeMeaningJson,
      lines: Count('Lines in it.'),
      new_lines: Count('Of these, lines that were not known before.'),
      changed_lines: Count('Of these, lines with other values than before, such as voided ones.'),
      skipped_rows: Count('Rows that are no sale of a product.'),
      bad_rows: Count('Rows that were not understood.'),
      is_complete: Type.Boolean({
        description: 'True when it has all lines of its till from its first to its last one.',
      }),
      gone_lines: Count('Lines of earlier imports that it does not have: they count no longer.'),
      faults: Type.Array(BadRowJson, { description: 'The first 100 of them.' }),
      first_time: Time('Time of the first line, UTC.'),
      last_time: Time('Time of the last line, UTC.'),
    },
    { description: 'Lines of a till that came at once.' },
  ),
);

const time = (ms: number | null) => (ms === null ? null : isoSeconds(ms));

const importJson = (one: Omit<SalesImportView, 'contentHash'>): Static<typeof SalesImportJson> => ({
  id: one.id,
  till_id: one.tillId,
  till: one.till,
  source: one.source,
  file_name: one.fileName,
  started_time: isoSeconds(one.startedMs),
  state: one.state,
  time_meaning: one.timeMeaning,
  lines: one.lines,
  new_lines: one.newLines,
  changed_lines: one.changedLines,
  skipped_rows: one.skippedRows,
  bad_rows: one.badRows,
  is_complete: one.isComplete,
  gone_lines: one.goneLines,
  faults: one.faults.map((fault) => ({ ...fault })),
  first_time: time(one.firstMs),
  last_time: time(one.lastMs),
});

const params = Open({ id: IdParam });
const files = ['file', 'transactions'] as const;

const FormatText = Type.String({
  minLength: 2,
  maxLength: 16_384,
  description: 'How the file is read, as JSON text in the form of `SalesFormat`; send it before the file.',
});
const FileName = Type.String({ minLength: 1, maxLength: 255, description: 'Name of the file.' });

const largeFile = { maxBytes: maxSalesFileBytes, checkFields: () => {} };

/** Imports of files of tills, for staff. */
export const salesImportRoutes = ({ servicesOf }: SalesRouteParts): readonly Route[] => [
  defineRoute({
    id: 'listSalesPresets',
    method: 'get',
    path: '/sales-presets',
    summary: 'List the known kinds of tills, with how their files are read',
    description: 'What is null there has to be asked: the order of dates is never guessed.',
    access: 'staff',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        presets: Type.Array(
          Closed({
            ...SalesFormatJson.properties,
            date_order: Nullable(SalesFormatJson.properties.date_order),
            time_meaning: Nullable(TimeMeaningJson),
            time_zone: Type.String({ description: 'The time zone of the site.' }),
          }),
          { description: 'All presets.' },
        ),
      }),
    },
    run({ engine }) {
      const presets = Object.values(salesPresetFormats).map(({ dateOrder, timeMeaning, ...format }) => ({
        ...formatJson({
          ...format,
          dateOrder: 'ymd',
          timeMeaning: 'ring',
          timeZone: engine.users.site().timeZone,
        }),
        date_order: dateOrder,
        time_meaning: timeMeaning,
      }));
      return { paging: wholeListPaging(presets), presets };
    },
  }),
  defineRoute({
    id: 'previewSalesImport',
    method: 'post',
    path: '/sales-previews',
    summary: 'Show how a file of a till would be understood',
    description:
      'Send a multipart form with `format` and then the `file` (CSV, at most 20 MiB and 200 000 rows), of DSFinV-K `lines.csv` with ' +
      '`transactions`, or a ZIP archive with both. With a till it says what the import will change. Nothing is stored.',
    access: 'staff',
    accepts: { body: Closed({ till_id: Maybe(Id), format: FormatText }), files },

    largeFile,
    errors: { not_found: ['not_found'], unavailable: [] },
    replies: { status: 200, body: SalesPreviewJson },
    async run({ engine, now }, { body, files: uploads }) {
      const format = parseFormat(body.format);
      return salesPreviewJson(
        await servicesOf(engine).sales.previews.read(await readUploads(uploads), {
          format,
          tillId: body.till_id ?? null,
          pause: yieldToEventLoop,
          now,
        }),
      );
    },
  }),
  defineRoute({
    id: 'createSalesImport',
    method: 'post',
    path: '/sales-imports',
    summary: 'Import a file of a till',
    description:
      'Sent as in `POST /sales-previews`. Lines are known by their ids, so that files may overlap and nothing is counted twice; the same ' +
      'content again changes nothing. How the file is read is kept with the till. Written to the audit log.',
    access: 'staff',
    accepts: {
      body: Closed({ till_id: Id, file_name: FileName, format: FormatText }),
      files,
    },
    largeFile,
    errors: { not_found: ['not_found'], conflict: ['sales_import_running'], unavailable: [] },
    replies: {
      status: 200,
      body: Closed({
        import: SalesImportJson,
        repeated: Type.Boolean({ description: 'True when the same content was imported before.' }),
      }),
    },
    async run(context, { body, files: uploads }) {
      const { imports } = servicesOf(context.engine).sales;
      const { record, isRepeat } = await imports.importFile(
        {
          tillId: body.till_id,
          format: parseFormat(body.format),
          files: await readUploads(uploads),
          fileName: body.file_name,
          source: 'file',
          pause: yieldToEventLoop,
        },
        actorContext(context),
      );
      return { import: importJson(imports.get(record.id)), repeated: isRepeat };
    },
  }),
  defineRoute({
    id: 'listSalesImports',
    method: 'get',
    path: '/sales-imports',
    summary: 'List the imports of sales, newest first',
    description: 'With the numbers of their lines and the bad rows.',
    access: 'staff',
    accepts: { query: PageQuery },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        imports: Type.Array(SalesImportJson, { description: 'The imports of this page.' }),
      }),
    },
    run({ engine, addressWith }, { query }) {
      const page = servicesOf(engine).sales.imports.list(toPageRequest(query));
      return { paging: pagingJson(page, addressWith), imports: page.items.map(importJson) };
    },
  }),
  defineRoute({
    id: 'getSalesImport',
    method: 'get',
    path: '/sales-imports/{id}',
    summary: 'Get an import of sales',
    description: 'Its lines: `GET /sales?import_id=`.',
    access: 'staff',
    accepts: { params },
    replies: { status: 200, body: Closed({ import: SalesImportJson }) },
    run: ({ engine }, { params: { id } }) => ({
      import: importJson(servicesOf(engine).sales.imports.get(id)),
    }),
  }),
  defineRoute({
    id: 'undoSalesImport',
    method: 'post',
    path: '/sales-imports/{id}/undo',
    summary: 'Undo an import of sales as a whole',
    description:
      'Its lines are removed, but for those that another import has; lines that were gone by it count again. The file can be imported again. Written to the audit log.',
    access: 'staff',
    accepts: { params },
    errors: { conflict: ['sales_import_running', 'sales_import_undone'] },
    replies: { status: 200, body: Closed({ import: SalesImportJson }) },
    run: async (context, { params: { id } }) => ({
      import: importJson(
        await servicesOf(context.engine).sales.imports.undo(id, yieldToEventLoop, actorContext(context)),
      ),
    }),
  }),
];

function parseFormat(text: string) {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw validationError('format', 'must be JSON');
  }
  const wrapped = { format: json } as Record<string, unknown>;
  validate(Closed({ format: NewSalesFormatJson }), wrapped);
  return toFormat(json as Static<typeof NewSalesFormatJson>);
}

async function readUploads(uploads: ReadonlyMap<string, Upload>) {
  const main = await readUpload(uploads.get('file'));
  if (main === undefined)
    throw validationError('file', 'is required: a file in a multipart form', { name: 'required' });
  return { main, transactions: await readUpload(uploads.get('transactions')) };
}

async function readUpload(upload: Upload | undefined): Promise<Buffer | undefined> {
  if (upload === undefined) return undefined;
  await finished(upload.stream.end());
  return readFile(upload.path);
}
