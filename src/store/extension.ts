import type { LazyDatabase as Database } from './lazy-statements.ts';
import type { BeverageIds } from './shared/beverage-ids.ts';
import type { createCaches } from './shared/caches.ts';
import type { ClockTimes } from './shared/clock-times.ts';
import type { ControllerReports } from './shared/controller-reports.ts';
import type { PersonData } from './shared/person-data.ts';
import type { RestoredRows } from './shared/restored-rows.ts';

/** What the database must know of an extension. */
export interface StoreExtension<Tables = unknown> {
  /** Its folder below `src/extensions`, and the feature's name for a site. */
  readonly name: string;
  /** SQL of its tables; they are in every database, whether it is on or off. */
  readonly schema?: string;
  /** What becomes of the times in its tables when a wrong clock is corrected. */
  readonly clockTimes?: ClockTimes;
  /** What its tables hold of a person, and how it is erased. */
  readonly personData?: PersonData;
  /** Columns that hold ids of beverages without referring to them: a merge of two beverages moves them. */
  readonly beverageIds?: readonly BeverageIds[];
  /** Kinds of messages in the outbox that only it sends: what waits of them is deleted while it is off. */
  readonly outboxKinds?: readonly string[];
  /** Tables whose rows an undo restores; a row refers to rows of the base, and of tables before its own. */
  readonly restoredRows?: readonly RestoredRows[];
  /** Where it keeps when a controller last reported, also while it is off. */
  readonly controllerReports?: ControllerReports;
  /** Prepares the statements on its tables. */
  readonly tables?: (db: Database, caches: ReturnType<typeof createCaches>) => Tables;
}

/** Statements on the tables of extensions, prepared when they are first asked for. */
export function extensionTables(db: Database, caches: ReturnType<typeof createCaches>) {
  const prepared = new Map<string, unknown>();
  return function tablesOf<Tables>(extension: StoreExtension<Tables>): Tables {
    const { name } = extension;
    if (!prepared.has(name)) prepared.set(name, extension.tables?.(db, caches));
    return prepared.get(name) as Tables;
  };
}
