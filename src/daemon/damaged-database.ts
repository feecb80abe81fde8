import { readdirSync, statSync } from 'node:fs';
import { AppError } from '../core/app-error.ts';
import { backupsFolder, isBackupName, listBackups } from '../store/archive/backup-folder.ts';

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
  const { createdMs, clockSynced } = newest.manifest;
  const day = clockSynced
    ? `of ${new Date(createdMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    : 'without a known date';
  return (
    `The newest backup is the one ${day}: stop Tapster, then “tapster restore ${newest.name}” ` +
    'restores it and sets the damaged file aside.'
  );
}
