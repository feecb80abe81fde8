import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates one temporary folder for a whole test run and removes it afterwards with everything in it. */
export default function createTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'bar-'));
  process.env.TMPDIR = folder;
  // Retries, because a daemon that was just killed may still create a file during the removal.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
