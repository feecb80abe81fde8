import { open } from 'node:fs/promises';

/** Waits until a file's or folder's content is on the disk and not only on its way. */
export async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
