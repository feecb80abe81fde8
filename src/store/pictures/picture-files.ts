import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { open, opendir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { shrinkPicture } from './shrink-picture.ts';

/** Longest side of a picture to look at, and side of the square for a list, pixels. */
export const pictureSizes = [1024, 128] as const;
export type PictureSize = (typeof pictureSizes)[number];

/** Bytes somebody sends, on their way to becoming a picture. */
export interface Upload {
  readonly path: string;
  readonly stream: Writable;
  /** Closes and removes the file; harmless when done twice. */
  discard(): Promise<void>;
}

/** Bytes that are still coming in lie here, so that nothing half-made is ever taken for a picture. */
const incomingFolder = 'incoming';

/** The files of pictures: `<name>-1024.jpg` and `<name>-128.jpg` in `pictures/` beside the ledger. */
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
    /** How many uploads are coming in now. */
    activeUploads: (): number => activeUploads.size,

    /** Bytes that are free where they go, for those who are not root. */
    async freeBytes(): Promise<number> {
      const { bavail, bsize } = await statfs(dirname(picturesFolder()));
      return bavail * bsize;
    },

    /** Opens a new file for bytes that come in. */
    receive(): Upload {
      const inbox = join(picturesFolder(), incomingFolder);
      mkdirSync(inbox, { recursive: true, mode: 0o700 });
      const name = randomBytes(16).toString('hex');
      const file = join(inbox, name);
      activeUploads.add(name);
      const stream = createWriteStream(file, { flags: 'wx', mode: 0o600 });
      // Whoever writes hears of a fault by itself; without anybody listening it would end the daemon.
      stream.on('error', () => {});
      const closed = new Promise<void>((done) => stream.once('close', () => done()));
      return {
        path: file,
        stream,
        async discard() {
          if (!activeUploads.delete(name)) return;
          stream.destroy();
          await closed;
          await rm(file, { force: true });
        },
      };
    },

    /** Makes the files of the picture `name` from an upload; both are on the disk when it resolves. */
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

    async remove(name: string): Promise<void> {
      await Promise.all(pictureSizes.map((size) => rm(path(name, size), { force: true })));
    },

    /** Pictures of a ledger that is kept nowhere are kept nowhere either. */
    close(): void {
      if (database === ':memory:' && folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },

    /** Removes what a crash or a cancelled drink has left: files of no picture, and uploads nobody sends any more. */
    async removeUnused(isUsed: (name: string) => boolean): Promise<void> {
      if (database === ':memory:') return;
      await removeUnusedIn(join(picturesFolder(), incomingFolder), (file) => activeUploads.has(file));
      await removeUnusedIn(picturesFolder(), (file) => isUsed(file.split('-', 1)[0]!));
    },
  };
}

async function removeUnusedIn(folder: string, isUsed: (file: string) => boolean): Promise<void> {
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.isFile() && !isUsed(entry.name)) await rm(join(folder, entry.name), { force: true });
    }
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ENOENT') throw fault;
  }
}

/** A picture whose drink was acknowledged survives a pulled plug. */
async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
