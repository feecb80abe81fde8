import { constants, type Stats } from 'node:fs';
import { lstat, open, opendir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Newest files of the folder that are looked at; a till writes one or two a day. */
export const maxFolderFiles = 1_000;
/** Files whose times are compared to find the newest. */
const maxComparedFiles = 20_000;
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
  /** Number of older files that are not among them. */
  readonly leftOut: number;
}

/**
 * Lists the newest CSV files and archives in the folders of the tills. Links are not followed. An entry that cannot be read does not hold up the
 * others. Throws when the folder itself cannot be read.
 */
export async function listSalesFiles(folder: string): Promise<ListedFiles> {
  const found: FoundFile[] = [];
  let uncompared = 0;
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
      if (!entry.isFile() || !/^[^.].*\.(?:csv|txt|zip)$/i.test(entry.name)) continue;
      if (found.length >= maxComparedFiles) {
        uncompared += 1;
        continue;
      }
      const path = join(tillFolder, entry.name);
      try {
        found.push({ path: relative(folder, path), ...toState(await lstat(path)) });
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
  const files = found.sort((one, other) => other.modifiedMs - one.modifiedMs).slice(0, maxFolderFiles);
  return {
    files: files.sort((one, other) => (one.path < other.path ? -1 : 1)),
    unreadable,
    leftOut: found.length - files.length + uncompared,
  };
}

/**
 * Reads a file as it was listed; null when it is another one meanwhile, or has changed. Never waits for a pipe, and follows no link.
 * The caller has compared its size with what is allowed.
 */
export async function readSalesFile(folder: string, file: FoundFile): Promise<Buffer | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(join(folder, file.path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const isSame = async () => {
      const stats = await handle.stat();
      return stats.isFile() && isSameState(toState(stats), file);
    };
    if (!(await isSame())) return null;
    const bytes = Buffer.alloc(file.sizeBytes);
    for (let length = 0; length < bytes.length; ) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) return null;
      length += bytesRead;
    }
    return (await isSame()) ? bytes : null;
  } finally {
    await handle.close();
  }
}

type FileState = Pick<FoundFile, 'sizeBytes' | 'modifiedMs'>;

const toState = ({ size, mtimeMs }: Stats): FileState => ({
  sizeBytes: size,
  modifiedMs: Math.round(mtimeMs),
});

export const isSameState = (one: FileState, other: FileState): boolean =>
  one.sizeBytes === other.sizeBytes && one.modifiedMs === other.modifiedMs;

export const toErrorCode = (cause: unknown): string => {
  const { code } = cause as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : 'unknown';
};
