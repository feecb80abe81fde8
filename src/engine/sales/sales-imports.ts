import { createHash } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';
import { minorDigits } from '../../core/kegs/money.ts';
import type { SaleLine } from '../../core/sales/sale-line.ts';
import type { SalesFormat } from '../../core/sales/sales-format.ts';
import type {
  BadRow,
  ImportCounts,
  ImportSource,
  SalesImport,
} from '../../store/sales/sales-imports-table.ts';
import type { ActorContext } from '../shared/actor-context.ts';
import { writeAudit } from '../shared/audit.ts';
import { requireFound, validationError } from '../shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../shared/paging.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { createLineWriter } from './add-lines.ts';
import type { SalesFiles } from './join-dsfinvk.ts';
import type { Pause } from './read-rows.ts';
import { readSales } from './read-sales.ts';
import { validateFormat } from './sales-bounds.ts';

/** Lines stored per transaction: some milliseconds on a Pi. */
const linesPerStep = 25;
/** Bad rows that are listed. */
export const maxFaults = 100;

export interface FileImport {
  readonly tillId: number;
  readonly format: SalesFormat;
  readonly files: SalesFiles;
  readonly fileName: string;
  readonly source: ImportSource;
  readonly pause: Pause;
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
export function createSalesImports(parts: EngineParts) {
  const { store } = parts;
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
      badRows,
    } = record;
    const till = store.tills.byId(record.tillId)?.name;
    const after = { till, file_name, lines, new_lines, changed_lines, bad_rows: badRows };
    writeAudit(store, { actor, action, subject: { kind: 'sales_import', id }, after }, now);
  };

  /** Removes the lines of an import in steps. */
  const removeLines = async (id: number, pause: Pause): Promise<void> => {
    for (;;) {
      if (!store.relaxedRecording(() => store.sales.removeSome(id, linesPerStep))) return;
      await pause();
    }
  };

  const run = async (request: FileImport, id: number): Promise<void> => {
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
    const digits = minorDigits(store.reports.settings().currency);
    for await (const read of readSales(files, { format, minorDigits: digits, pause })) {
      if (read.kind === 'head') {
        if (read.missing.length > 0) throw missingColumns(format, read.missing);
      } else if (read.kind === 'line') waiting.push({ row: read.row, line: read.line });
      else counter.note(read);
      if (waiting.length < linesPerStep) continue;
      flush();
      await pause();
    }
    flush();
    store.relaxedRecording(() => store.salesImports.setCounts(id, counter.counts()));
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
        if (known !== null) return { record: known, isRepeat: true };
        const id = change(parts, () =>
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
          await run({ ...request, format }, id);
        } catch (fault) {
          await removeLines(id, request.pause);
          change(parts, () => store.salesImports.setState(id, 'undone'), 'removal');
          throw fault;
        }
        // The only commit that waits for the disk: it makes the steps before last, too.
        change(parts, () => {
          store.salesImports.setState(id, 'complete');
          // A file of the folder is read by the format of its time, which staff may have changed meanwhile.
          if (request.source === 'file') store.tills.setFormat(request.tillId, format);
          audit('sales.imported', get(id), context);
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

/** Counts what the rows of an import are. */
function countLines() {
  let [lines, newLines, changedLines, skippedRows, badRows] = [0, 0, 0, 0, 0];
  let firstMs: number | null = null;
  let lastMs: number | null = null;
  const faults: BadRow[] = [];
  const note = (read: { kind: 'skipped' } | { kind: 'bad'; row: number; fault: BadRow['fault'] }): void => {
    if (read.kind === 'skipped') {
      skippedRows += 1;
      return;
    }
    badRows += 1;
    if (faults.length < maxFaults) faults.push({ line: read.row, fault: read.fault });
  };
  return {
    note,
    add(row: number, { timeMs }: SaleLine, added: 'new' | 'changed' | 'known' | null): void {
      if (added === null) {
        note({ kind: 'bad', row, fault: 'item' });
        return;
      }
      lines += 1;
      if (added === 'new') newLines += 1;
      if (added === 'changed') changedLines += 1;
      firstMs = Math.min(firstMs ?? timeMs, timeMs);
      lastMs = Math.max(lastMs ?? timeMs, timeMs);
    },
    counts: (): ImportCounts => ({
      lines,
      newLines,
      changedLines,
      skippedRows,
      badRows,
      faults,
      firstMs,
      lastMs,
    }),
  };
}

const missingColumns = ({ columns }: SalesFormat, missing: readonly (keyof SalesFormat['columns'])[]) =>
  validationError(
    'file',
    `must have the columns ${missing.map((field) => columns[field]).join(', ')}: check the separator and the names`,
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
