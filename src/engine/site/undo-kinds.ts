import type { Site } from '../../core/records.ts';
import { accessSettingList, settingList } from '../../core/settings/site-settings.ts';
import { settingCorrections } from '../shared/corrections/setting-corrections.ts';
import type { UndoKind } from '../shared/corrections/undo-kinds.ts';
import { writeSite } from '../shared/write-site.ts';

/** Changes of site settings. */
export const siteCorrections = settingCorrections<Site>({
  name: 'settings',
  action: 'site.changed',
  names: settingList.map(([name]) => name),
  read: (store) => store.site.read(),
  write: writeSite,
});

/** Settings that decide who is let in are undone by staff who have just entered the password. */
export const siteUndoKinds: readonly UndoKind[] = [
  {
    ...siteCorrections.undoKind,
    leastRole: (_store, { after }) =>
      accessSettingList.some(([name]) => name in JSON.parse(after)) ? 'confirmed-staff' : 'staff',
  },
];
