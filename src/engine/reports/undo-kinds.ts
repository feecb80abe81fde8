import type { BusinessSettings } from '../../store/reports/reports-table.ts';
import { settingCorrections } from '../shared/corrections/setting-corrections.ts';
import type { UndoKind } from '../shared/corrections/undo-kinds.ts';

/** Changes of the end of the business day, the currency, nightly backups, shifts and freshness. */
export const businessCorrections = settingCorrections<BusinessSettings>({
  name: 'business',
  action: 'business.changed',
  names: ['dayEndsMinutes', 'nightlyBackups', 'currency', 'shifts', 'maxDaysOnTap'],
  read: (store) => store.reports.settings(),
  write: (store, changes) => store.reports.writeSettings({ ...store.reports.settings(), ...changes }),
});

export const reportsUndoKinds: readonly UndoKind[] = [businessCorrections.undoKind];
