import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { CorrectionRow } from '../../../store/drinks/corrections-table.ts';
import type { Store } from '../../../store/store.ts';
import { undoTokenRemoval } from '../../access/undo-token.ts';
import { undoKegChange } from '../../kegs/keg-corrections.ts';
import { undoMerge } from '../../kegs/merges.ts';
import { undoRecordChange } from '../../kegs/record-corrections.ts';
import { undoSpill } from '../../kegs/spills.ts';
import type { ActorContext } from '../../shared/actor-context.ts';
import { writeAudit } from '../../shared/audit.ts';
import type { EngineParts } from '../../shared/parts.ts';
import {
  businessCorrections,
  leastRoleToUndoSettings,
  siteCorrections,
} from '../../shared/setting-corrections.ts';
import { followPours } from '../../taps/cleaning/cleaning-entries.ts';
import { readChangedPlans, undoPlanChange } from '../../taps/cleaning/cleaning-plan-corrections.ts';
import { readDevice, undoDeviceChange } from '../../taps/device-corrections.ts';
import { readChangedTaps, undoTapChange } from '../../taps/tap-corrections.ts';
import { leastRoleToUndo, undoAccountChange } from '../../users/account-corrections.ts';
import { cleaningsOf } from '../cleaning/follow-cleanings.ts';
import { suspectAgain } from '../suspected-kegs.ts';
import { undoAssignment } from './assign.ts';
import { undoCalibration } from './calibrate.ts';
import { cancel } from './cancel.ts';
import { toAuditDrinks } from './correct.ts';
import type { RowImage } from './row-image.ts';
import { undoRows } from './undo-rows.ts';

interface UndoneKind {
  /** True for what staff do by PIN on a shared tablet: the work at the taps, not changes of the bar's records and hardware. */
  readonly isByPin: boolean;
  /** Who may undo it, besides staff in general; `confirmed-` has just entered the password. Absent: all staff. */
  least?(store: Store, correction: CorrectionRow): LeastRole;
  /** Undoes a correction and marks it as undone. Throws `conflict` when something that depends on it has happened since. */
  undo(parts: EngineParts, correction: CorrectionRow, context: ActorContext): void;
}

/** The lowest role that may undo a change. */
export type LeastRole = 'staff' | 'confirmed-staff' | 'superuser' | 'confirmed-superuser';

/** How data are put back, and read for the log before and after it. */
interface Restore {
  restore(store: Store, correction: CorrectionRow, now: Moment): void;
  read?(store: Store, correction: CorrectionRow, subject: Subject): object | null;
}

type Subject = NonNullable<ReturnType<Store['audit']['byId']>>['subject'];

/** An undo that puts back stored values, unless a later correction changed the same drink. */
const restoring =
  ({ restore, read = noDrinks }: Restore): UndoneKind['undo'] =>
  ({ store }, correction, { actor, now }) => {
    const { id, action } = correction;
    requireLatest(store, id);
    const { subject } = store.audit.byId(id)!;
    const before = { correction_id: id, action, ...read(store, correction, subject) };
    restore(store, correction, now);
    const after = read(store, correction, subject);
    const entry = { actor, action: 'correction.undone', subject, before, after };
    store.corrections.setUndone(id, writeAudit(store, entry, now));
  };

/** What each kind of correction needs to be undone. */
export const correctionKinds: Readonly<Record<CorrectionRow['kind'], UndoneKind>> = {
  rows: {
    isByPin: true,
    undo: undoDrinkRows,
  },
  assignment: { isByPin: true, undo: restoring({ restore: (store, { id }) => undoAssignment(store, id) }) },
  calibration: { isByPin: false, undo: restoring({ restore: undoCalibration }) },
  keg: { isByPin: true, undo: restoring({ restore: undoKegChange, read: readKeg }) },
  spill: { isByPin: true, undo: restoring({ restore: undoSpill, read: readKeg }) },
  recording: { isByPin: true, undo: undoRecording },
  tap: { isByPin: false, undo: restoring({ restore: undoTapChange, read: readChangedTaps }) },
  next: { isByPin: true, undo: restoring({ restore: undoTapChange, read: readChangedTaps }) },
  device: {
    isByPin: false,
    undo: restoring({
      restore: undoDeviceChange,
      read: (store, _correction, { kind, id }) => readDevice(store, { kind, id: Number(id) }),
    }),
  },
  record: {
    isByPin: false,
    undo: restoring({
      restore: undoRecordChange,
      read: (store, _correction, subject) => readRecord(store, subject),
    }),
  },
  merge: { isByPin: false, undo: ({ store }, { id }, context) => undoMerge(store, id, context) },
  token: { isByPin: false, undo: restoring({ restore: undoTokenRemoval }) },
  user: {
    isByPin: false,
    least: leastRoleToUndo,
    undo: ({ store }, correction, context) => undoAccountChange(store, correction, context),
  },
  settings: {
    isByPin: false,
    least: leastRoleToUndoSettings,
    undo: restoring({ restore: siteCorrections.undo, read: siteCorrections.read }),
  },
  business: {
    isByPin: false,
    undo: restoring({ restore: businessCorrections.undo, read: businessCorrections.read }),
  },
  cleaning_plans: {
    isByPin: false,
    undo: restoring({ restore: undoPlanChange, read: readChangedPlans }),
  },
};

/** Restores drinks; cleanings follow in the log, in the name of who undoes it. */
function undoDrinkRows(parts: EngineParts, correction: CorrectionRow, context: ActorContext): void {
  const images = toImages(correction);
  restoring({
    restore: (store, _correction, now) => undoRows(store, images, now),
    read: (store) => toAuditDrinks(store, findDrinkIds(correction)),
  })(parts, correction, context);
  for (const id of cleaningsOf([...images.before.drinks, ...images.after.drinks]))
    followPours(parts.store, id, context);
  // What was counted as beer is gas again.
  suspectAgain(parts.store, findDrinkIds(correction));
}

/** Cancels a drink that was recorded by hand; the cancellation can be undone in turn. */
function undoRecording(parts: EngineParts, { id }: CorrectionRow, { actor, now }: ActorContext): void {
  const { store } = parts;
  const drinkId = Number(store.audit.byId(id)!.subject.id);
  const later = store.corrections.latestByDrink(drinkId);
  if (later !== null) throw correctedSinceError(store, drinkId, later);
  if (store.drinks.byId(drinkId) === null) {
    throw new AppError('conflict', `This cannot be undone: drink ${drinkId} is gone.`, {
      reason: { name: 'drink_gone', drink: drinkId },
    });
  }
  cancel(parts, drinkId, { spilled: false, actor }, now);
  store.corrections.setUndone(id, store.corrections.latestByDrink(drinkId)!);
}

function noDrinks(store: Store) {
  return toAuditDrinks(store, []);
}

/** The keg of a change of its state, or of a spill. */
function readKeg(store: Store, { after }: CorrectionRow) {
  const { kegId } = JSON.parse(after) as { readonly kegId: number | null };
  return kegId === null ? noDrinks(store) : store.kegs.byId(kegId);
}

/** The record that a change was about, for the log. */
function readRecord(store: Store, { kind, id }: { readonly kind: string; readonly id: string }) {
  if (kind === 'keg') return store.kegs.byId(Number(id));
  if (kind === 'beverage') return store.beverages.byId(Number(id));
  return kind === 'producer' ? store.producers.byId(Number(id)) : null;
}

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
