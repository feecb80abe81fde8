import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { CorrectionRow } from '../../../store/drinks/corrections-table.ts';
import type { Store } from '../../../store/store.ts';
import { type Actor, type AuditEntry, systemActor } from '../../shared/audit.ts';
import { requireFound } from '../../shared/bounds.ts';
import { change, type EngineParts } from '../../shared/parts.ts';
import { readChangedAccount } from '../../users/account-corrections.ts';
import type { WithActor } from './correct.ts';
import { correctionKinds, type LeastRole } from './undo-kinds.ts';

/** Options for undoing the latest correction of a drink. */
export interface UndoLatest extends WithActor {
  /** True: only a review of a held pour may be undone; default false. */
  readonly onlyReview?: boolean;
}

/** Options for undoing a correction by its id. */
interface UndoById extends WithActor {
  endUserGrants(username: string, now: Moment): void;
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
    correctionKinds[correction.kind].undo(parts, correction, { actor: actor ?? systemActor, now });
  });
}

/**
 * Undoes one correction by its id, under the same conditions; also a change of a keg's state or of its record, of taps, hardware,
 * prices or serving sizes, the deletion of a keg, beer or brewery, a merge, a spill, the recording of a drink by hand, the
 * deletion of a token, and a change of an account, which ends its grants when it is inactive afterwards. What cannot be done by PIN cannot be undone by PIN: `not_allowed`. Throws `conflict` when something that depends
 * on it has happened since.
 */
export function undoCorrection(
  parts: EngineParts,
  id: number,
  { actor, endUserGrants }: UndoById,
  now: Moment,
): void {
  const { store } = parts;
  const undone = change(parts, () => {
    const correction = requireFound(store.corrections.byId(id), `correction ${id}`);
    if (correction.undoneBy !== null) {
      throw new AppError('conflict', `Correction ${id} was undone already.`, {
        reason: { name: 'already_undone' },
      });
    }
    const { isByPin, undo } = correctionKinds[correction.kind];
    if (actor?.via === 'tablet' && !isByPin) throw notByPinError();
    undo(parts, correction, { actor: actor ?? systemActor, now });
    return correction;
  });
  const user = undone.kind === 'user' ? readChangedAccount(store, undone) : null;
  if (user !== null && !user.isActive) endUserGrants(user.username, now);
}

/** Who may undo a correction; staff in general for an unknown one. */
export function leastRoleToUndo({ store }: EngineParts, id: number): LeastRole {
  const correction = store.corrections.byId(id);
  return correction === null ? 'staff' : leastRole(store, correction);
}

/**
 * Whether the actor may undo what an entry of the audit log tells; a superuser may have to enter the password first. It may
 * still be refused for what has happened since.
 */
export function mayUndo({ store }: EngineParts, entry: AuditEntry, actor: Actor): boolean {
  const { id, undoKind, undoneBy } = entry;
  if (undoKind === null || undoneBy !== null) return false;
  if (actor.via === 'tablet' && (undoKind === 'pin' || !correctionKinds[undoKind].isByPin)) return false;
  const correction = undoKind === 'pin' ? null : store.corrections.byId(id)!;
  const least = correction === null ? 'confirmed-superuser' : leastRole(store, correction);
  if (least === 'staff') return true;
  // Only a person who logged in by name and password can enter it again.
  if (least.startsWith('confirmed') && actor.via !== 'page') return false;
  const user = actor.userId === null ? null : store.users.byId(actor.userId);
  return least === 'confirmed-staff' || user?.isSuperuser === true;
}

const leastRole = (store: Store, correction: CorrectionRow): LeastRole =>
  correctionKinds[correction.kind].least?.(store, correction) ?? 'staff';

const notByPinError = () =>
  new AppError('not_allowed', 'A shared tablet may not do this: log in with your own name and password.', {
    reason: { name: 'not_on_tablets' },
  });
