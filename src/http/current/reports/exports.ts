import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { type ExportFormat, type ExportKind, exportFormats, exportKinds } from '../../../engine/engine.ts';
import { parseTimeSpan, timeSpanFields } from '../../routes/input-values.ts';
import { defineRawRoute } from '../../routes/route.ts';
import { Open } from '../../routes/schemas.ts';
import { overloadLimits } from '../../server/overload-limits.ts';

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

let runningExports = 0;

/** Exports all drinks, kegs, sessions or temperatures as CSV or JSON lines. */
export const getExport = defineRawRoute({
  id: 'getExport',
  method: 'get',
  path: '/admin/export/{file}',
  summary: 'Export all records of one kind, oldest first, as CSV or as one JSON object per line',
  description:
    'The whole table, or a time span, is streamed in chunks while the bar goes on; the connection is closed when ' +
    'it fails half-way. Held pours are exported with their state. One export runs at a time; another one gets ' +
    '429.',
  access: 'staff',
  accepts: {
    params: Open({
      file: Type.Enum(
        exportKinds.flatMap((kind) => exportFormats.map((format) => `${kind}.${format}`)),
        { description: 'Kind and format.' },
      ),
    }),
    query: Open(timeSpanFields),
  },
  mediaType: 'text/csv',
  otherMediaTypes: ['application/x-ndjson'],
  async send({ engine }, { request, response }, { params: { file }, query }) {
    const [kind, format] = file.split('.') as [ExportKind, ExportFormat];
    const pieces = engine.exports.pieces({ kind, format, ...parseTimeSpan(engine, query) });
    if (runningExports >= overloadLimits.exports.total) {
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
    runningExports++;
    try {
      for (const piece of pieces) {
        if (response.destroyed) return;
        if (piece !== '' && !response.write(piece)) await waitForDrainOrClose(response);
        // Lets GPIO edges and other requests be handled between chunks.
        await yieldToEventLoop();
      }
      response.end();
    } catch (fault) {
      // Closing the connection tells the client that the export is incomplete.
      response.destroy();
      throw fault;
    } finally {
      runningExports--;
    }
  },
});

const waitForDrainOrClose = (response: NodeJS.WritableStream): Promise<void> =>
  new Promise((done) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      done();
    };
    response.on('drain', go).on('close', go);
  });
