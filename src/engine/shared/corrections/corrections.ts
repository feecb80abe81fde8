import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { CorrectionRow } from '../../../store/drinks/corrections-table.ts';
import { type Actor, type AuditEntry, systemActor } from '../audit.ts';
import { requireFound } from '../bounds.ts';
import { change, type EngineParts } from '../parts.ts';
import type { LeastRole, UndoKind } from './undo-kinds.ts';

/** Closes the taps that an account has open. */
interface GrantsOfBoards {
  endUserGrants(username: string, now: Moment): void;
}

/** Undoes changes by the ids of their entries in the audit log, each as its kind says. */
export function createCorrections(
  parts: EngineParts,
  undoKinds: ReadonlyMap<string, UndoKind>,
  { endUserGrants }: GrantsOfBoards,
) {
  const { store } = parts;

  /** The correction and its kind; null when there is none, or when the extension that made it is gone. */
  const find = (id: number): { correction: CorrectionRow; kind: UndoKind } | null => {
    const correction = store.drinks.corrections.byId(id);
    const kind = correction && undoKinds.get(correction.kind);
    return correction && kind ? { correction, kind } : null;
  };

  const leastRole = (id: number): LeastRole => {
    const found = find(id);
    return found?.kind.leastRole?.(store, found.correction) ?? 'staff';
  };

  return {
    /**
     * Undoes a correction. What cannot be done by PIN cannot be undone by PIN: `not_allowed`. Throws `conflict` when something
     * that depends on it has happened since, `not_found`.
     */
    undo(id: number, { actor = systemActor }: { readonly actor?: Actor | undefined }, now: Moment): void {
      const shutOut = change(parts, () => {
        const { correction, kind } = requireFound(find(id), `correction ${id}`);
        if (correction.undoneBy !== null) throw undoneAlreadyError(id);
        if (actor.via === 'tablet' && !kind.isByPin) throw notByPinError();
        kind.undo(parts, correction, { actor, now });
        return kind.shutOut?.(store, correction) ?? null;
      });
      if (shutOut !== null) endUserGrants(shutOut, now);
    },

    /** Who may undo a correction; staff in general for an unknown one. */
    leastRole,

    /**
     * Whether the actor may undo what an entry of the audit log tells; a superuser may have to enter the password first. It may
     * still be refused for what has happened since.
     */
    mayUndo({ id, undoKind, undoneBy }: AuditEntry, actor: Actor): boolean {
      if (undoKind === null || undoneBy !== null) return false;
      // The wiring of pins is undone by the service that changes it.
      const isPin = undoKind === 'pin';
      const kind = undoKinds.get(undoKind);
      if (!isPin && kind === undefined) return false;
      if (actor.via === 'tablet' && kind?.isByPin !== true) return false;
      const least = isPin ? 'confirmed-superuser' : leastRole(id);
      if (least === 'staff') return true;
      // Only a person who logged in by name and password can enter it again.
      if (least.startsWith('confirmed') && actor.via !== 'page') return false;
      const user = actor.userId === null ? null : store.users.byId(actor.userId);
      return least === 'confirmed-staff' || user?.isSuperuser === true;
    },

    /** The names of the meters that get another tap when it is undone: their running pours are to be ended before. */
    movedMeters(id: number): readonly string[] {
      const found = find(id);
      if (found === null || found.correction.undoneBy !== null) return [];
      return found.kind.movedMeters?.(store, found.correction) ?? [];
    },
  };
}

const undoneAlreadyError = (id: number) =>
  new AppError('conflict', `Correction ${id} was undone already.`, { reason: { name: 'already_undone' } });

const notByPinError = () =>
  new AppError('not_allowed', 'A shared tablet may not do this: log in with your own name and password.', {
    reason: { name: 'not_on_tablets' },
  });
