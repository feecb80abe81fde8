import type { Readable } from 'node:stream';
import { type Entry, fromFdPromise } from 'yauzl';
import { invalidBackup } from './table-rows.ts';

/** Bounds of an archive: pictures are some ten thousand files, and its tables hardly compress to less than a hundredth. */
const maxMembers = 100_000;
export const maxUnpackedBytes = 8 * 1024 ** 3;
export const maxCompressionRatio = 200;

/** Up to this unpacked size the ratio is not checked, bytes. */
export const uncheckedBytes = 64 * 1024 * 1024;

/** A member of an archive, which is read and never written to the disk. */
export interface ZipMember {
  /** Its name below the folder that contains everything. */
  readonly path: string;
  readonly bytes: number;
  open(): AsyncIterable<Buffer>;
}

/**
 * The members of a zip archive that is opened as `descriptor`; media are left out. Throws `invalid_request` for a damaged
 * archive, one that leads out of its folder, and one that unpacks to much more than a backup does.
 */
export async function openZip(name: string, descriptor: number): Promise<readonly ZipMember[]> {
  try {
    const zip = await fromFdPromise(descriptor, { lazyEntries: true, autoClose: false });
    if (zip.entryCount > maxMembers) throw invalidBackup(name, `has more than ${maxMembers} files in it`);
    const members = new Map<string, ZipMember>();
    for await (const entry of zip.eachEntry()) {
      const path = pathOf(entry.fileName);
      if (path === null) continue;
      if (members.has(path)) throw invalidBackup(name, `has two files ${path.slice(0, 80)} in it`);
      requirePlausible(name, entry);
      members.set(path, {
        path,
        bytes: entry.uncompressedSize,
        open: () => readMember(name, () => zip.openReadStreamPromise(entry)),
      });
    }
    return [...members.values()];
  } catch (fault) {
    throw toZipError(name, fault);
  }
}

/** The name without the folder that has the backup's name; null for a folder and for media. */
function pathOf(fileName: string): string | null {
  if (fileName.endsWith('/') || /(?:^|\/)(?:media|__MACOSX)\//.test(fileName)) return null;
  return /(?:^|\/)((?:tables\/)?[^/]+)$/.exec(fileName)?.[1] ?? null;
}

function requirePlausible(name: string, entry: Entry): void {
  if (entry.isEncrypted())
    throw invalidBackup(name, 'is protected by a password: unpack it and pack it without one');
  const { compressedSize, uncompressedSize } = entry;
  const limit = Math.max(uncheckedBytes, compressedSize * maxCompressionRatio);
  if (uncompressedSize > Math.min(maxUnpackedBytes, limit)) throw invalidBackup(name, tooMuch);
}

export const tooMuch = 'unpacks to much more data than a backup has';

async function* readMember(name: string, open: () => Promise<Readable>): AsyncGenerator<Buffer> {
  try {
    yield* (await open()) as AsyncIterable<Buffer>;
  } catch (fault) {
    throw toZipError(name, fault);
  }
}

/** The library's errors are about the format; one of ours and one of the disk stay as they are. */
function toZipError(name: string, fault: unknown): unknown {
  const isOwn = fault instanceof Error && (fault.name === 'AppError' || 'syscall' in fault);
  return isOwn ? fault : invalidBackup(name, 'is a damaged zip archive: make or copy it again');
}
