import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { findRecordedPour } from '../../../engine/drinks/reported/recorded-pours.ts';
import { recomputeKeg } from '../../../engine/kegs/placement/place-drinks.ts';
import { type Actor, writeAudit } from '../../../engine/shared/audit.ts';
import { change, type EngineParts } from '../../../engine/shared/parts.ts';
import type { StagedRecord } from '../store/import-staging.ts';
import type { ImportsTable } from '../store/imports-table.ts';
import { createBeverageImport } from './import-beverages.ts';
import type { ImportOutcome } from './import-context.ts';
import { createDrinkImport, toImportPourId } from './import-drinks.ts';
import { createKegImport } from './import-kegs.ts';
import { createUserImport } from './import-users.ts';
import {
  checkBeverage,
  checkDrink,
  checkKeg,
  checkUser,
  type ImportedBeverage,
  type ImportedDrink,
  type ImportedKeg,
  type ImportedUser,
} from './imported-records.ts';
import { createImportUndo } from './undo-import.ts';

export type { ImportOutcome, ImportResult } from './import-context.ts';
export type { ImportedBeverage, ImportedDrink, ImportedKeg, ImportedUser } from './imported-records.ts';

/** Who imports, and from where. */
export interface ImportStart {
  /** Name of the source: the address of a server, or `csv:` and a name. */
  readonly source: string;
  /** Whether the records are rows of files, which may have been exported from this database. */
  readonly isFile: boolean;
  /** Whether a drink that names an unknown keg is refused; by default it is, else it is imported without a keg. */
  readonly needsKegs?: boolean;
  readonly isDryRun: boolean;
  readonly actor: Actor;
  /** The system's user who called the command, for the audit log. */
  readonly calledBy: string;
}

/** What happened to one record, or why it cannot be imported. */
export type RecordOutcome = ImportOutcome | { readonly fault: AppError };

/** A drink of a server, to find out whether the server has this database. */
export interface ComparedDrink {
  readonly id: number;
  readonly pourTimeMs: number;
  readonly volumeMl: number;
}

export type Imports = ReturnType<typeof createImports>;

export type ImportRun = ReturnType<Imports['start']>;

/** Kegs whose totals are recomputed in one transaction. */
const kegsPerStep = 20;

