import { AppError } from '../../core/app-error.ts';
import type { Site } from '../../core/records.ts';
import { type SiteSettingName, settingList } from '../../core/settings/site-settings.ts';
import type { CorrectionRow } from '../../store/drinks/corrections-table.ts';
import type { Store } from '../../store/store.ts';
import type { ActorContext } from './actor-context.ts';
import { writeAudit } from './audit.ts';
import { writeSite } from './write-site.ts';

type Settings = Partial<Pick<Site, SiteSettingName>>;

/**
 * Logs a change of site settings in the caller's transaction. Returns the id of the entry, by which it is undone; null when
 * nothing was changed.
 */
export function logSettingsChange(
  store: Store,
  { before, after }: { readonly before: Site; readonly after: Site },
  { actor, now }: ActorContext,
): number | null {
  const names = settingList.map(([name]) => name).filter((name) => before[name] !== after[name]);
  if (names.length === 0) return null;
  const sides = { before: pick(before, names), after: pick(after, names) };
  const subject = { kind: 'site', id: 1 };
  const id = writeAudit(store, { actor, action: 'site.changed', subject, ...sides }, now);
  store.corrections.add({
    id,
    kind: 'settings',
    before: JSON.stringify(sides.before),
    after: JSON.stringify(sides.after),
  });
  return id;
}

/** Gives settings the values before a change. Throws `conflict` when one was changed again since; call it in a transaction. */
export function undoSettings(store: Store, { before, after }: CorrectionRow): void {
  const site = store.site.read();
  const left = Object.entries(JSON.parse(after) as Settings);
  if (left.some(([name, value]) => site[name as SiteSettingName] !== value)) {
    throw new AppError(
      'conflict',
      'This cannot be undone: the settings were changed again since. Undo the later change first.',
      { reason: { name: 'record_changed_since' } },
    );
  }
  writeSite(store, JSON.parse(before) as Settings);
}

/** The settings of a change as they are now, for the audit log. */
export const readSettings = (store: Store, { before }: CorrectionRow): Settings =>
  pick(store.site.read(), Object.keys(JSON.parse(before)) as SiteSettingName[]);

const pick = (site: Site, names: readonly SiteSettingName[]): Settings =>
  Object.fromEntries(names.map((name) => [name, site[name]]));
