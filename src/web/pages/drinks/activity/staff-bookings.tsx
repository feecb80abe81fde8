import type { Units } from '../../../app/format.ts';
import { PagedList } from '../../../components/paged-list.tsx';
import { t } from '../../../locales/locale.ts';
import { EntryRow } from '../../reports/audit/entry-row.tsx';

/** Subjects of the change log that are bookings; the others are settings. */
const booked = new Set(['drink', 'keg', 'spill', 'flow_meter', 'tap']);

/** What staff booked, the latest first: drinks added and corrected, kegs, spills. Each is undone here where it can be. */
export function StaffBookings({ units }: { readonly units: Units }) {
  return (
    <PagedList
      operation="GET /audit"
      itemsKey="entries"
      label={t('activity.bookings')}
      empty={t('activity.none')}
      emptyAction={{ label: t('drinkerPage.showTaps'), path: '/' }}
      renderItem={(entry) =>
        booked.has(entry.subject_kind) && <EntryRow key={entry.id} entry={entry} units={units} />
      }
    />
  );
}
