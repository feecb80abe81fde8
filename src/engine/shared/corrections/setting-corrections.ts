import { AppError } from '../../../core/app-error.ts';
import type { CorrectionRow } from '../../../store/drinks/corrections-table.ts';
import type { Store } from '../../../store/store.ts';
import type { ActorContext } from '../actor-context.ts';
import { writeAudit } from '../audit.ts';
import type { EngineParts } from '../parts.ts';
import { addCorrection } from './add-correction.ts';
import { restoring, type UndoKind } from './undo-kinds.ts';

/** Settings that are changed and undone together. */
interface SettingGroup<T> {
  /** Name of the kind of its corrections. */
  readonly name: string;
  /** How a change is named in the audit log. */
  readonly action: string;
  readonly names: readonly (keyof T & string)[];
  read(store: Store): T;
  write(store: Store, changes: Partial<T>): void;
}

/** How changes of a group are logged, and undone by the id of their entry. */
export function settingCorrections<T>({ name, action, names, read, write }: SettingGroup<T>) {
  const pick = (settings: T, picked: readonly (keyof T & string)[]): Partial<T> =>
    Object.fromEntries(picked.map((name) => [name, settings[name]])) as Partial<T>;

  function restore(store: Store, { before, after }: CorrectionRow): void {
    const current = read(store);
    const left = Object.entries(JSON.parse(after) as Partial<T>);
    if (left.some(([name, value]) => current[name as keyof T] !== value)) {
      throw new AppError(
        'conflict',
        'This cannot be undone: the settings were changed again since. Undo the later change first.',
        { reason: { name: 'record_changed_since' } },
      );
    }
    write(store, JSON.parse(before) as Partial<T>);
  }

  const readChanged = (store: Store, { before }: CorrectionRow): object =>
    pick(read(store), Object.keys(JSON.parse(before)) as (keyof T & string)[]);

  const undoKind: UndoKind = { name, isByPin: false, undo: restoring({ restore, read: readChanged }) };

  return {
    undoKind,

    /**
     * Logs a change in the caller's transaction. Returns the id of the entry, by which it is undone; null when nothing was
     * changed.
     */
    log(
      parts: EngineParts,
      { before, after }: { readonly before: T; readonly after: T },
      { actor, now }: ActorContext,
    ): number | null {
      const changed = names.filter((name) => before[name] !== after[name]);
      if (changed.length === 0) return null;
      const sides = { before: pick(before, changed), after: pick(after, changed) };
      const id = writeAudit(parts.store, { actor, action, subject: { kind: 'site', id: 1 }, ...sides }, now);
      addCorrection(parts, {
        id,
        kind: name,
        before: JSON.stringify(sides.before),
        after: JSON.stringify(sides.after),
      });
      return id;
    },
  };
}
