import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AppError } from '../../../core/app-error.ts';
import type { Clock } from '../../../core/clock/moment.ts';
import { createProblem, type Problem } from '../../../core/health/problems.ts';
import { toProblems } from '../../../core/health/to-problems.ts';
import { systemActor } from '../../../engine/engine.ts';
import type { ReportProblem } from '../../../outbox/outbox-interfaces.ts';
import { maxSalesFileBytes } from '../engine/imports/sales-table.ts';
import type { Sales } from '../engine/sales.ts';
import type { SalesServices } from '../engine/sales-services.ts';
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
  readonly services: () => Pick<SalesServices, 'sales'> | null;
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
export function createSalesFolder({
  folder,
  services,
  clock,
  reportProblem,
}: SalesFolderOptions): SalesFolder {
  let seen = new Map<string, FoundFile>();
  /** What was tried last, by path. */
  const attempts = new Map<string, string>();
  let work: Promise<void> | null = null;
  let isClosed = false;
  /** The newest error, for the log. */
  let lastFault: unknown;

  async function scan(open: Sales): Promise<void> {
    const listed = await listSalesFiles(folder);
    const { files: found, unreadable } = listed;
    const known = new Map(open.files().map((file) => [file.path, file]));
    for (const file of found) {
      // A till may make the file of the day before its first sale.
      if (file.sizeBytes === 0) continue;
      const before = seen.get(file.path);
      const stored = known.get(file.path);
      if (before === undefined || !isSameState(file, before) || isClosed) continue;
      const till = findTill(open, file);
      const attempt = `${file.sizeBytes} ${file.modifiedMs} ${JSON.stringify(till?.format ?? null)}`;
      // A file that was refused is tried again when it or the format of its till has changed, and after a start; one that could not
      // be read or stored is tried again in a minute.
      const isRead = stored !== undefined && isSameState(file, stored) && stored.problem === null;
      if (isRead || attempts.get(file.path) === attempt) continue;
      attempts.set(file.path, attempt);
      await importFile(open, file, stored?.sizeBytes ?? null);
    }
    seen = new Map(found.map((file) => [file.path, file]));
    const isHidden = (path: string) =>
      unreadable.some((entry) => path === entry.path || path.startsWith(`${entry.path}/`));
    const stay = open.files().filter(({ path }) => isHidden(path));
    open.forgetFiles(new Set([...found, ...stay].map(({ path }) => path)));
    report(
      open.files().flatMap(({ path, problem }) => (problem === null ? [] : [{ path, problem }])),
      listed,
    );
  }

  /** A stop does not wait for an import; the file is read again after the next start. */
  const pause = async (): Promise<void> => {
    await yieldToEventLoop();
    if (isClosed) throw new Error('The daemon stops.');
  };

  async function importFile(open: Sales, file: FoundFile, previousBytes: number | null): Promise<void> {
    let importId: number | null = null;
    let problem = findTillProblem(open, file);
    try {
      if (problem === null) {
        const till = findTill(open, file)!;
        const main = await readSalesFile(folder, file);
        if (main === null) {
          attempts.delete(file.path);
          return;
        }
        const request = {
          tillId: till.id,
          format: till.format!,
          files: { main },
          fileName: file.path,
          previousBytes,
        };
        const { record } = await open.imports.importFile(
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
      [problem = createProblem('see_log')] = toProblems(cause);
      lastFault = cause;
    }
    open.noteFile({ ...file, importId, problem }, clock.now());
  }

  function report(
    faulty: readonly { readonly path: string; readonly problem: Problem }[],
    { unreadable, leftOut }: ListedFiles,
  ): void {
    const problems: Problem[] = [];
    const [refused] = faulty;
    if (refused !== undefined)
      problems.push(
        createProblem('sales_file_refused', { file: refused.path, count: faulty.length }),
        refused.problem,
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
    reportProblem(problems, lastFault);
    lastFault = undefined;
  }

  return {
    everyMinute() {
      const open = services()?.sales ?? null;
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
const findTill = (open: Sales, { path }: FoundFile) => open.tills.byName(path.split('/')[0]!);

/** Why the till of a file cannot be imported; null when it can. */
function findTillProblem(open: Sales, file: FoundFile): Problem | null {
  const name = file.path.split('/')[0]!;
  const till = findTill(open, file);
  if (till === null) return createProblem('sales_till_unknown', { till: name });
  if (till.format === null) return createProblem('sales_till_without_format', { till: name });
  return file.sizeBytes > maxSalesFileBytes
    ? createProblem('sales_file_too_large', { most: maxSalesFileBytes / 1_048_576 })
    : null;
}
