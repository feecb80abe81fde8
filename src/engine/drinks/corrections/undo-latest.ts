import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { CorrectionRow } from '../../../store/drinks/corrections-table.ts';
import type { Store } from '../../../store/store.ts';
import { systemActor } from '../../shared/audit.ts';
import { requireFound } from '../../shared/bounds.ts';
import { change, type EngineParts } from '../../shared/parts.ts';
import type { WithActor } from './correct.ts';
import { drinksUndoKinds } from './undo-kinds.ts';

/** Options for undoing the latest correction of a drink. */
export interface UndoLatest extends WithActor {
  /** True: only a review of a held pour may be undone; default false. */
  readonly onlyReview?: boolean;
}

/**
 * Undoes the latest correction of a drink, including its cancellation. Throws `not_found` for an unknown
 * drink, `conflict` when there is nothing to undo, or when it changed other drinks as well.
 */
export function undoLatest(
  parts: EngineParts,
  drinkId: number,
  { actor = systemActor, onlyReview = false }: UndoLatest,
  now: Moment,
): void {
  const { store } = parts;
  change(parts, () => {
    const correction = requireLatest(store, drinkId);
    requireOfOneDrink(store, correction, drinkId);
    if (onlyReview && !correction.action.startsWith('held_pour.')) {
      throw new AppError(
        'conflict',
        `Drink ${drinkId} was corrected since its review (${correction.action}, correction ${correction.id}): undo that first.`,
        { reason: { name: 'corrected_since', drink: drinkId } },
      );
    }
    const kind = drinksUndoKinds.find(({ name }) => name === correction.kind)!;
    kind.undo(parts, correction, { actor, now });
  });
}

function requireLatest(store: Store, drinkId: number): CorrectionRow {
  const id = store.drinks.corrections.latestByDrink(drinkId);
  if (id !== null) return store.drinks.corrections.byId(id)!;
  requireFound(store.drinks.byId(drinkId), `drink ${drinkId}`);
  throw new AppError('conflict', `Drink ${drinkId} has not been corrected: there is nothing to undo.`, {
    reason: { name: 'not_corrected', drink: drinkId },
  });
}

/** A correction of many drinks is undone as a whole, not by one of them. */
function requireOfOneDrink(store: Store, { id, kind }: CorrectionRow, drinkId: number): void {
  if (kind === 'calibration') {
    throw new AppError(
      'conflict',
      `The volume of drink ${drinkId} was changed by calibration ${id}, with others: undo that as a whole.`,
      { reason: { name: 'changed_by_calibration', drink: drinkId } },
    );
  }
  if (kind === 'assignment' && store.drinks.corrections.drinkIds(id).length > 1) {
    throw new AppError(
      'conflict',
      `Drink ${drinkId} was assigned together with others (correction ${id}): undo that as a whole, or assign this drink to somebody else.`,
      { reason: { name: 'assigned_with_others', drink: drinkId } },
    );
  }
}
