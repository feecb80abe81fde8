import { createHash } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextFile } from '../../system/small-files.ts';

/** A file system in memory that Linux always has; null on systems without. */
const memoryFolder = process.platform === 'linux' ? '/dev/shm' : null;

/**
 * Largest copy in memory. The service may use 640 MB where memory is limited (`MemoryMax`): the daemon 200 MB, this process
 * 220 MB, and files in memory count too.
 */
const maxCopyBytes = 100 * 1024 * 1024;

/** The copy with the largest sorting of an index, as a multiple of the copy. */
const withSorting = 1.5;

/** What must stay available: packing and checking take 120 MB, and others work meanwhile. */
const otherBytes = 120 * 1024 * 1024;

/** Where the memory for a copy is, and how much there is; null without any. */
interface MemoryForCopies {
  readonly folder: string;
  readonly freeBytes: number;
  readonly availableBytes: number;
}

/** A new folder for the copy of a database. */
export interface CopyFolder {
  readonly folder: string;
  /** False for the given folder on the disk. */
  readonly isInMemory: boolean;
  remove(): Promise<void>;
}

/**
 * Opens a folder for a copy of so many bytes: in memory where it fits, since a copy on the card doubles what a backup writes
 * to it, else `onDisk`. Removes the folders that killed processes left for this database; call it under the database's lock.
 */
export async function openCopyFolder(
  { database, bytes, onDisk }: { readonly database: string; readonly bytes: number; readonly onDisk: string },
  memory = readMemory(),
): Promise<CopyFolder> {
  const disk = { folder: onDisk, isInMemory: false, remove: async () => {} };
  if (memory === null) return disk;
  const prefix = `tapster-backup-${createHash('sha256').update(database).digest('hex').slice(0, 16)}-`;
  await removeLeftOver(memory.folder, prefix);
  const fits =
    bytes <= maxCopyBytes &&
    bytes * withSorting <= memory.freeBytes &&
    bytes * withSorting + otherBytes <= memory.availableBytes;
  if (!fits) return disk;
  try {
    const folder = await mkdtemp(join(memory.folder, prefix));
    return { folder, isInMemory: true, remove: () => rm(folder, { recursive: true, force: true }) };
  } catch {
    return disk;
  }
}

function readMemory(): MemoryForCopies | null {
  const kibibytes = /^MemAvailable:\s+(\d+) kB/m.exec(readTextFile('/proc/meminfo') ?? '')?.[1];
  if (memoryFolder === null || kibibytes === undefined) return null;
  try {
    const { type, bavail, bsize } = statfsSync(memoryFolder);
    if (type !== tmpfsType) return null;
    return { folder: memoryFolder, freeBytes: bavail * bsize, availableBytes: Number(kibibytes) * 1_024 };
  } catch {
    return null;
  }
}

const tmpfsType = 0x01021994; // TMPFS_MAGIC, linux/magic.h

async function removeLeftOver(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    // Another user's folder stays.
    if (name.startsWith(prefix))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
  }
}
