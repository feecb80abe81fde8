import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { resolve } from 'node:path';

/** A held lock. */
interface InstanceLock {
  release(): void;
}

/**
 * Ensures that only one process owns a database and its journal; returns null when another process holds the
 * lock.
 *
 * The lock is an abstract socket name that the kernel frees whenever the process dies, so a power cut or
 * `kill -9` leaves no stale lock, unlike a lock file.
 */
export function lockInstance(
  databaseFile: string,
  /** The locked work: everything the daemon does, making archives, or an import. */
  purpose: 'daemon' | 'archive' | 'import' = 'daemon',
): Promise<InstanceLock | null> {
  const name = createHash('sha256').update(resolve(databaseFile)).digest('hex').slice(0, 32);
  const server = createServer((client) => client.destroy());
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(null) : fail(error),
    );
    server.listen(`\0tapster-${purpose === 'daemon' ? '' : `${purpose}-`}${name}`, () => {
      server.unref();
      done({ release: () => void server.close() });
    });
  });
}
