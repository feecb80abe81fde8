import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { CorrectionRow } from '../../../store/drinks/corrections-table.ts';
import type { Store } from '../../../store/store.ts';
import { undoKegChange } from '../../kegs/keg-corrections.ts';
import { undoSpill } from '../../kegs/spills.ts';
import { systemActor, writeAudit } from '../../shared/audit.ts';
import { requireFound } from '../../shared/bounds.ts';
import { change, type EngineParts } from '../../shared/parts.ts';
import { undoAssignment } from './assign.ts';
import { undoCalibration } from './calibrate.ts';
import { cancel } from './cancel.ts';
import { toAuditDrinks, type WithActor } from './correct.ts';
import type { RowImage } from './row-image.ts';
import { undoRows } from './undo-rows.ts';

/** Options for undoing the latest correction of a drink. */
export interface UndoLatest extends WithActor {
  /** True: only a review of a held pour may be undone; default false. */
  readonly onlyReview?: boolean;
}

/**
 * Undoes the latest correction of a drink, including its cancellation. Throws `not_found` for an unknown
 * drink, `conflict` when there is nothing to undo or when a later correction depends on it, naming that one.
 */
export function undoLatest(
  parts: EngineParts,
  drinkId: number,
  { actor, onlyReview = false }: UndoLatest,
  now: Moment,
): void {
  const { store } = parts;
  change(parts, () => {
    const id = store.corrections.latestByDrink(drinkId);
    if (id === null) {
      requireFound(store.drinks.byId(drinkId), `drink ${drinkId}`);
      throw new AppError('conflict', `Drink ${drinkId} has not been corrected: there is nothing to undo.`, {
        reason: { name: 'not_corrected', drink: drinkId },
      });
    }
    const correction = store.corrections.byId(id)!;
    if (correction.kind === 'calibration') {
      throw new AppError(
        'conflict',
        `The volume of drink ${drinkId} was changed by calibration ${id}, with others: undo that as a whole.`,
        { reason: { name: 'changed_by_calibration', drink: drinkId } },
      );
    }
    if (correction.kind === 'assignment' && store.corrections.drinkIds(id).length > 1) {
      throw new AppError(
        'conflict',
        `Drink ${drinkId} was assigned together with others (correction ${id}): undo that as a whole, or assign this drink to somebody else.`,
        { reason: { name: 'assigned_with_others', drink: drinkId } },
      );
    }
    if (onlyReview && !correction.action.startsWith('held_pour.')) {
      throw new AppError(
        'conflict',
        `Drink ${drinkId} was corrected since its review (${correction.action}, correction ${id}): undo that first.`,
        { reason: { name: 'corrected_since', drink: drinkId } },
      );
    }
    applyUndo(store, correction, actor ?? systemActor, now);
  });
}

/**
 * Undoes one correction by its id, under the same conditions; also a change of a keg's state, a spill and the recording of
 * a drink by hand. Throws `conflict` when something that depends on it has happened since.
 */
export function undoCorrection(parts: EngineParts, id: number, { actor }: WithActor, now: Moment): void {
  const { store } = parts;
  change(parts, () => {
    const correction = requireFound(store.corrections.byId(id), `correction ${id}`);
    if (correction.undoneBy !== null) {
      throw new AppError('conflict', `Correction ${id} was undone already.`, {
        reason: { name: 'already_undone' },
      });
    }
    if (correction.kind === 'recording')
      undoRecording(parts, correction, { actor: actor ?? systemActor }, now);
    else applyUndo(store, correction, actor ?? systemActor, now);
  });
}

/** Cancels a drink that was recorded by hand; the cancellation can be undone in turn. */
function undoRecording(parts: EngineParts, { id }: CorrectionRow, options: WithActor, now: Moment): void {
  const { store } = parts;
  const drinkId = Number(store.audit.byId(id)!.subject.id);
  const later = store.corrections.latestByDrink(drinkId);
  if (later !== null) throw correctedSinceError(store, drinkId, later);
  if (store.drinks.byId(drinkId) === null) {
    throw new AppError('conflict', `This cannot be undone: drink ${drinkId} is gone.`, {
      reason: { name: 'drink_gone', drink: drinkId },
    });
  }
  cancel(parts, drinkId, { spilled: false, ...options }, now);
  store.corrections.setUndone(id, store.corrections.latestByDrink(drinkId)!);
}

function applyUndo(
  store: Store,
  correction: CorrectionRow,
  actor: NonNullable<WithActor['actor']>,
  now: Moment,
): void {
  const { id, kind } = correction;
  requireLatest(store, id);
  const entry = store.audit.byId(id)!;
  const drinkIds = kind === 'rows' ? findDrinkIds(correction) : [];
  const kegId = kind === 'keg' || kind === 'spill' ? findKegId(correction) : null;
  const readValues = () => (kegId === null ? toAuditDrinks(store, drinkIds) : store.kegs.byId(kegId));
  const before = readValues();
  if (kind === 'rows') undoRows(store, toImages(correction), now);
  else if (kind === 'calibration') undoCalibration(store, correction);
  else if (kind === 'keg') undoKegChange(store, correction);
  else if (kind === 'spill') undoSpill(store, correction);
  else undoAssignment(store, id);
  const undoneBy = writeAudit(
    store,
    {
      actor,
      action: 'correction.undone',
      subject: entry.subject,
      before: { correction_id: id, action: correction.action, ...before },
      after: readValues(),
    },
    now,
  );
  store.corrections.setUndone(id, undoneBy);
}

const findKegId = ({ after }: CorrectionRow): number | null =>
  (JSON.parse(after) as { readonly kegId: number | null }).kegId;

function requireLatest(store: Store, id: number): void {
  const later = store.corrections.laterThan(id);
  if (later === null) return;
  throw correctedSinceError(store, later.drinkId, later.correctionId);
}

function correctedSinceError(store: Store, drinkId: number, correctionId: number): AppError {
  const { action } = store.corrections.byId(correctionId)!;
  return new AppError(
    'conflict',
    `Drink ${drinkId} was corrected again since (${action}, correction ${correctionId}): undo that first.`,
    { reason: { name: 'corrected_since', drink: drinkId } },
  );
}

const toImages = (correction: CorrectionRow) => ({
  before: JSON.parse(correction.before) as RowImage,
  after: JSON.parse(correction.after) as RowImage,
});

function findDrinkIds(correction: CorrectionRow): readonly number[] {
  const { before, after } = toImages(correction);
  return [...new Set([...before.drinks, ...after.drinks].map(({ id }) => Number(id)))];
}
