import type { Moment } from '../../../core/clock/moment.ts';
import type { CorrectionRow } from '../../../store/drinks/corrections-table.ts';
import type { Store } from '../../../store/store.ts';
import type { ActorContext } from '../actor-context.ts';
import { type AuditEntry, writeAudit } from '../audit.ts';
import type { CorrectionKind, EngineParts } from '../parts.ts';
import { setUndone } from './add-correction.ts';

/** The lowest role that may undo a change; `confirmed-` has just entered the password. */
export type LeastRole = 'staff' | 'confirmed-staff' | 'superuser' | 'confirmed-superuser';

/** How the corrections of one kind are undone. Each subject declares its own; `engine/undo-kinds.ts` lists them all. */
export interface UndoKind extends CorrectionKind {
  /** True for what staff do by PIN on a shared tablet: the work at the taps, not changes of the bar's records and hardware. */
  readonly isByPin: boolean;
  /**
   * Undoes a correction and marks it as undone, in the caller's transaction. Throws `conflict` when something that depends on it
   * has happened since.
   */
  readonly undo: (parts: EngineParts, correction: CorrectionRow, context: ActorContext) => void;
  /** Who may undo it. Absent: all staff. */
  readonly leastRole?: (store: Store, correction: CorrectionRow) => LeastRole;
  /** The names of the meters that get another tap: their running pours are to be ended before. */
  readonly movedMeters?: (store: Store, correction: CorrectionRow) => readonly string[];
  /** The account whose open taps are closed afterwards; null: none. */
  readonly shutOut?: (store: Store, correction: CorrectionRow) => string | null;
}

/** How data are put back, and what the log shows of them before and after it. */
interface Restore {
  readonly restore: (store: Store, correction: CorrectionRow, now: Moment, parts: EngineParts) => void;
  readonly read?: (store: Store, correction: CorrectionRow, subject: AuditEntry['subject']) => object | null;
}

/** An undo that puts back stored values, and logs that it did. */
export const restoring =
  ({ restore, read = () => null }: Restore): UndoKind['undo'] =>
  (parts, correction, { actor, now }) => {
    const { store } = parts;
    const { id, action } = correction;
    const { subject } = store.reports.audit.byId(id)!;
    const before = { correction_id: id, action, ...read(store, correction, subject) };
    restore(store, correction, now, parts);
    const after = read(store, correction, subject);
    setUndone(
      parts,
      correction,
      writeAudit(store, { actor, action: 'correction.undone', subject, before, after }, now),
    );
  };

/** The kinds by name. Throws when two have the same. */
export function byKindName(kinds: readonly UndoKind[]): ReadonlyMap<string, UndoKind> {
  const map = new Map(kinds.map((kind) => [kind.name, kind]));
  if (map.size < kinds.length) throw new Error('Two kinds of corrections have the same name.');
  return map;
}
