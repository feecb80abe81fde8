import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock/moment.ts';
import { createProblem, type Problem, toProblems } from '../../core/rules/problems.ts';
import { type Engine, maxSalesFileBytes, systemActor } from '../../engine/engine.ts';
import type { ReportProblem } from '../monitors/health-reporters.ts';
import {
  type FoundFile,
  isSameState,
  type ListedFiles,
  listSalesFiles,
  maxFolderFiles,
  readSalesFile,
} from './list-sales-files.ts';

interface SalesFolderOptions {
  /** Absolute path; each till has a folder of its name in it. */
  readonly folder: string;
  /** Null while the database cannot be opened. */
  readonly engine: () => Engine | null;
  readonly clock: Clock;
  readonly reportProblem: ReportProblem;
}

export interface SalesFolder {
  /** Called about once a minute. */
  everyMinute(): void;
  /** Resolves when the running work is done. */
  whenIdle(): Promise<void>;
  /** Ends a running import. */
  close(): Promise<void>;
}

/**
 * Imports the files that a till writes into its folder. A file is read when its size and time have not changed for a minute, and read
 * once, whatever its name: the same content changes nothing. Files are neither moved nor changed.
 */
export function createSalesFolder({ folder, engine, clock, reportProblem }: SalesFolderOptions): SalesFolder {
  let seen = new Map<string, FoundFile>();
  /** What was tried last, by path. */
  const attempts = new Map<string, string>();
  let work: Promise<void> | null = null;
  let isClosed = false;

  async function scan(open: Engine): Promise<void> {
    const listed = await listSalesFiles(folder);
    const { files: found, unreadable } = listed;
    const known = new Map(open.sales.files().map((file) => [file.path, file]));
    for (const file of found) {
      const before = seen.get(file.path);
      const stored = known.get(file.path);
      if (before === undefined || !isSameState(file, before) || isClosed) continue;
      const till = findTill(open, file);
      const attempt = `${file.sizeBytes} ${file.modifiedMs} ${JSON.stringify(till?.format ?? null)}`;
      // A file that was refused is tried again when it or the format of its till has changed, and after a start; one that could not
      // be read or stored is tried again in a minute.
      const isRead = stored !== undefined && isSameState(file, stored) && stored.fault === '';
      if (isRead || attempts.get(file.path) === attempt) continue;
      attempts.set(file.path, attempt);
      await importFile(open, file);
    }
    seen = new Map(found.map((file) => [file.path, file]));
    const isHidden = (path: string) =>
      unreadable.some((entry) => path === entry.path || path.startsWith(`${entry.path}/`));
    const stay = open.sales.files().filter(({ path }) => isHidden(path));
    open.sales.forgetFiles(new Set([...found, ...stay].map(({ path }) => path)));
    report(
      open.sales.files().filter(({ fault }) => fault !== ''),
      listed,
    );
  }

  /** A stop does not wait for an import; the file is read again after the next start. */
  const pause = async (): Promise<void> => {
    await yieldToEventLoop();
    if (isClosed) throw new Error('The daemon stops.');
  };

  async function importFile(open: Engine, file: FoundFile): Promise<void> {
    let importId: number | null = null;
    let fault = tillFault(open, file) ?? '';
    try {
      if (fault === '') {
        const till = findTill(open, file)!;
        const main = await readSalesFile(folder, file);
        if (main === null) {
          attempts.delete(file.path);
          return;
        }
        const request = { tillId: till.id, format: till.format!, files: { main }, fileName: file.path };
        const { record } = await open.sales.imports.importFile(
          { ...request, source: 'folder', pause },
          { actor: systemActor, now: clock.now() },
        );
        importId = record.id;
      }
    } catch (cause) {
      if (isClosed) return;
      if (!isFaultOfFile(cause)) attempts.delete(file.path);
      // Staff import a file.
      if (cause instanceof AppError && cause.code === 'conflict') return;
      fault = (cause instanceof Error ? cause.message : String(cause)).slice(0, 1_000);
    }
    open.sales.noteFile({ ...file, importId, fault }, clock.now());
  }

  function report(
    faulty: readonly { readonly path: string; readonly fault: string }[],
    { unreadable, leftOut }: ListedFiles,
  ): void {
    const problems: Problem[] = [];
    const [refused] = faulty;
    if (refused !== undefined)
      problems.push(
        createProblem('sales_file_refused', {
          file: refused.path,
          count: faulty.length,
          problem: refused.fault,
        }),
      );
    const [entry] = unreadable;
    if (entry !== undefined)
      problems.push(
        createProblem('sales_entries_unreadable', {
          file: entry.path,
          count: unreadable.length,
          error: entry.errorCode,
        }),
      );
    if (leftOut > 0)
      problems.push(createProblem('sales_files_left_out', { count: leftOut, most: maxFolderFiles }));
    reportProblem(problems);
  }

  return {
    everyMinute() {
      const open = engine();
      if (open === null || work !== null || isClosed) return;
      work = scan(open)
        .catch((cause: unknown) => {
          const problem: Problem = createProblem('sales_folder_unreadable', { folder });
          reportProblem([problem, ...toProblems(cause)], cause);
        })
        .finally(() => {
          work = null;
        });
    },
    whenIdle: async () => void (await work),
    async close() {
      isClosed = true;
      await work;
    },
  };
}

const isFaultOfFile = (cause: unknown): boolean =>
  cause instanceof AppError && cause.code === 'invalid_request';

/** The first folder of the path names the till. */
const findTill = (open: Engine, { path }: FoundFile) => open.sales.tills.byName(path.split('/')[0]!);

/** Why the till of a file cannot be imported; null when it can. */
function tillFault(open: Engine, file: FoundFile): string | null {
  const name = file.path.split('/')[0]!;
  const till = findTill(open, file);
  if (till === null) return `There is no till ${name}.`;
  if (till.format === null) return `Import a file of the till ${name} on the page first.`;
  return file.sizeBytes > maxSalesFileBytes ? 'The file is larger than 20 MiB.' : null;
}
