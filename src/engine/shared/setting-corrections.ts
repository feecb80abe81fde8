import { AppError } from '../../core/app-error.ts';
import type { Site } from '../../core/records.ts';
import { accessSettingList, settingList } from '../../core/settings/site-settings.ts';
import type { CorrectionRow } from '../../store/drinks/corrections-table.ts';
import type { BusinessSettings } from '../../store/reports/reports-table.ts';
import type { Store } from '../../store/store.ts';
import type { ActorContext } from './actor-context.ts';
import { writeAudit } from './audit.ts';
import { writeSite } from './write-site.ts';

/** Settings that are changed and undone together. */
interface SettingGroup<T> {
  /** Kind of its corrections. */
  readonly kind: CorrectionRow['kind'];
  /** How a change is named in the audit log. */
  readonly action: string;
  readonly names: readonly (keyof T & string)[];
  read(store: Store): T;
  write(store: Store, changes: Partial<T>): void;
}

/** How changes of a group are logged, and undone by the id of their entry. */
function settingCorrections<T>({ kind, action, names, read, write }: SettingGroup<T>) {
  const pick = (settings: T, picked: readonly (keyof T & string)[]): Partial<T> =>
    Object.fromEntries(picked.map((name) => [name, settings[name]])) as Partial<T>;
  return {
    /**
     * Logs a change in the caller's transaction. Returns the id of the entry, by which it is undone; null when nothing was
     * changed.
     */
    log(
      store: Store,
      { before, after }: { readonly before: T; readonly after: T },
      { actor, now }: ActorContext,
    ): number | null {
      const changed = names.filter((name) => before[name] !== after[name]);
      if (changed.length === 0) return null;
      const sides = { before: pick(before, changed), after: pick(after, changed) };
      const id = writeAudit(store, { actor, action, subject: { kind: 'site', id: 1 }, ...sides }, now);
      store.corrections.add({
        id,
        kind,
        before: JSON.stringify(sides.before),
        after: JSON.stringify(sides.after),
      });
      return id;
    },

    /** Gives settings the values before a change. Throws `conflict` when one was changed again since; call it in a transaction. */
    undo(store: Store, { before, after }: CorrectionRow): void {
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
    },

    /** The settings of a change as they are now, for the audit log. */
    read: (store: Store, { before }: CorrectionRow): object =>
      pick(read(store), Object.keys(JSON.parse(before)) as (keyof T & string)[]),
  };
}

/** Changes of site settings. */
export const siteCorrections = settingCorrections<Site>({
  kind: 'settings',
  action: 'site.changed',
  names: settingList.map(([name]) => name),
  read: (store) => store.site.read(),
  write: writeSite,
});

/** Who may undo a change of site settings: of those that decide who is let in, staff who have just entered the password. */
export const leastRoleToUndoSettings = (
  _store: Store,
  { after }: CorrectionRow,
): 'staff' | 'confirmed-staff' =>
  accessSettingList.some(([name]) => name in JSON.parse(after)) ? 'confirmed-staff' : 'staff';

/** Changes of the end of the business day, the currency, nightly backups, shifts and freshness. */
export const businessCorrections = settingCorrections<BusinessSettings>({
  kind: 'business',
  action: 'business.changed',
  names: ['dayEndsMinutes', 'nightlyBackups', 'currency', 'shifts', 'maxDaysOnTap'],
  read: (store) => store.reports.settings(),
  write: (store, changes) => store.reports.writeSettings({ ...store.reports.settings(), ...changes }),
});
