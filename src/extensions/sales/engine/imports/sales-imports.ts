import { createHash } from 'node:crypto';
import { AppError } from '../../../../core/app-error.ts';
import type { Moment } from '../../../../core/clock/moment.ts';
import { createProblem } from '../../../../core/health/problems.ts';
import { minorDigits } from '../../../../core/kegs/money.ts';
import type { ActorContext } from '../../../../engine/shared/actor-context.ts';
import { writeAudit } from '../../../../engine/shared/audit.ts';
import { requireFound } from '../../../../engine/shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../../../../engine/shared/paging.ts';
import { change } from '../../../../engine/shared/parts.ts';
import type { SaleLine } from '../../core/sale-line.ts';
import type { SalesFormat } from '../../core/sales-format.ts';
import type { ImportCounts, ImportSource, SalesImport } from '../../store/sales-imports-table.ts';
import type { SalesParts } from '../parts.ts';
import { fileError, validateFormat } from '../sales-bounds.ts';
import { createLineWriter } from './add-lines.ts';
import { createCompleteImports } from './complete-imports.ts';
import { countLines } from './count-lines.ts';
import type { SalesFiles } from './join-dsfinvk.ts';
import { readSales } from './read-sales.ts';
import type { Pause } from './sales-table.ts';

/** Lines stored per transaction: some milliseconds on a Pi. */
const linesPerStep = 25;
export interface FileImport {
  readonly tillId: number;
  readonly format: SalesFormat;
  readonly files: SalesFiles;
  readonly fileName: string;
  readonly source: ImportSource;
  readonly pause: Pause;
  /** Size of the file when it was imported before; null when it was not. One that has grown since continues that import. */
  readonly previousBytes?: number | null;
}

/** The result of an import. */
export interface ImportedFile {
  readonly record: SalesImport;
  /** True when the same content was imported before: nothing was changed. */
  readonly isRepeat: boolean;
}

/** An import as it is shown. */
export interface SalesImportView extends Omit<SalesImport, 'state'> {
  readonly state: SalesImport['state'] | 'interrupted';
  readonly till: string;
}

