import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { inTurn } from './overload.ts';
import { overloadLimits } from './overload-limits.ts';

const { pieceBytes, fileReadBytes } = overloadLimits;

/**
 * Ends a response with bytes that several clients share. Writes a piece only after the client has read the one before,
 * and in turn with other clients: the kernel takes megabytes for each.
 */
export function sendShared(response: ServerResponse, bytes: Buffer): void {
  let at = 0;
  const sendNext = () => {
    if (response.destroyed) return;
    const piece = bytes.subarray(at, at + pieceBytes);
    at += pieceBytes;
    if (at >= bytes.length) response.end(piece);
    else if (response.write(piece)) inTurn(response, sendNext);
    else response.once('drain', () => inTurn(response, sendNext));
  };
  sendNext();
}

/** Ends a response with the content of an open file and closes the file. */
export async function sendOpenFile(response: ServerResponse, file: FileHandle): Promise<void> {
  const content = file.createReadStream({ highWaterMark: fileReadBytes });
  // A client that disconnects early must not raise an error here.
  await pipeline(content, response).catch(() => response.destroy());
}

/** Opens a file with its size; null if it does not exist. */
export async function openFile(path: string) {
  const file = await open(path).catch(() => null);
  return file === null ? null : { file, sizeBytes: (await file.stat()).size };
}

/** A file in memory. */
interface SharedFile {
  readonly mtimeMs: number;
  readonly bytes: Promise<Buffer>;
}

/** Reads each file once, and again after it has changed, so that all clients share one buffer. For a few known files. */
export function createFileCache() {
  const files = new Map<string, SharedFile>();
  return {
    /** Returns the content of a file; null if there is no such file. */
    async read(path: string): Promise<{ readonly bytes: Buffer; readonly mtimeMs: number } | null> {
      const stats = await stat(path).catch(() => null);
      if (!stats?.isFile()) return null;
      const { mtimeMs } = stats;
      let file = files.get(path);
      if (file?.mtimeMs !== mtimeMs) {
        file = { mtimeMs, bytes: readFile(path) };
        files.set(path, file);
        file.bytes.catch(() => files.delete(path));
      }
      return { mtimeMs, bytes: await file!.bytes };
    },
  };
}
