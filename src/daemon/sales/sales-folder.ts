import { lstat, opendir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock/moment.ts';
import { createProblem, type Problem, toProblems } from '../../core/rules/problems.ts';
import { type Engine, maxSalesFileBytes, systemActor } from '../../engine/engine.ts';
import type { ReportProblem } from '../monitors/health-reporters.ts';

/** Files of the folder that are looked at; a till writes one or two a day. */
const maxFiles = 1_000;
/** The folders of tills. */
const maxFolders = 50;

interface SalesFolderOptions {
  /** Absolute path; each till has a folder of its name in it. */
  readonly folder: string;
  /** Null while the database cannot be opened. */
  readonly engine: () => Engine | null;
  readonly clock: Clock;
  readonly reportProblem: ReportProblem;
}

interface FoundFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
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
    const found = await listFiles(folder);
    const known = new Map(open.sales.files().map((file) => [file.path, file]));
    for (const file of found) {
      const before = seen.get(file.path);
      const stored = known.get(file.path);
      if (before === undefined || !isSame(file, before) || isClosed) continue;
      const till = findTill(open, file);
      const attempt = `${file.sizeBytes} ${file.modifiedMs} ${JSON.stringify(till?.format ?? null)}`;
      // A file that was refused is tried again when it or the format of its till has changed, and after a start.
      const isRead = stored !== undefined && isSame(file, stored) && stored.fault === '';
      if (isRead || attempts.get(file.path) === attempt) continue;
      attempts.set(file.path, attempt);
      await importFile(open, file);
    }
    seen = new Map(found.map((file) => [file.path, file]));
    open.sales.forgetFiles(new Set(found.map(({ path }) => path)));
    report(open.sales.files().filter(({ fault }) => fault !== ''));
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
        const main = await readFile(join(folder, file.path));
        const request = { tillId: till.id, format: till.format!, files: { main }, fileName: file.path };
        const { record } = await open.sales.imports.importFile(
          { ...request, source: 'folder', pause },
          { actor: systemActor, now: clock.now() },
        );
        importId = record.id;
      }
    } catch (cause) {
      if (isClosed) return;
      // While staff import a file, it is tried again in a minute.
      if (cause instanceof AppError && cause.code === 'conflict') {
        attempts.delete(file.path);
        return;
      }
      fault = (cause instanceof Error ? cause.message : String(cause)).slice(0, 1_000);
    }
    open.sales.noteFile({ ...file, importId, fault }, clock.now());
  }

  function report(faulty: readonly { readonly path: string; readonly fault: string }[]): void {
    const [first] = faulty;
    reportProblem(
      first === undefined
        ? []
        : [
            createProblem('sales_file_refused', {
              file: first.path,
              count: faulty.length,
              problem: first.fault,
            }),
          ],
    );
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

const isSame = (
  one: Pick<FoundFile, 'sizeBytes' | 'modifiedMs'>,
  other: Pick<FoundFile, 'sizeBytes' | 'modifiedMs'>,
): boolean => one.sizeBytes === other.sizeBytes && one.modifiedMs === other.modifiedMs;

/** CSV files and archives in the folders of the tills, by path. Links are not followed. */
async function listFiles(folder: string): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  let folders = 0;
  for await (const till of await opendir(folder)) {
    if (!till.isDirectory() || till.name.startsWith('.') || folders >= maxFolders) continue;
    folders += 1;
    for await (const entry of await opendir(join(folder, till.name))) {
      if (!entry.isFile() || !/^[^.].*\.(?:csv|txt|zip)$/i.test(entry.name) || found.length >= maxFiles)
        continue;
      const path = join(folder, till.name, entry.name);
      const { size, mtimeMs } = await lstat(path);
      found.push({ path: relative(folder, path), sizeBytes: size, modifiedMs: Math.round(mtimeMs) });
    }
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}
