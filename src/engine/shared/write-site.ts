import { AppError } from '../../core/app-error.ts';
import type { Site } from '../../core/records.ts';
import { settingFault, settingList, settingRule } from '../../core/rules/site-settings.ts';
import { normalizeBreaks } from '../../core/rules/text-rules.ts';
import type { Store } from '../../store/store.ts';
import { followUnits } from './serving-sizes.ts';

/** Validates and writes settings, within the caller's transaction. */
export function writeSite(store: Store, changes: Partial<Site>): Site {
  const before = store.site.read();
  const site = trimTexts({ ...before, ...changes });
  const faults = settingList.flatMap(([name, setting]) => {
    const fault = settingFault(setting, site[name]);
    return fault === null ? [] : [{ name: setting.name, fault, rule: settingRule(setting, site[name]) }];
  });
  if (faults.length > 0) {
    const sentence = faults.map(({ name, fault }) => `${name} ${fault}`).join('; ');
    throw new AppError('invalid_request', `${sentence}.`, {
      fields: Object.fromEntries(faults.map(({ name, fault }) => [name, fault])),
      rules: Object.fromEntries(faults.map(({ name, rule }) => [name, rule])),
    });
  }
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
