import { AppError } from '../../core/app-error.ts';
import type { Database } from '../database.ts';
import { schema1 } from './schema-1.ts';
import { schema2 } from './schema-2.ts';
import { schema3 } from './schema-3.ts';
import { schema4 } from './schema-4.ts';
import { schema5 } from './schema-5.ts';
import { schema6 } from './schema-6.ts';
import { schema7 } from './schema-7.ts';
import { schema8 } from './schema-8.ts';
import { schema9 } from './schema-9.ts';
import { schema10 } from './schema-10.ts';
import { schema11 } from './schema-11.ts';
import { schema12 } from './schema-12.ts';
import { schema13 } from './schema-13.ts';
import { schema14 } from './schema-14.ts';
import { schema15 } from './schema-15.ts';
import { schema16 } from './schema-16.ts';
import { schema17 } from './schema-17.ts';
import { schema18 } from './schema-18.ts';

/** Marks the file as ours (`Taps`), so that nobody's other database is taken for a ledger. */
const applicationId = 0x54617073;

/**
 * Every step the schema ever took, oldest first. Append only: a step that has been released is never touched again,
 * since ledgers in the field have already taken it.
 */
const steps: readonly string[] = [
  schema1,
  schema2,
  schema3,
  schema4,
  schema5,
  schema6,
  schema7,
  schema8,
  schema9,
  schema10,
  schema11,
  schema12,
  schema13,
  schema14,
  schema15,
  schema16,
  schema17,
  schema18,
];

/** The schema version this program reads and writes. */
export const newestVersion = steps.length;

/** Takes the steps the file still lacks, each in its own transaction; refuses a file it does not understand. */
export function migrate(db: Database): void {
  refuseStranger(db);
  for (let target = versionOf(db) + 1; target <= newestVersion; target++) {
    db.transaction(() => {
      // Another process may have taken the step while this one waited for the file.
      if (versionOf(db) >= target) return;
      db.exec(steps[target - 1]!);
      db.pragma(`application_id = ${applicationId}`);
      db.pragma(`user_version = ${target}`);
    }).immediate();
  }
}

/** Refuses a ledger that lacks steps, for those who only look, and one that this program does not understand. */
export function mustBeToday(db: Database): void {
  refuseStranger(db);
  if (versionOf(db) === newestVersion) return;
  throw new AppError(
    'unavailable',
    'The ledger was written by an older Tapster and has not been brought up to date yet: start the daemon once, ' +
      'which does it.',
  );
}

/** The schema version of a ledger. */
export function versionOf(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

function refuseStranger(db: Database): void {
  const version = versionOf(db);
  if (version > newestVersion) {
    throw new AppError(
      'unavailable',
      `The ledger has schema version ${version}, this program knows versions up to ${newestVersion}: ` +
        'it was written by a newer Tapster. Install that one, or put back a backup from before the upgrade.',
    );
  }
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() === undefined;
  const isOurs = Number(db.pragma('application_id', { simple: true })) === applicationId;
  if (!isEmpty && !isOurs) {
    throw new AppError(
      'unavailable',
      'The database file belongs to another program: choose another file for the ledger.',
    );
  }
}
