import { request } from '../../../api/client.ts';
import type { AuditEntry } from '../../../api/generated.ts';
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
      renderItem={(entry) =>
        booked.has(entry.subject_kind) && (
          <EntryRow key={entry.id} entry={entry} units={units} undo={undoOf(entry)} />
        )
      }
    />
  );
}

/** The request that takes back what is no correction; undefined where there is none. */
function undoOf({ action, subject_id: id }: AuditEntry) {
  const path = { id: Number(id) };
  if (action === 'drink.recorded') return () => request('DELETE /drinks/{id}', { path });
  if (action === 'keg.ended') return () => request('POST /kegs/{id}/reactivate', { path });
  return undefined;
}
