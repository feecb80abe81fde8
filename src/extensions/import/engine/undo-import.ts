import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { recomputeSessions } from '../../../engine/drinks/sessions/recompute-sessions.ts';
import { kegIdsOf, recomputeKeg } from '../../../engine/kegs/placement/place-drinks.ts';
import { type Actor, writeAudit } from '../../../engine/shared/audit.ts';
import type { EngineParts } from '../../../engine/shared/parts.ts';
import type { ImportedSource, ImportsTable } from '../store/imports-table.ts';

/** Who undoes an import, and of which source. */
interface UndoStart {
  readonly source: string;
  readonly actor: Actor;
  /** The system's user who called the command, for the audit log. */
  readonly calledBy: string;
}

/** Kegs that were created by an import: how many are gone, and how many stay because they are in use. */
interface UndoneKegs {
  readonly removed: number;
  readonly kept: number;
}

/**
 * Undoes imports: removes the drinks, spills and kegs of a source, so that totals and sessions are as without it.
 * Accounts and beverages stay, since people may use them by now.
 */
export function createImportUndo({ store }: EngineParts, tables: ImportsTable) {
  return {
    /** What was imported, in the order of the first imports. */
    sources: (): readonly ImportedSource[] => tables.sources(),

    /** Begins to undo, or continues. Throws `not_found` for an unknown source. */
    undo({ source, actor, calledBy }: UndoStart, now: Moment) {
      const found = tables.source(source);
      if (found === null) throw new AppError('not_found', `Nothing was imported from “${source}”.`);
      const { id: sourceId } = found;
      return {
        /** Removes at most so many drinks in one transaction, and returns how many. */
        removeDrinks: (limit: number): number =>
          store.transaction(() => {
            const drinks = tables.drinks(sourceId, limit);
            const kegIds = new Set(drinks.flatMap(({ id }) => findKegsOfTap(store, id)));
            for (const { id } of drinks) store.drinks.remove(id);
            for (const id of kegIds) recomputeKeg(store, id);
            for (const sessionId of new Set(drinks.map((drink) => drink.sessionId))) {
              recomputeSessions(store, [sessionId]);
            }
            return drinks.length;
          }),

        /** Removes what is left once no drink is: spills, and kegs that nothing else uses. */
        finish: (): UndoneKegs =>
          store.transaction(() => {
            const kegIds = tables.localIds(sourceId, 'keg');
            const created = tables.createdKegs(sourceId);
            tables.forget(sourceId);
            let removed = 0;
            let kept = 0;
            for (const id of kegIds) {
              const keg = store.kegs.byId(id);
              if (keg === null) continue;
              recomputeKeg(store, id);
              if (!created.includes(id)) continue;
              const isUsed =
                keg.state === 'on_tap' ||
                store.drinks.totals.pours('keg', id) + store.drinks.spills.countByKeg(id) > 0;
              if (isUsed) kept += 1;
              else {
                store.kegs.remove(id);
                removed += 1;
              }
            }
            const after = { source, called_by: calledBy, kegs: removed };
            const subject = { kind: 'import', id: sourceId };
            writeAudit(store, { actor, action: 'import.undone', subject, after }, now);
            return { removed, kept };
          }),
      };
    },
  };
}

/** The kegs of a drink that has a tap: those of history are recomputed at the end. */
function findKegsOfTap(store: EngineParts['store'], drinkId: number): readonly number[] {
  const drink = store.drinks.byId(drinkId)!;
  return drink.tapId === null ? [] : kegIdsOf(drink);
}
