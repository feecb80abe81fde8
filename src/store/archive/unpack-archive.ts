import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../../core/app-error.ts';
import { createDiskSpace } from '../disk-space.ts';
import { syncToDisk } from '../files.ts';
import { newestVersion } from '../schema/migrations.ts';

import type { Manifest } from './manifest.ts';
import { readArchive } from './read-archive.ts';

/** Unpacks an archive into a new folder, verifies all checksums and syncs the files. */
export async function unpackArchive(source: Readable, folder: string): Promise<Manifest> {
  await mkdir(join(folder, 'pictures'), { recursive: true, mode: 0o700 });
  const checkManifest = async (manifest: Manifest): Promise<void> => {
    refuseNewer(manifest);
    createDiskSpace(folder).require('file', manifest.databaseBytes + manifest.pictureBytes);
  };
  const manifest = await readArchive(source, checkManifest, async (member, bytes) => {
    // The member names are already checked; `wx` overwrites nothing.
    const file = await open(join(folder, member), 'wx', 0o600);
    try {
      for await (const chunk of bytes) await file.writeFile(chunk);
      await file.sync();
    } finally {
      await file.close();
    }
  });
  for (const path of [join(folder, 'pictures'), folder]) await syncToDisk(path);
  return manifest;
}

/** Rejects a backup with a newer schema, whose data this program cannot interpret. */
function refuseNewer({ schemaVersion, serverVersion }: Manifest): void {
  if (schemaVersion <= newestVersion) return;
  throw new AppError(
    'invalid_request',
    `The backup was made by a newer Tapster (${toPrintable(serverVersion)}): install that one first, then restore.`,
  );
}

const toPrintable = (text: string): string => text.replaceAll(/[^\w.+-]/g, '?');
