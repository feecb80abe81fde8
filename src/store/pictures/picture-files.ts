import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { opendir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { syncToDisk } from '../files.ts';
import { shrinkPicture } from './shrink-picture.ts';

/** Longest side of the full picture, and side of the square thumbnail, pixels. */
export const pictureSizes = [1024, 128] as const;
export type PictureSize = (typeof pictureSizes)[number];

/** A file being uploaded. */
export interface Upload {
  readonly path: string;
  readonly stream: Writable;
  /** Bytes written so far. */
  bytes(): number;
  /** Closes and removes the file; may be called twice. */
  discard(): Promise<void>;
}

/** Folder of unfinished uploads, so that none is mistaken for a picture. */
const incomingFolder = 'incoming';

/** Picture files: `<name>-1024.jpg` and `<name>-128.jpg` in `pictures/` beside the database. */
export function pictureFiles(database: string) {
  let folder: string | undefined;
  const picturesFolder = (): string => {
    folder ??= database === ':memory:' ? mkdtempSync(join(tmpdir(), 'tapster-')) : dirname(database);
    return join(folder, 'pictures');
  };
  const path = (name: string, size: PictureSize): string => join(picturesFolder(), `${name}-${size}.jpg`);
  const activeUploads = new Set<string>();

  return {
    path,
    /** Number of running uploads. */
    activeUploads: (): number => activeUploads.size,

    /** Opens a new file for an upload. */
    receive(): Upload {
      const inbox = join(picturesFolder(), incomingFolder);
      mkdirSync(inbox, { recursive: true, mode: 0o700 });
      const name = randomBytes(16).toString('hex');
      const file = join(inbox, name);
      activeUploads.add(name);
      const stream = createWriteStream(file, { flags: 'wx', mode: 0o600 });
      // The writer gets the error itself; without a listener the event would end the process.
      stream.on('error', () => {});
      const closed = new Promise<void>((done) => stream.once('close', () => done()));
      return {
        path: file,
        stream,
        bytes: () => stream.bytesWritten,
        async discard() {
          if (!activeUploads.delete(name)) return;
          stream.destroy();
          await closed;
          await rm(file, { force: true });
        },
      };
    },

    /** Creates both files of the picture `name` from an upload; both are synced when it resolves. */
    async create(upload: Upload, name: string): Promise<void> {
      await finished(upload.stream.end());
      const files = pictureSizes.map((size) => path(name, size));
      try {
        await shrinkPicture(upload.path, { fit: path(name, 1024), square: path(name, 128) });
        for (const file of [...files, picturesFolder()]) await syncToDisk(file);
      } catch (fault) {
        await Promise.all(files.map((file) => rm(file, { force: true })));
        throw fault;
      }
    },

    /** Removes both files of a picture at once. A file that cannot be removed is left to `removeUnused`, which reports it. */
    removeNow(name: string): void {
      for (const size of pictureSizes) {
        try {
          rmSync(path(name, size), { force: true });
        } catch {
          // The change itself is committed and must not fail for it.
        }
      }
    },

    async remove(name: string): Promise<void> {
      await Promise.all(pictureSizes.map((size) => rm(path(name, size), { force: true })));
    },

    /** Removes the pictures of a `:memory:` database. */
    close(): void {
      if (database === ':memory:' && folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },

    /** Removes files of no picture and abandoned uploads, which crashes and faulty disks leave. */
    async removeUnused(isUsed: (name: string) => boolean): Promise<void> {
      if (database === ':memory:') return;
      await removeUnusedFiles(join(picturesFolder(), incomingFolder), (file) => activeUploads.has(file));
      await removeUnusedFiles(picturesFolder(), (file) => isUsed(file.split('-', 1)[0]!));
    },
  };
}

async function removeUnusedFiles(folder: string, isUsed: (file: string) => boolean): Promise<void> {
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.isFile() && !isUsed(entry.name)) await rm(join(folder, entry.name), { force: true });
    }
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ENOENT') throw fault;
  }
}
