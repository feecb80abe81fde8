import { lstat, opendir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Files of the folder that are looked at; a till writes one or two a day. */
const maxFiles = 1_000;
/** The folders of tills. */
const maxFolders = 50;

export interface FoundFile {
  /** Below the folder. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** A file or folder that the system does not let the daemon read. */
export interface UnreadableEntry {
  readonly path: string;
  /** Of the system, such as `EACCES`. */
  readonly errorCode: string;
}

export interface ListedFiles {
  /** By path. */
  readonly files: readonly FoundFile[];
  readonly unreadable: readonly UnreadableEntry[];
}

/**
 * Lists CSV files and archives in the folders of the tills. Links are not followed. An entry that cannot be read does not hold up the
 * others. Throws when the folder itself cannot be read.
 */
export async function listSalesFiles(folder: string): Promise<ListedFiles> {
  const files: FoundFile[] = [];
  const unreadable: UnreadableEntry[] = [];
  /** A file that is renamed or deleted meanwhile is found under its new name, or not at all, the next time. */
  const note = (path: string, cause: unknown): void => {
    const errorCode = toErrorCode(cause);
    // A name that is not in UTF-8 is listed, but not found.
    if (errorCode === 'ENOENT' && !path.includes('\uFFFD')) return;
    unreadable.push({ path: relative(folder, path), errorCode });
  };

  async function listTill(tillFolder: string): Promise<void> {
    for await (const entry of await opendir(tillFolder)) {
      if (!entry.isFile() || !/^[^.].*\.(?:csv|txt|zip)$/i.test(entry.name) || files.length >= maxFiles)
        continue;
      const path = join(tillFolder, entry.name);
      try {
        const { size, mtimeMs } = await lstat(path);
        files.push({ path: relative(folder, path), sizeBytes: size, modifiedMs: Math.round(mtimeMs) });
      } catch (cause) {
        note(path, cause);
      }
    }
  }

  let folders = 0;
  for await (const till of await opendir(folder)) {
    if (!till.isDirectory() || till.name.startsWith('.') || folders >= maxFolders) continue;
    folders += 1;
    const tillFolder = join(folder, till.name);
    try {
      await listTill(tillFolder);
    } catch (cause) {
      note(tillFolder, cause);
    }
  }
  return { files: files.sort((one, other) => (one.path < other.path ? -1 : 1)), unreadable };
}

export const toErrorCode = (cause: unknown): string => {
  const { code } = cause as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : 'unknown';
};
