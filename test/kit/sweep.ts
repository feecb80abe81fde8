import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a whole test run one temporary folder and clears it away afterwards, whatever the tests left in it. */
export default function sweep() {
  const folder = mkdtempSync(join(tmpdir(), 'bar-'));
  process.env.TMPDIR = folder;
  // A daemon that was just killed may still leave a file behind while its folder is being emptied.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
