import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { resolve } from 'node:path';

/** Holds the house's key until released. */
export interface InstanceLock {
  release(): void;
}

/**
 * Makes sure that one daemon alone owns a database and its journal; null when another one has it already.
 *
 * The lock is a socket name that the kernel frees when the process dies, however it dies, so a power cut or
 * `kill -9` never leaves a stale lock behind as a file would.
 */
export function lockInstance(
  databaseFile: string,
  /** What is done alone: all of the house's work, or the making of its archives. */
  purpose: 'house' | 'archive' = 'house',
): Promise<InstanceLock | null> {
  const name = createHash('sha256').update(resolve(databaseFile)).digest('hex').slice(0, 32);
  const server = createServer((client) => client.destroy());
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(null) : fail(error),
    );
    server.listen(`\0tapster-${purpose === 'house' ? '' : `${purpose}-`}${name}`, () => {
      server.unref();
      done({ release: () => void server.close() });
    });
  });
}
