import { statfs } from 'node:fs/promises';
import { AppError } from '../../core/app-error.ts';

/** Space that must stay free, bytes, so that pours can still be recorded. */
const spareBytes = 50 * 1024 * 1024;

/** Throws `unavailable` unless `neededBytes` can be written to `folder`; `purpose` completes the sentence. */
export async function requireFreeSpace(folder: string, neededBytes: number, purpose: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const needed = neededBytes + spareBytes;
  if (bavail * bsize >= needed) return;
  const megabytes = Math.ceil(needed / 1e6);
  throw new AppError(
    'unavailable',
    `There is not enough disk space ${purpose}: it needs ${megabytes} MB. Free some space.`,
  );
}
