import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, fsyncSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { WriteKind } from '../../core/health/disk-reserve.ts';
import { createProblem } from '../../core/health/problems.ts';
import { verifyDatabase } from '../../engine/site/verify-database.ts';
import {
  backupsFolder,
  isBackupName,
  keptBackups,
  listBackups,
  pruneBackups,
  removeBackup,
  removeWorkFolders,
  storeBackup,
} from '../../store/archive/backup-folder.ts';
import { fileSha256 } from '../../store/archive/checksums.ts';
import type { Manifest } from '../../store/archive/manifest.ts';
import { packArchive } from '../../store/archive/pack-archive.ts';
import { readArchive } from '../../store/archive/read-archive.ts';
import { createDiskSpace } from '../../store/disk-space.ts';
import { fileStats, makeFolder, syncToDisk, writeAll } from '../../store/files.ts';
import { lockInstance } from '../../system/single-instance.ts';
import { readTextFile } from '../../system/small-files.ts';
import { programExtensions } from '../database/program-upgrade.ts';
import type { ArchiveResults, JobOf } from './archive-jobs.ts';
import { openCopyFolder } from './copy-folder.ts';

/** The descriptor of the open file that the parent process passes. */
const outputDescriptor = 3;

/**
 * Makes one backup and verifies it before it gets its name: the whole archive is read back, each member is
 * compared with its checksum, and the database in it is opened and checked. Until then it lies in a work
 * folder that is not listed.
 */
export async function makeBackup(job: JobOf<'make'>): Promise<ArchiveResults['make']> {
  const folder = backupsFolder(job.database);
  makeFolder(folder);
  const lock = await lockInstance(job.database, 'archive');
  if (lock === null)
    throw new AppError('conflict', 'A backup is being made already: wait until it is done.', {
      reason: { name: 'backup_running' },
    });
  try {
    await removeWorkFolders(folder);
    const workFolder = join(folder, `.making-${randomBytes(8).toString('hex')}`);
    await mkdir(workFolder, { mode: 0o700 });
    try {
      return await makeInFolder(workFolder, folder, job);
    } catch (fault) {
      await rm(workFolder, { recursive: true, force: true });
      throw fault;
    }
  } finally {
    lock.release();
  }
}

/**
 * A database waits for the backup before its upgrade, and a backup that goes elsewhere is removed at once: these leave the
 * smaller reserve.
 */
const backupReserve = ({ occasion, target }: JobOf<'make'>): WriteKind =>
  occasion === 'upgrade' || target === 'descriptor' ? 'change' : 'file';

async function makeInFolder(workFolder: string, folder: string, job: JobOf<'make'>) {
  const { archive, manifest, hasSettings, mismatches } = await packAndVerify(workFolder, job);
  if (job.target === 'descriptor') {
    await writeToDescriptor(archive);
    await rm(workFolder, { recursive: true, force: true });
    return { name: null, manifest, hasSettings, mismatches, peakBytes: readPeakBytes() };
  }
  const name = await storeBackup(archive, { folder, manifest });
  await rm(workFolder, { recursive: true, force: true });
  await pruneBackups(folder, { occasion: job.occasion, exceptName: name, nowMs: job.createdMs });
  return { name, manifest, hasSettings, mismatches, peakBytes: readPeakBytes() };
}

/** Packs the archive and checks it. The copy of the database lies in memory meanwhile where it fits. */
async function packAndVerify(workFolder: string, job: JobOf<'make'>) {
  const { size: bytes } = await stat(job.database);
  const copies = await openCopyFolder({ database: job.database, bytes, onDisk: workFolder });
  // Sorting the indexes writes files as well; SQLite reads this when it is first used.
  if (copies.isInMemory) process.env.SQLITE_TMPDIR = copies.folder;
  try {
    const packed = await packArchive({ ...job, workFolder, copies, reserve: backupReserve(job) });
    await readBack(packed.archive, packed.manifest);
    // The same bytes as in the archive, as the read-back has shown, so they need not be unpacked.
    return { ...packed, mismatches: verifyDatabase(packed.databaseCopy, { extensions: programExtensions }) };
  } finally {
    delete process.env.SQLITE_TMPDIR;
    await copies.remove();
  }
}

/** The kernel's peak of this process's resident memory; `resourceUsage` would include the parent's. */
function readPeakBytes(): number | null {
  const kibibytes = /^VmHWM:\s+(\d+) kB/m.exec(readTextFile('/proc/self/status') ?? '')?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1_024;
}

/** Writes to the caller's open file, because this process's user may not be able to write there. */
async function writeToDescriptor(archive: string): Promise<void> {
  const hash = createHash('sha256');
  let at = 0;
  for await (const piece of createReadStream(archive) as AsyncIterable<Buffer>) {
    hash.update(piece);
    writeAll(outputDescriptor, piece, at);
    at += piece.length;
  }
  fsyncSync(outputDescriptor);
  const back = createHash('sha256');
  const stream = createReadStream('', { fd: outputDescriptor, start: 0, autoClose: false });
  for await (const piece of stream) back.update(piece as Buffer);
  if (hash.digest('hex') !== back.digest('hex')) throw readBackError();
}

const readBackError = () => new AppError('unavailable', createProblem('backup_differs'));

async function readBack(archive: string, manifest: Manifest): Promise<void> {
  const found = await readArchive(
    createReadStream(archive),
    () => {},
    async (_member, bytes) => {
      for await (const _piece of bytes);
    },
  );
  if (JSON.stringify(found) !== JSON.stringify(manifest)) {
    throw readBackError();
  }
}

/**
 * Copies a backup to another folder, such as a USB stick or a share, verifies it there and removes the oldest
 * copies.
 */
export async function copyBackup({ database, name, folder }: JobOf<'copy'>): Promise<ArchiveResults['copy']> {
  if (!isBackupName(name))
    throw new AppError('not_found', `There is no backup ${name}.`, { reason: { name: 'not_found' } });
  const isThere = fileStats(folder)?.isDirectory() ?? false;
  if (!isThere) throw new AppError('not_found', createProblem('copy_folder_missing', { folder }));
  const source = join(backupsFolder(database), name);
  const part = join(folder, `.${name.replace('.tar.gz', '')}.part`);
  const target = join(folder, name);
  // On the database's own disk the copy must leave the reserve; on another one it may fill what is there.
  if ((await stat(folder)).dev === (await stat(source)).dev) {
    createDiskSpace(folder).require('file', (await stat(source)).size);
  }
  try {
    await copyFile(source, part);
    await syncToDisk(part);
    if ((await fileSha256(part)) !== (await fileSha256(source))) {
      throw new AppError('unavailable', createProblem('copy_differs', { folder }));
    }
    await rename(part, target);
    await syncToDisk(folder);
  } catch (fault) {
    await rm(part, { force: true });
    throw fault;
  }
  const nightly = (await listBackups(folder)).filter((one) => one.manifest.occasion === 'nightly');
  for (const old of nightly.filter((one) => one.name !== name).slice(keptBackups.nightly - 1)) {
    await removeBackup(folder, old.name);
  }
  return { path: target };
}
