import { open } from 'node:fs/promises';

/** Syncs a file or folder to the disk (fsync). */
export async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
