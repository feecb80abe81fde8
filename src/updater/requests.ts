import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseRequest, requestFileName, type UpdateRequest } from '../core/updates/update-request.ts';

/** A request with its manifest is far smaller, bytes. */
const maxBytes = 65_536;

/**
 * Takes the request that the daemon left in its state directory; null when there is none or it is not acceptable. The daemon
 * has fewer rights than this program, so that nothing in its file or folder is trusted: no link is followed, no device or pipe
 * opened, and nothing else than a small regular file of the folder's owner or of root is read.
 */
export function takeRequest(stateDirectory: string, log: (message: string) => void): UpdateRequest | null {
  const path = join(stateDirectory, requestFileName);
  const {
    O_RDONLY,
    O_NOFOLLOW,
    O_NONBLOCK,
    O_CLOEXEC = 0,
  } = constants as typeof constants & { O_CLOEXEC?: number };
  let descriptor: number;
  try {
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    log(`The request ${path} is not read: ${code ?? 'unknown error'}.`);
    discard(path);
    return null;
  }
  let text: string | null;
  try {
    text = readChecked(descriptor, statSync(stateDirectory).uid);
  } finally {
    closeSync(descriptor);
  }
  const request = text === null ? null : parseRequest(text);
  if (request === null) log(`The request ${path} is not acceptable; it is deleted.`);
  discard(path);
  return request;
}

function readChecked(descriptor: number, owner: number): string | null {
  const stat = fstatSync(descriptor);
  const isAcceptable =
    stat.isFile() && stat.nlink === 1 && stat.size <= maxBytes && (stat.uid === owner || stat.uid === 0);
  if (!isAcceptable) return null;
  const bytes = Buffer.alloc(maxBytes + 1);
  const read = readSync(descriptor, bytes, 0, bytes.length, 0);
  return read > maxBytes ? null : bytes.toString('utf8', 0, read);
}

/** The path unit starts the updater as long as the file exists, so it must go whatever it is. */
function discard(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // A folder: its content is not touched.
    renameSync(path, `${path}.refused-${process.pid}-${process.hrtime.bigint()}`);
  }
}
