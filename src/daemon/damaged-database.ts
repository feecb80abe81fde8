import { readdirSync, statSync } from 'node:fs';
import { AppError } from '../core/app-error.ts';
import { type Backup, backupsFolder, isBackupName, listBackups } from '../store/archive/backup-folder.ts';
import { newestVersion } from '../store/schema/migrations.ts';

/** SQLite's error codes for a file that is not a valid database. */
const damageCodes = /^SQLITE_(CORRUPT|NOTADB)/;

/** Raised for an empty database file: SQLite would take it for a new database. */
class EmptyDatabase extends AppError {
  constructor() {
    super('unavailable', 'The database file is empty, although there are backups of it: restore a backup.');
  }
}

/**
 * Throws when the database file is empty and backups exist. Without backups, an empty file is what a power
 * cut leaves of the very first start, and the daemon starts with a new database.
 */
export function rejectEmptyDatabase(database: string): void {
  try {
    if (statSync(database).size > 0) return;
    if (!readdirSync(backupsFolder(database)).some(isBackupName)) return;
  } catch {
    // No file or no backups: nothing is lost.
    return;
  }
  throw new EmptyDatabase();
}

/** True when the file itself is damaged, so that trying again does not help. */
export function isDamage(fault: unknown): boolean {
  if (fault instanceof EmptyDatabase) return true;
  const { cause } = (fault ?? {}) as { cause?: unknown };
  return damageCodes.test((cause as { code?: string } | undefined)?.code ?? '');
}

/**
 * Names the newest backup and the command that restores it; it was read back and verified when it was made.
 * The damaged file stays untouched until the restore, which sets it aside.
 */
export async function recoveryAdvice(database: string): Promise<string> {
  const [newest] = await listBackups(backupsFolder(database));
  if (newest === undefined)
    return 'There is no backup beside it; restore one from a USB stick with “tapster restore FILE”.';
  return (
    `The newest backup is the one ${date(newest)}: stop Tapster, then “tapster restore ${newest.name}” ` +
    'restores it and sets the damaged file aside.'
  );
}

/** Names the newest backup of a database that this program can use, for a database of a newer program. */
export async function downgradeAdvice(database: string): Promise<string> {
  const backups = await listBackups(backupsFolder(database));
  const usable = backups.find(({ manifest }) => manifest.schemaVersion <= newestVersion);
  if (usable === undefined) return 'There is no backup beside it that this version can use.';
  return (
    `The newest backup that this version can use is the one ${date(usable)}: stop Tapster, then ` +
    `“tapster restore ${usable.name}” restores it and sets the newer database aside.`
  );
}

const date = ({ manifest: { createdMs, clockSynced } }: Backup): string =>
  clockSynced
    ? `of ${new Date(createdMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    : 'without a known date';
