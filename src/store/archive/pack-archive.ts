import { copyFile, link, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import type { WriteKind } from '../../core/health/disk-reserve.ts';
import { createDiskSpace } from '../disk-space.ts';
import { syncToDisk } from '../files.ts';
import { fileSha256, formatChecksums, pieceBytes, sha256 } from './checksums.ts';
import { copyDatabase } from './database-copy.ts';
import {
  archiveFormat,
  type BackupOccasion,
  formatManifest,
  type Manifest,
  maxSettingsBytes,
  memberNames,
} from './manifest.ts';

/** What to pack, and the facts for its manifest. */
interface PackArchiveInput {
  /** The reserve that the archive must leave on the disk. */
  readonly reserve: WriteKind;
  /** Path of the database; pictures are in `pictures/` beside it. */
  readonly database: string;
  /** Path of the settings file; null if there is none. */
  readonly settings: string | null;
  /** A new folder on the same disk for temporary files. */
  readonly workFolder: string;
  /** Where the database is copied to: the work folder, or one in memory. */
  readonly copies: { readonly folder: string; readonly isInMemory: boolean };
  readonly serverVersion: string;
  readonly occasion: BackupOccasion;
  readonly createdMs: number;
  readonly clockSynced: boolean;
}

/** A finished archive. */
interface PackedArchive {
  readonly archive: string;
  readonly manifest: Manifest;
  readonly hasSettings: boolean;
  /** Path of the database copy that is in the archive, byte for byte. */
  readonly databaseCopy: string;
}

const sizes = ['1024', '128'] as const;

/**
 * Packs settings, database and pictures into `backup.tar.gz` in the work folder; the file is synced when this resolves.
 */
export async function packArchive(input: PackArchiveInput): Promise<PackedArchive> {
  const { database, workFolder, reserve, serverVersion, occasion, createdMs, clockSynced } = input;
  // The copy, unless it is in memory, and, at most as large, its part of the archive. Hard links of pictures take no space.
  const disk = createDiskSpace(workFolder);
  const { copies } = input;
  disk.require(reserve, (copies.isInMemory ? 1 : 2) * (await stat(database)).size);
  const databaseCopy = join(copies.folder, memberNames.database);
  if (copies.isInMemory) await symlink(databaseCopy, join(workFolder, memberNames.database));
  const { schemaVersion, programVersion, title, pictures } = copyDatabase(database, databaseCopy);
  const linked = await linkPictures(
    join(dirname(database), 'pictures'),
    join(workFolder, 'pictures'),
    pictures,
  );
  disk.require(reserve, (await stat(databaseCopy)).size + linked.bytes);
  const hasSettings = await copySettings(input.settings, join(workFolder, memberNames.settings));
  const members = [
    ...(hasSettings ? [memberNames.settings] : []),
    memberNames.database,
    ...linked.files.map((file) => `pictures/${file}`),
  ];
  const checksumsByMember = new Map<string, string>();
  for (const member of members) checksumsByMember.set(member, await fileSha256(join(workFolder, member)));
  const checksums = formatChecksums(checksumsByMember);
  const manifest: Manifest = {
    format: archiveFormat,
    schemaVersion,
    serverVersion,
    programVersion,
    serverName: title,
    occasion,
    createdMs,
    clockSynced,
    databaseBytes: (await stat(databaseCopy)).size,
    pictureFiles: linked.files.length,
    pictureBytes: linked.bytes,
    checksumsSha256: sha256(checksums),
  };
  await writeFile(join(workFolder, memberNames.checksums), checksums);
  await writeFile(join(workFolder, memberNames.manifest), formatManifest(manifest));
  const archive = join(workFolder, 'backup.tar.gz');
  await create(
    {
      cwd: workFolder,
      file: archive,
      gzip: true,
      portable: true,
      // The copy may be in memory.
      follow: true,
      mtime: new Date(createdMs),
      // Its default is four files at once, each with a buffer of up to 16 MB.
      jobs: 1,
      maxReadSize: pieceBytes,
    },
    [memberNames.manifest, memberNames.checksums, ...members],
  );
  await syncToDisk(archive);
  return { archive, manifest, hasSettings, databaseCopy };
}

/**
 * Copies the settings file; false if there is none, or this user may not read it: the backup of the database is
 * worth more than none.
 */
async function copySettings(source: string | null, target: string): Promise<boolean> {
  const text = source === null ? null : await readFile(source).catch(() => null);
  if (text === null || text.length > maxSettingsBytes) return false;
  await writeFile(target, text);
  return true;
}

/**
 * Hard-links the picture files, which takes no space: a picture removed meanwhile stays in the backup. A
 * picture whose file is already missing is left out.
 */
async function linkPictures(source: string, target: string, pictures: readonly string[]) {
  await mkdir(target);
  const files: string[] = [];
  let bytes = 0;
  for (const picture of pictures) {
    for (const size of sizes) {
      const file = `${picture}-${size}.jpg`;
      if (!(await linkOrCopy(join(source, file), join(target, file)))) continue;
      files.push(file);
      bytes += (await stat(join(target, file))).size;
    }
  }
  return { files, bytes };
}

/** Hard-links a file, or copies it where the file system has no links; false if there is no such file. */
export async function linkOrCopy(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target).catch((fault: NodeJS.ErrnoException) => {
      if (fault.code === 'ENOENT' || fault.code === 'EEXIST') throw fault;
      return copyFile(source, target);
    });
    return true;
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw fault;
  }
}