/** Imports the history of another server or of CSV files: people, beverages, kegs and drinks. */
export function createImports(parts: EngineParts, tables: ImportsTable) {
  const { store } = parts;
  return {
    ...createImportUndo(parts, tables),

    /** Validate records before they are staged; throw `invalid_request` naming the field. */
    check: {
      user: checkUser,
      beverage: checkBeverage,
      keg: (keg: ImportedKeg, now: Moment) => checkKeg(keg, now.synced ? now.wallMs : null),
      drink: (drink: ImportedDrink, now: Moment) => checkDrink(drink, now.synced ? now.wallMs : null),
    },

    /** Columns that our own exports have, whether an import reads them or not. */
    exportedColumns: (kind: 'kegs' | 'drinks'): readonly string[] => store.reports.exports.columns(kind),

    /** Throws `unavailable` when the disk has no space for more staged records. */
    requireSpace: (): void => store.diskSpace.require('file'),

    /** The drinks of that server up to this id were handled by an earlier import. */
    drinksThrough: (source: string): number => tables.source(source)?.drinksThrough ?? 0,

    /** True if some of these drinks are here under the same ids, and were recorded and not imported here. */
    hasSameDrinks: (drinks: readonly ComparedDrink[]): boolean =>
      drinks.some(({ id, pourTimeMs, volumeMl }) => {
        const local = store.drinks.byId(id);
        if (local === null || local.source === 'import') return false;
        return Math.abs(local.pourTimeMs - pourTimeMs) < 1_000 && Math.abs(local.volumeMl - volumeMl) < 0.01;
      }),

    /**
     * The source from which some of these drinks were imported before under the same ids and with the same times, and none with
     * another time; null without one.
     */
    findSource(drinks: readonly Omit<ComparedDrink, 'volumeMl'>[]): string | null {
      const found = tables.sources().find(({ name }) => {
        const { id: sourceId } = tables.source(name)!;
        const known = drinks.flatMap(({ id, pourTimeMs }) => {
          const drink = findRecordedPour(store, toImportPourId(sourceId, String(id)));
          return drink === null ? [] : [Math.abs(drink.pourTimeMs - pourTimeMs) < 1_000];
        });
        return known.length > 0 && known.every((isSame) => isSame);
      });
      return found?.name ?? null;
    },

    /** The other source from which all of these drinks were imported before; null without one. */
    findOtherSource(source: string, drinks: readonly ComparedDrink[]): string | null {
      const names = new Set(
        drinks.map(({ pourTimeMs, volumeMl }) =>
          tables.sourceOfDrink({ fromMs: pourTimeMs - 999, untilMs: pourTimeMs + 999, volumeMl }),
        ),
      );
      const [name = null] = names;
      return names.size === 1 && name !== source ? name : null;
    },

    /** Begins or continues an import. Nothing is written before the first records. */
    start(
      { source, isFile, needsKegs: needsKeg = true, isDryRun, actor, calledBy }: ImportStart,
      now: Moment,
    ) {
      let sourceId = tables.source(source)?.id ?? null;
      let isLogged = false;
      const createImporters = () => {
        const context = { store, tables, now, sourceId, isDryRun };
        const users = createUserImport(context);
        const beverages = createBeverageImport(context);
        const kegs = createKegImport(context, beverages);
        return { users, beverages, kegs, drinks: createDrinkImport(context, { users, kegs }) };
      };
      let importers: ReturnType<typeof createImporters> | null = null;
      const log = (action: string, after: unknown) =>
        writeAudit(store, { actor, action, subject: { kind: 'import', id: sourceId ?? 0 }, after }, now);

      const addRecord = ({ kind, key, data }: StagedRecord): RecordOutcome => {
        importers ??= createImporters();
        const { users, beverages, kegs, drinks } = importers;
        try {
          switch (kind) {
            case 'user':
              return users.add(data as ImportedUser);
            case 'beverage':
              return beverages.add(key, data as ImportedBeverage);
            case 'keg':
              return kegs.add(key, data as ImportedKeg);
            case 'drink':
              return drinks.add(key, data as ImportedDrink, { mayBeOwn: isFile, needsKeg });
          }
        } catch (fault) {
          // A record is checked before anything of it is written.
          if (fault instanceof AppError && fault.code === 'invalid_request') return { fault };
          throw fault;
        }
      };

      return {
        /** Imports checked records of one kind in one transaction. Call it with a few hundred, so that pours wait shortly. */
        add(records: readonly StagedRecord[]): readonly RecordOutcome[] {
          if (isDryRun) return store.snapshot(() => records.map(addRecord));
          if (!isLogged) {
            change(parts, () => {
              sourceId ??= tables.addSource(source);
              log('import.started', { source, called_by: calledBy });
            });
            isLogged = true;
          }
          store.diskSpace.require('change');
          // Drinks change nothing of the set-up, like recorded pours.
          const transaction = records[0]?.kind === 'drink' ? store.recording : store.transaction;
          return transaction(() => records.map(addRecord));
        },

        /**
         * Completes the import in several transactions, one each time the result is read: recomputes the kegs' time spans,
         * then remembers the last drink of a server and logs the counts.
         */
        *finish(counts: unknown, drinksThrough = 0): Generator<void> {
          if (isDryRun || sourceId === null) return;
          const kegIds = tables.localIds(sourceId, 'keg');
          for (let first = 0; first < kegIds.length; first += kegsPerStep) {
            store.transaction(() => {
              for (const id of kegIds.slice(first, first + kegsPerStep)) {
                if (store.kegs.byId(id) !== null) recomputeKeg(store, id);
              }
            });
            yield;
          }
          change(parts, () => {
            tables.setDrinksThrough(sourceId!, drinksThrough);
            if (isLogged) log('import.finished', { source, called_by: calledBy, counts });
          });
        },
      };
    },
  };
}
