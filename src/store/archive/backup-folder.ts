import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { AppError } from '../../core/app-error.ts';
import { syncToDisk } from '../files.ts';
import { type BackupOccasion, type Manifest, maxManifestBytes, parseManifest } from './manifest.ts';

/** A backup file in a folder. */
export interface Backup {
  readonly name: string;
  readonly sizeBytes: number;
  readonly manifest: Manifest;
}

/** How many backups of each occasion are kept. The one before an upgrade stays until the next upgrade's is complete. */
export const keptBackups: Readonly<Record<BackupOccasion, number>> = { nightly: 7, manual: 7, upgrade: 1 };

const backupName = /^tapster-(\d{8}T\d{6}Z)-(nightly|manual|upgrade)(?:-\d{1,3})?\.tar\.gz$/;

/** Temporary folders, inside the backups' folder, of backups in progress. */
const workFolderName = /^\.making-[0-9a-f]{16}$/;

/** The first kilobytes of an archive, which contain the whole manifest. */
const headBytes = 4_096;
const tarBlock = 512;

/** A backup dated further in the future than this was created under a wrong clock, milliseconds. */
const wrongClockMs = 86_400_000;

/** Folder of a database's backups. */
export const backupsFolder = (database: string): string => join(dirname(database), 'backups');

/** True for names that this program creates; no other file is opened or removed. */
export const isBackupName = (name: string): boolean => backupName.test(name);

/**
 * All readable backups, newest first; none if the folder does not exist. `onRefused` gets what this user may not read.
 */
export async function listBackups(
  folder: string,
  onRefused: (fault: unknown) => void = () => {},
): Promise<readonly Backup[]> {
  const names = await readdir(folder).catch((fault: unknown) => {
    if (isRefusal(fault)) onRefused(fault);
    return [];
  });
  const found: Backup[] = [];
  for (const name of names.filter(isBackupName)) {
    const backup = await readBackup(folder, name, onRefused);
    if (backup !== null) found.push(backup);
  }
  return found.sort(
    (a, b) => b.manifest.createdMs - a.manifest.createdMs || (a.name < b.name ? 1 : a.name > b.name ? -1 : 0),
  );
}

const isRefusal = (fault: unknown): boolean =>
  ['EACCES', 'EPERM'].includes((fault as NodeJS.ErrnoException).code ?? '');

/** One backup by name; null if it does not exist or cannot be read. */
export async function readBackup(
  folder: string,
  name: string,
  onRefused: (fault: unknown) => void = () => {},
): Promise<Backup | null> {
  if (!isBackupName(name)) return null;
  try {
    const path = join(folder, name);
    const info = await stat(path);
    if (!info.isFile()) return null;
    return { name, sizeBytes: info.size, manifest: await readArchiveManifest(path) };
  } catch (fault) {
    if (isRefusal(fault)) onRefused(fault);
    // Truncated by a full disk, just removed, or not a backup.
    return null;
  }
}

/** Moves a finished archive into the folder under a unique name and syncs the folder. Returns the name. */
export async function storeBackup(
  archive: string,
  { folder, manifest }: { readonly folder: string; readonly manifest: Manifest },
): Promise<string> {
  const stamp = new Date(manifest.createdMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const name = `tapster-${stamp}-${manifest.occasion}${attempt === 0 ? '' : `-${attempt}`}.tar.gz`;
    const isTaken = await stat(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (isTaken) continue;
    await rename(archive, join(folder, name));
    await syncToDisk(folder);
    return name;
  }
  throw new AppError('conflict', 'Too many backups were created in one second: try again in a moment.');
}

/** Removes a backup; false if there is no such file. */
export async function removeBackup(folder: string, name: string): Promise<boolean> {
  if (!isBackupName(name)) return false;
  try {
    await rm(join(folder, name));
    await syncToDisk(folder);
    return true;
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw fault;
  }
}

/** Removes the oldest backups of an occasion above the limit, but never the new one, `exceptName`. */
export async function pruneBackups(
  folder: string,
  { occasion, exceptName, nowMs }: { occasion: BackupOccasion; exceptName: string; nowMs: number },
): Promise<void> {
  const all = (await listBackups(folder)).filter(
    ({ manifest, name }) => manifest.occasion === occasion && name !== exceptName,
  );
  // A backup from the future has the date of a wrong clock: it sorts last, or it would outlive all others.
  const isCredible = ({ manifest }: Backup) => manifest.createdMs <= nowMs + wrongClockMs;
  const byAge = [...all.filter(isCredible), ...all.filter((one) => !isCredible(one))];
  for (const { name } of byAge.slice(keptBackups[occasion] - 1)) await removeBackup(folder, name);
}

/** Removes unfinished backups that a power cut left. Only for the holder of the backup lock. */
export async function removeWorkFolders(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (workFolderName.test(name) || /^\.tapster-[\w-]+\.part$/.test(name)) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
}

/** Reads the manifest at the start of an archive and unpacks no more than that. */
async function readArchiveManifest(path: string): Promise<Manifest> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await file.read(head, 0, headBytes, 0);
    const text = gunzipSync(head.subarray(0, bytesRead), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: 8 * 1024 * 1024,
    });
    const size = Number.parseInt(text.toString('latin1', 124, 135), 8);
    if (!(size > 0 && size <= maxManifestBytes)) throw new Error('no manifest');
    return parseManifest(text.toString('utf8', tarBlock, tarBlock + size));
  } finally {
    await file.close();
  }
}
