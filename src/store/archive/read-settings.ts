import type { Readable } from 'node:stream';
import { memberNames } from './manifest.ts';
import { readArchive } from './read-archive.ts';

/**
 * Reads the text of the settings file in an archive, and nothing behind it; null if the archive has none.
 * Throws as `readArchive` for anything else than the start of a backup.
 */
export async function readSettings(source: Readable): Promise<string | null> {
  const enough = new Error('The settings come before the database.');
  const chunks: Buffer[] = [];
  let hasSettings = false;
  try {
    await readArchive(
      source,
      () => {},
      async (member, bytes) => {
        // The member before has been compared with its checksum.
        if (member !== memberNames.settings) throw enough;
        for await (const chunk of bytes) chunks.push(chunk);
        hasSettings = true;
      },
    );
  } catch (fault) {
    if (fault !== enough) throw fault;
  }
  return hasSettings ? Buffer.concat(chunks).toString('utf8') : null;
}