/** Imports of files. They run in steps, so that counting and requests go on; one at a time. */
export function createSalesImports(parts: SalesParts) {
  const { store } = parts;
  const completeImports = createCompleteImports(store);
  /** Id of the import that runs or is being undone; 0 before it has one. */
  let busyId: number | null = null;

  const exclusively = async <T>(work: () => Promise<T>): Promise<T> => {
    if (busyId !== null)
      throw new AppError('conflict', 'Sales are being imported: try again when that is done.', {
        reason: { name: 'sales_import_running' },
      });
    busyId = 0;
    try {
      return await work();
    } finally {
      busyId = null;
    }
  };

  const toView = (record: SalesImport): SalesImportView => ({
    ...record,
    state: record.state === 'running' && record.id !== busyId ? 'interrupted' : record.state,
    till: store.tills.byId(record.tillId)?.name ?? '',
  });

  const get = (id: number): SalesImport =>
    requireFound(Number.isSafeInteger(id) ? store.salesImports.byId(id) : null, `import ${id}`);

  const audit = (action: string, record: SalesImport, { actor, now }: ActorContext): void => {
    const {
      id,
      fileName: file_name,
      lines,
      newLines: new_lines,
      changedLines: changed_lines,
      goneLines: gone_lines,
      badRows,
    } = record;
    const till = store.tills.byId(record.tillId)?.name;
    const after = { till, file_name, lines, new_lines, changed_lines, gone_lines, bad_rows: badRows };
    writeAudit(store, { actor, action, subject: { kind: 'sales_import', id }, after }, now);
  };

  /** Removes the lines of an import in steps, and restores what was gone by it. */
  const removeLines = async (id: number, pause: Pause): Promise<void> => {
    while (store.relaxedRecording(() => store.sales.removeSome(id, linesPerStep))) await pause();
    await completeImports.undo(id, pause);
  };

  /** Removes an import that failed. One that cannot be removed now is continued when the same content comes again. */
  const discard = async (id: number, pause: Pause): Promise<void> => {
    try {
      await removeLines(id, pause);
      change(parts, () => store.salesImports.remove(id), 'removal');
    } catch {
      // The disk is full or faulty, or the daemon stops.
    }
  };

  /** The import of the beginning of a file that has grown since. */
  const findGrown = async ({ tillId, files, format, previousBytes, pause }: FileImport) => {
    if (!previousBytes || previousBytes >= files.main.length || files.transactions !== undefined) return null;
    const beginning = { main: files.main.subarray(0, previousBytes) };
    const found = store.salesImports.byHash(tillId, await hashFiles(beginning, format, pause));
    return found?.state === 'complete' ? found : null;
  };

  /** Stores the lines of a file; `before` is what the import had of it when it was shorter. */
  const run = async (
    request: FileImport,
    id: number,
    before: Pick<ImportCounts, 'newLines' | 'changedLines'>,
    now: Moment,
  ): Promise<void> => {
    const { tillId, format, files, pause } = request;
    const writer = createLineWriter(store, { tillId, importId: id });
    const counter = countLines();
    let waiting: { readonly row: number; readonly line: SaleLine }[] = [];
    const flush = (): void => {
      store.diskSpace.require('change');
      store.relaxedRecording(() => {
        for (const { row, line } of waiting) counter.add(row, line, writer(line));
      });
      waiting = [];
    };
    const hasSellers = store.sellers.settings().reason !== null;
    const digits = minorDigits(store.reports.settings().currency);
    for await (const read of readSales(files, {
      format,
      minorDigits: digits,
      pause,
      hasSellers,
      nowMs: now.synced ? now.wallMs : null,
    })) {
      if (read.kind === 'head') {
        if (read.missing.length > 0) throw missingColumns(format, read.missing, request.fileName);
      } else if (read.kind === 'line') waiting.push({ row: read.row, line: read.line });
      else counter.note(read);
      if (waiting.length < linesPerStep) continue;
      flush();
      await pause();
    }
    flush();
    const counts = counter.counts();
    store.relaxedRecording(() =>
      store.salesImports.setCounts(id, {
        ...counts,
        newLines: before.newLines + counts.newLines,
        changedLines: before.changedLines + counts.changedLines,
      }),
    );
    // A row that was not understood may be a line that is known.
    await completeImports.apply(id, format.isComplete && counts.badRows === 0, pause);
  };

  return {
    /** True while an import runs. */
    isBusy: (): boolean => busyId !== null,

    /**
     * Imports a file of a till. Content that was imported before, read in the same way, changes nothing. Lines are known by their
     * keys, so that files may overlap. Throws `invalid_request` for a file that is none, `conflict` while another import runs.
     */
    importFile: (request: FileImport, context: ActorContext): Promise<ImportedFile> =>
      exclusively(async () => {
        requireFound(store.tills.byId(request.tillId), `till ${request.tillId}`);
        const format = validateFormat(request.format);
        const contentHash = await hashFiles(request.files, format, request.pause);
        const known = store.salesImports.byHash(request.tillId, contentHash);
        if (known?.state === 'complete') return { record: known, isRepeat: true };
        const grown = await findGrown({ ...request, format });
        const id =
          grown?.id ??
          known?.id ??
          change(parts, () =>
            store.salesImports.add({
              tillId: request.tillId,
              source: request.source,
              fileName: request.fileName.slice(0, 255),
              contentHash,
              startedMs: Math.max(0, Math.round(context.now.wallMs)),
              timeMeaning: format.timeMeaning,
            }),
          );
        busyId = id;
        try {
          // What an interrupted one has stored would not count as new.
          if (grown === null && known !== null) await removeLines(id, request.pause);
          await run({ ...request, format }, id, grown ?? { newLines: 0, changedLines: 0 }, context.now);
        } catch (fault) {
          // Lines of a file that has grown stay: they are found again in the next attempt.
          if (grown === null) await discard(id, request.pause);
          throw fault;
        }
        // The only commit that waits for the disk: it makes the steps before last, too.
        change(parts, () => {
          store.salesImports.complete(id, contentHash);
          // A file of the folder is read by the format of its time, which staff may have changed meanwhile.
          if (request.source === 'file') store.tills.setFormat(request.tillId, format);
          if (grown === null) audit('sales.imported', get(id), context);
        });
        return { record: get(id), isRepeat: false };
      }),

    /** Removes all lines of an import that no other import has. Continues where it was interrupted. */
    undo: (id: number, pause: Pause, context: ActorContext): Promise<SalesImportView> =>
      exclusively(async () => {
        if (get(id).state === 'undone')
          throw new AppError('conflict', 'The import was undone already.', {
            reason: { name: 'sales_import_undone' },
          });
        busyId = id;
        change(parts, () => store.salesImports.setState(id, 'undoing'), 'removal');
        await removeLines(id, pause);
        change(
          parts,
          () => {
            store.salesImports.setState(id, 'undone');
            audit('sales.import_undone', get(id), context);
          },
          'removal',
        );
        return toView(get(id));
      }),

    /** Newest first. */
    list: (request: PageRequest): Page<SalesImportView> =>
      readPage(request, store.salesImports.count(), (slice) => store.salesImports.page(slice).map(toView)),

    get: (id: number): SalesImportView => toView(get(id)),
  };
}

const missingColumns = (
  { columns }: SalesFormat,
  missing: readonly (keyof SalesFormat['columns'])[],
  file: string,
) =>
  fileError(
    createProblem('sales_columns_missing', {
      file,
      columns: missing.map((field) => columns[field]).join(', '),
    }),
  );

async function hashFiles(
  { main, transactions }: SalesFiles,
  format: SalesFormat,
  pause: Pause,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(format));
  for (const bytes of [main, transactions ?? Buffer.alloc(0)]) {
    hash.update(`\n${bytes.length}\n`);
    for (let start = 0; start < bytes.length; start += 262_144) {
      hash.update(bytes.subarray(start, start + 262_144));
      await pause();
    }
  }
  return hash.digest('hex');
}
