import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { type ExportFormat, type ExportKind, exportFormats, exportKinds } from '../../../engine/engine.ts';
import { Instant, readSpan } from '../../routes/instants.ts';
import { defineRawRoute } from '../../routes/route.ts';
import { Maybe, Open } from '../../routes/schemas.ts';

/** Exports at the same time; each reads the card from end to end. */
const maxConcurrentExports = 3;

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

let runningExports = 0;

/** All drinks, kegs, sessions or temperatures, for spreadsheets and other programs. */
export const getExport = defineRawRoute({
  id: 'getExport',
  method: 'get',
  path: '/admin/export/{file}',
  summary: 'Everything of one kind, the oldest first, as CSV or as one JSON object a line',
  access: 'staff',
  accepts: {
    params: Open({
      file: Type.Enum(
        exportKinds.flatMap((kind) => exportFormats.map((format) => `${kind}.${format}`)),
        { description: 'What, and in which form.' },
      ),
    }),
    query: Open({ since: Maybe(Instant), until: Maybe(Instant) }),
  },
  mediaType: 'text/csv',
  otherMediaTypes: ['application/x-ndjson'],
  async send({ engine }, { request, response }, { params: { file }, query }) {
    const [kind, format] = file.split('.') as [ExportKind, ExportFormat];
    const pieces = engine.exports.pieces({ kind, format, ...readSpan(query) });
    if (runningExports >= maxConcurrentExports) {
      throw new AppError('too_many', 'Other exports are running: wait until one of them is done.');
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
        // Pins and other guests come first after every piece.
        await yieldToEventLoop();
      }
      response.end();
    } catch (fault) {
      // Half an export must not look like a whole one.
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
