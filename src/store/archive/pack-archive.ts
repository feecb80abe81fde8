import { copyFile, link, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import { fileSha256, printChecksums, sha256 } from './checksums.ts';
import { copyLedger } from './ledger-copy.ts';
import { archiveFormat, type BackupOccasion, type Manifest, memberNames, printManifest } from './manifest.ts';
import { toDisk } from './to-disk.ts';

/** What to pack, and what to write on it. */
export interface Packing {
  /** The ledger's file; pictures lie in `pictures/` beside it. */
  readonly database: string;
  /** A new folder on the same disk, for what is being made. */
  readonly workshop: string;
  readonly serverVersion: string;
  readonly occasion: BackupOccasion;
  readonly createdMs: number;
  readonly clockSynced: boolean;
}

/** What was packed. */
export interface Packed {
  readonly archive: string;
  readonly manifest: Manifest;
  /** The copy of the ledger that is in the archive, byte by byte. */
  readonly ledger: string;
}

const sizes = ['1024', '128'] as const;

/** Packs ledger and pictures into `backup.tar.gz` in the workshop; it is on the disk when this resolves. */
export async function packArchive(packing: Packing): Promise<Packed> {
  const { database, workshop, serverVersion, occasion, createdMs, clockSynced } = packing;
  const ledger = join(workshop, memberNames.ledger);
  const { schemaVersion, title, pictures } = copyLedger(database, ledger);
  const held = await holdPictures(join(dirname(database), 'pictures'), join(workshop, 'pictures'), pictures);
  const members = [memberNames.ledger, ...held.files.map((file) => `pictures/${file}`)];
  const sums = new Map<string, string>();
  for (const member of members) sums.set(member, await fileSha256(join(workshop, member)));
  const checksums = printChecksums(sums);
  const manifest: Manifest = {
    format: archiveFormat,
    schemaVersion,
    serverVersion,
    serverName: title,
    occasion,
    createdMs,
    clockSynced,
    ledgerBytes: (await stat(ledger)).size,
    pictureFiles: held.files.length,
    pictureBytes: held.bytes,
    checksumsSha256: sha256(checksums),
  };
  await writeFile(join(workshop, memberNames.checksums), checksums);
  await writeFile(join(workshop, memberNames.manifest), printManifest(manifest));
  const archive = join(workshop, 'backup.tar.gz');
  await create({ cwd: workshop, file: archive, gzip: true, portable: true, mtime: new Date(createdMs) }, [
    memberNames.manifest,
    memberNames.checksums,
    ...members,
  ]);
  await toDisk(archive);
  return { archive, manifest, ledger };
}

/**
 * Takes hold of the pictures' files by second names, which costs no room: a picture that is removed meanwhile stays in
 * the backup. One that is gone already is left out, as its ledger would show it.
 */
async function holdPictures(source: string, target: string, pictures: readonly string[]) {
  await mkdir(target);
  const files: string[] = [];
  let bytes = 0;
  for (const picture of pictures) {
    for (const size of sizes) {
      const file = `${picture}-${size}.jpg`;
      if (!(await secondName(join(source, file), join(target, file)))) continue;
      files.push(file);
      bytes += (await stat(join(target, file))).size;
    }
  }
  return { files, bytes };
}

/** Links, or copies on disks that know no links; false when there is no such file. */
export async function secondName(source: string, target: string): Promise<boolean> {
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
