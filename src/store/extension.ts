import type { AlarmDeclarations } from '../core/alarms/alarm-kinds.ts';
import type { Instant } from '../core/clock/instant.ts';
import type { EvidenceKind } from '../core/measurement/meter-learning.ts';
import type { LazyDatabase as Database } from './lazy-statements.ts';
import type { BeverageIds } from './shared/beverage-ids.ts';
import type { createCaches } from './shared/caches.ts';
import type { ClockTimes } from './shared/clock-times.ts';
import type { ControllerReports } from './shared/controller-reports.ts';
import type { DrinkColumn } from './shared/drink-columns.ts';
import type { ExportPlan } from './shared/export-plan.ts';
import type { PersonData } from './shared/person-data.ts';
import type { RestoredRows } from './shared/restored-rows.ts';

/** What the database must know of an extension. */
export interface StoreExtension<Tables = unknown> {
  /** Its folder below `src/extensions`, and the feature's name for a site. */
  readonly name: string;
  /** SQL of its tables; they are in every database, whether it is on or off. */
  readonly schema?: string;
  /** SQL of its part of later schema versions, by version. The step of that version is in the base's list, if need be an empty one. */
  readonly migrations?: Readonly<Record<number, string>>;
  /** What becomes of the times in its tables when a wrong clock is corrected. */
  readonly clockTimes?: ClockTimes;
  /** What its tables hold of a person, and how it is erased. */
  readonly personData?: PersonData;
  /** Columns with ids of beverages whose rows a merge of two beverages moves to the other one. */
  readonly beverageIds?: readonly BeverageIds[];
  /** Kinds of messages in the outbox that only it sends: what waits of them is deleted while it is off. */
  readonly outboxKinds?: readonly string[];
  /** Tables whose rows an undo restores; a row refers to rows of the base, and of tables before its own. */
  readonly restoredRows?: readonly RestoredRows[];
  /** Where it keeps when a controller last reported, also while it is off. */
  readonly controllerReports?: ControllerReports;
  /** A query that has a row while the feature must be on whatever the settings say: something of it runs. */
  readonly keptOn?: string;
  /** A query that has a row once the bar has something of the feature: then it is on, unless it was switched off. */
  readonly setUpBy?: string;
  /** Kinds of evidence of a meter's factor that it adds; `EvidenceKind` lists all. */
  readonly evidenceKinds?: readonly EvidenceKind[];
  /** For what it sets pours aside that flowed, but are no drinks: `drinks.held_reason`. */
  readonly heldReasons?: readonly string[];
  /** What its tables add to rows of drinks. */
  readonly drinkColumns?: readonly DrinkColumn[];
  /** Its rows whose kegs follow from tap and time: they are found again when what was on the tap is corrected. */
  placedRows?(tables: Tables): PlacedRows;
  /** The kinds of alarms that it raises (`alarmConditions`), on or off: what it raised before is still listed and told. */
  readonly alarms?: AlarmDeclarations;
  /** Stored totals that must equal the computed ones, for the check of a database: SELECT what, stored, computed. */
  readonly totalChecks?: readonly string[];
  /** Kinds of its records that can be exported, also while it is off. */
  readonly exports?: readonly ExportPlan[];
  /** Statements for the serving size `@id` that are run before it is deleted. */
  readonly beforeSizeDeletion?: readonly string[];
  /** SQL for the tax that the price of a serving contains, in hundredths of a percent; null where it does not know it. */
  includedTax?(serving: PricedServing): string;
  /** Deletes what it keeps for some time only; null where it keeps nothing. Asked every minute, also while it is off. */
  oldRecords?(tables: Tables, nowMs: number): (() => void) | null;
  /** Prepares the statements on its tables. */
  readonly tables?: (db: Database, caches: ReturnType<typeof createCaches>) => Tables;
}

/** The columns of a query that say of which serving a price is. */
export interface PricedServing {
  readonly beverageId: string;
  readonly sizeId: string;
}

/** Rows that began at a tap at a time, and the kegs that follow. */
export interface PlacedRows {
  /** Those at a tap that began since then. */
  atTap(
    tapId: number,
    sinceMs: number,
  ): readonly { readonly id: number; readonly kegId: number | null; readonly began: Instant }[];
  setKeg(id: number, kegId: number | null): void;
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
