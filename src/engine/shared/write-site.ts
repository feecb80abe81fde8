import type { Site } from '../../core/records.ts';
import { settingFault, settingList } from '../../core/settings/site-settings.ts';
import { normalizeBreaks } from '../../core/text/text-rules.ts';
import type { Store } from '../../store/store.ts';
import { rejectFaults } from './bounds.ts';
import { followUnits } from './serving-sizes.ts';

/** Validates and writes settings, within the caller's transaction. */
export function writeSite(store: Store, changes: Partial<Site>): Site {
  const before = store.site.read();
  const site = trimTexts({ ...before, ...changes });
  rejectFaults(settingList.map(([name, setting]) => [setting.name, settingFault(setting, site[name])]));
  store.site.write(site);
  if (site.volumeUnits !== before.volumeUnits) followUnits(store, site.volumeUnits);
  return site;
}

const trimTexts = (site: Site): Site => ({
  ...site,
  title: normalizeBreaks(site.title, 'line').trim(),
  timeZone: site.timeZone.trim(),
  allergenNote: normalizeBreaks(site.allergenNote, 'line').trim(),
});
