import { readdirSync, statSync } from 'node:fs';
import { AppError } from '../core/app-error.ts';
import { backupsFolder, isBackupName, listBackups } from '../store/archive/backup-folder.ts';

/** What SQLite says of bytes that are no ledger any more. */
const damageCodes = /^SQLITE_(CORRUPT|NOTADB)/;

/** The refusal of a ledger that lost its bytes: SQLite would take an empty file for a new house. */
class EmptyDatabase extends AppError {
  constructor() {
    super(
      'unavailable',
      'The ledger’s file is empty, though there are backups of it: put a backup in its place.',
    );
  }
}

/**
 * Throws for a ledger of no bytes beside which backups lie. Without backups it is what a power cut leaves of the very
 * first start, and the house begins.
 */
export function rejectEmptyDatabase(database: string): void {
  try {
    if (statSync(database).size > 0) return;
    if (!readdirSync(backupsFolder(database)).some(isBackupName)) return;
  } catch {
    // No file, or no backups: there is nothing to lose.
    return;
  }
  throw new EmptyDatabase();
}

/** True when the file itself is at fault, so that waiting will not mend it. */
export function isDamage(fault: unknown): boolean {
  if (fault instanceof EmptyDatabase) return true;
  const { cause } = (fault ?? {}) as { cause?: unknown };
  return damageCodes.test((cause as { code?: string } | undefined)?.code ?? '');
}

/**
 * Names the newest backup and the way to put it back; it was read back and proved when it was made. The damaged file
 * stays where it is, untouched, until somebody does so, and is then set aside.
 */
export async function recoveryAdvice(database: string): Promise<string> {
  const [newest] = await listBackups(backupsFolder(database));
  if (newest === undefined)
    return 'There is no backup beside it; one on a stick can be put back by “tapster restore FILE”.';
  const { createdMs, clockSynced } = newest.manifest;
  const day = clockSynced
    ? `of ${new Date(createdMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    : 'there is';
  return (
    `The newest backup is the one ${day}: stop Tapster, then “tapster restore ${newest.name}” ` +
    'puts it back and sets the damaged file aside.'
  );
}
