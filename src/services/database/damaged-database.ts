import { createProblem, type Problem } from '../../core/health/problems.ts';
import { type Backup, backupsFolder, listBackups } from '../../store/archive/backup-folder.ts';
import { newestVersion } from '../../store/schema/migrations.ts';

/** SQLite's error codes for a file that is not a valid database. */
const damageCodes = /^SQLITE_(CORRUPT|NOTADB)/;

/** True when the file itself is damaged, so that trying again does not help. */
export function isDamage(fault: unknown): boolean {
  const { cause } = (fault ?? {}) as { cause?: unknown };
  return damageCodes.test((cause as { code?: string } | undefined)?.code ?? '');
}

/**
 * Names the newest backup and the command that restores it; it was read back and verified when it was made.
 * The damaged file stays untouched until the restore, which sets it aside.
 */
export async function recoveryAdvice(database: string): Promise<Problem> {
  const [newest] = await listBackups(backupsFolder(database));
  return newest === undefined
    ? createProblem('no_backup_beside')
    : createProblem('newest_backup', nameAndDate(newest));
}

/** Names the newest backup of a database that this program can use, for a database of a newer program. */
export async function downgradeAdvice(database: string): Promise<Problem> {
  const backups = await listBackups(backupsFolder(database));
  const usable = backups.find(({ manifest }) => manifest.schemaVersion <= newestVersion);
  return usable === undefined
    ? createProblem('no_usable_backup')
    : createProblem('newest_usable_backup', nameAndDate(usable));
}

const nameAndDate = ({ name, manifest: { createdMs, clockSynced } }: Backup) => ({
  name,
  date: clockSynced ? new Date(createdMs).toISOString().slice(0, 16).replace('T', ' ') : 'unknown',
});
