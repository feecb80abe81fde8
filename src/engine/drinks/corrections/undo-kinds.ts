import { AppError } from '../../../core/app-error.ts';
import type { CorrectionRow } from '../../../store/drinks/corrections-table.ts';
import type { Store } from '../../../store/store.ts';
import type { ActorContext } from '../../shared/actor-context.ts';
import { setUndone } from '../../shared/corrections/add-correction.ts';
import { restoring, type UndoKind } from '../../shared/corrections/undo-kinds.ts';
import type { EngineParts } from '../../shared/parts.ts';
import { suspectAgain } from '../suspected-kegs.ts';
import { undoAssignment } from './assign.ts';
import { undoCalibration } from './calibrate.ts';
import { cancel } from './cancel.ts';
import { toAuditDrinks } from './correct.ts';
import type { RowImage } from './row-image.ts';
import { undoRows } from './undo-rows.ts';

export const drinksUndoKinds = [
  // Drinks and what belongs to them get their rows back.
  { name: 'rows', isByPin: true, news: 'all', undo: latestOnly(undoDrinkRows) },
  // Drinks that were given to a user have none again.
  {
    name: 'assignment',
    isByPin: true,
    news: 'all',
    undo: latestOnly(restoring({ restore: undoAssignment })),
  },
  // Drinks get their volumes back, the meter its factor.
  {
    name: 'calibration',
    isByPin: false,
    news: 'all',
    undo: latestOnly(restoring({ restore: undoCalibration })),
  },
  // A drink that was recorded by hand is cancelled. Its recording was news of its own.
  { name: 'recording', isByPin: true, news: 'undoing', undo: undoRecording },
] as const satisfies readonly UndoKind[];

/** Refuses to undo what a later correction of the same drink depends on. */
function latestOnly(undo: UndoKind['undo']): UndoKind['undo'] {
  return (parts, correction, context) => {
    const later = parts.store.drinks.corrections.laterThan(correction.id);
    if (later !== null) throw correctedSinceError(parts.store, later.drinkId, later.correctionId);
    undo(parts, correction, context);
  };
}

/** Restores drinks; extensions that set some of them aside follow, in the name of who undoes it. */
function undoDrinkRows(parts: EngineParts, correction: CorrectionRow, context: ActorContext): void {
  const images = {
    before: JSON.parse(correction.before) as RowImage,
    after: JSON.parse(correction.after) as RowImage,
  };
  const rows = [...images.before.drinks, ...images.after.drinks];
  const drinkIds = [...new Set(rows.map(({ id }) => Number(id)))];
  let follow: ReturnType<typeof undoRows> = () => {};
  const undo = restoring({
    restore: (_store, _correction, now) => {
      follow = undoRows(parts, images, now);
    },
    read: (store) => toAuditDrinks(store, drinkIds),
  });
  undo(parts, correction, context);
  follow(context);
  // What was counted as beer is gas again.
  suspectAgain(parts.store, drinkIds);
}

/** Cancels a drink that was recorded by hand; the cancellation can be undone in turn. */
function undoRecording(parts: EngineParts, correction: CorrectionRow, { actor, now }: ActorContext): void {
  const { store } = parts;
  const drinkId = Number(store.reports.audit.byId(correction.id)!.subject.id);
  const later = store.drinks.corrections.latestByDrink(drinkId);
  if (later !== null) throw correctedSinceError(store, drinkId, later);
  if (store.drinks.byId(drinkId) === null) {
    throw new AppError('conflict', `This cannot be undone: drink ${drinkId} is gone.`, {
      reason: { name: 'drink_gone', drink: drinkId },
    });
  }
  cancel(parts, drinkId, { spilled: false, actor }, now);
  setUndone(parts, correction, store.drinks.corrections.latestByDrink(drinkId)!);
}

/** A later correction of the drink is to be undone before. */
function correctedSinceError(store: Store, drinkId: number, correctionId: number): AppError {
  const { action } = store.drinks.corrections.byId(correctionId)!;
  return new AppError(
    'conflict',
    `Drink ${drinkId} was corrected again since (${action}, correction ${correctionId}): undo that first.`,
    { reason: { name: 'corrected_since', drink: drinkId } },
  );
}
