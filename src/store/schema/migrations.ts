import { AppError } from '../../core/app-error.ts';
import { createProblem } from '../../core/health/problems.ts';
import type { StoreExtension } from '../extension.ts';
import type { LazyDatabase as Database } from '../lazy-statements.ts';
import { initialSchema } from './initial-schema.ts';

/** Marks the file as a database of this program (`Tap1`). */
const applicationId = 0x54617031;

/** The mark of databases written before 0.1.0 (`Taps`), whose schema no released version has had. */
const unreleasedApplicationId = 0x54617073;

/** The initial schema or one migration. */
export interface SchemaStep {
  readonly sql: string;
  /**
   * The oldest schema version whose program can still use a database that has taken this step, so that an upgrade can be
   * rolled back without a restore. A migration that only adds tables, indexes or columns with a default keeps the number
   * of the step before; one that removes or renames what older programs use has its own version.
   */
  readonly compatibleFrom: number;
}

/**
 * The initial schema and the migrations after it, oldest first; the number of steps is the schema version. Append only:
 * databases in use have already taken a released step. One step may change tables of the base and of extensions, whose part is in
 * their own `migrations`, so that there is one order for all; `schemaStepsWith` adds it.
 */
export const schemaSteps: readonly SchemaStep[] = [{ sql: initialSchema, compatibleFrom: 1 }];

/** The steps of base and extensions: the tables of all extensions are made with the initial schema, and changed with each version. */
export function schemaStepsWith(
  extensions: readonly StoreExtension[],
  steps: readonly SchemaStep[] = schemaSteps,
): readonly SchemaStep[] {
  const parts = extensions.map(({ name, schema = '', migrations = {} }): Readonly<Record<number, string>> => {
    const unknown = Object.keys(migrations).find(
      (version) => Number(version) < 2 || !steps[Number(version) - 1],
    );
    if (unknown !== undefined)
      throw new Error(`${name} has a migration to version ${unknown}, which is no step.`);
    return { ...migrations, 1: schema };
  });
  return steps.map((step, index) => ({
    ...step,
    sql: [step.sql, ...parts.map((part) => part[index + 1] ?? '')].join(''),
  }));
}

/** The schema version this program reads and writes. */
export const newestVersion = schemaSteps.length;

/** Takes the steps the database still lacks, each in its own transaction. Rejects a database it cannot interpret. */
export function migrate(db: Database, steps: readonly SchemaStep[] = schemaSteps): void {
  rejectUnusable(db, steps.length);
  for (let version = versionOf(db) + 1; version <= steps.length; version++) {
    db.transaction(() => {
      // Another process may have taken the step while this one waited for the file.
      if (versionOf(db) >= version) return;
      const { sql, compatibleFrom } = steps[version - 1]!;
      db.exec(sql);
      db.prepare('UPDATE schema_info SET compatible_from = ?').run(compatibleFrom);
      db.pragma(`application_id = ${applicationId}`);
      db.pragma(`user_version = ${version}`);
    }).immediate();
  }
}

/** Rejects a database that lacks steps, for readers that must not migrate it, and one that cannot be interpreted. */
export function requireCurrentSchema(db: Database, steps: readonly SchemaStep[] = schemaSteps): void {
  rejectUnusable(db, steps.length);
  if (versionOf(db) >= steps.length) return;
  throw new AppError('unavailable', createProblem('database_older'));
}

/** Versions that a database stores about itself. */
export interface StoredVersions {
  readonly schemaVersion: number;
  /** Version of the daemon that opened it last; null before the first. */
  readonly programVersion: string | null;
  /** Version of a program that has made a backup and has not opened the database yet; null without one. */
  readonly backedUpFor: string | null;
}

/** The versions of a database that this program can use, as `rejectUnusable` tells; null for an empty one. */
export function storedVersions(db: Database): StoredVersions | null {
  const schemaVersion = versionOf(db);
  if (schemaVersion === 0) return null;
  const read = db.prepare<[], Omit<StoredVersions, 'schemaVersion'>>(
    'SELECT program_version AS programVersion, backed_up_for AS backedUpFor FROM schema_info',
  );
  return { schemaVersion, ...read.get()! };
}

/** Stores the version of the daemon that opens the database; writes only what differs. */
export function storeProgramVersion(db: Database, version: string): void {
  db.prepare(
    `UPDATE schema_info SET program_version = @version, backed_up_for = NULL
     WHERE program_version IS NOT @version OR backed_up_for IS NOT NULL`,
  ).run({ version });
}

/** The error for a database of a newer program. */
export class NewerDatabase extends AppError {
  constructor(version: number, newest: number) {
    super('unavailable', createProblem('database_newer', { version, newest }));
  }
}

/** The schema version of a database. */
export function versionOf(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/**
 * Rejects a database of a Tapster before 0.1.0, of another program, and of a newer Tapster unless its schema is marked
 * as compatible with this program's.
 */
export function rejectUnusable(db: Database, newest: number = newestVersion): void {
  const id = Number(db.pragma('application_id', { simple: true }));
  if (id === unreleasedApplicationId) {
    throw new AppError('unavailable', createProblem('database_too_old'));
  }
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() === undefined;
  if (!isEmpty && id !== applicationId) {
    throw new AppError('unavailable', createProblem('database_foreign'));
  }
  const version = versionOf(db);
  if (version > newest && compatibleFrom(db) > newest) throw new NewerDatabase(version, newest);
}

/** The oldest schema version whose program can use this database. */
function compatibleFrom(db: Database): number {
  return db.prepare<[], number>('SELECT compatible_from FROM schema_info').pluck().get()!;
}
