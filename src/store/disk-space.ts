import { statfsSync } from 'node:fs';
import { AppError } from '../core/app-error.ts';
import { reserveBytes, type WriteKind, writableBytes } from '../core/health/disk-reserve.ts';

/** Decides about every write to the disk of a database. */
export type DiskSpace = ReturnType<typeof createDiskSpace>;

/** Reads the free bytes of a folder's disk, for users other than root. */
export type ReadFreeBytes = (folder: string) => number;

const readFreeBytes: ReadFreeBytes = (folder) => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/** The reserve on the disk of `folder`; null for a database in memory, where nothing is refused. */
export function createDiskSpace(folder: string | null, read: ReadFreeBytes = readFreeBytes) {
  const writable = (kind: WriteKind): number => {
    if (folder === null || reserveBytes[kind] === 0) return Number.POSITIVE_INFINITY;
    return writableBytes(kind, read(folder));
  };
  const allows = (kind: WriteKind, bytes = 0): boolean => {
    const most = writable(kind);
    return most > 0 && bytes <= most;
  };
  return {
    /** Bytes of this kind that may be written now; infinite for what is never refused. */
    writable,
    /** Whether so many bytes may be written; 0 for a small row. */
    allows,
    /** Throws `unavailable`, which says what to do, unless so many bytes may be written. */
    require(kind: WriteKind, bytes = 0): void {
      if (allows(kind, bytes)) return;
      const megabytes = Math.floor(read(folder!) / 1e6);
      const needed = Math.ceil((bytes + reserveBytes[kind]) / 1e6);
      throw new AppError(
        'unavailable',
        `Only ${megabytes} MB are free on the disk, and ${needed} MB are needed: delete old backups or pictures, or use a larger disk. Drinks are still recorded.`,
        { reason: { name: 'no_disk_space', megabytes } },
      );
    },
  };
}
