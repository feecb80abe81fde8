import { useId } from 'preact/hooks';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { Event } from '../../../api/generated.ts';
import { isStaff, showsDrinkers } from '../../../app/me.ts';
import { useNavigate } from '../../../app/routing.ts';
import { Page, type PageProps } from '../../../components/page.tsx';
import { PagedList } from '../../../components/paged-list.tsx';
import { t } from '../../../locales/locale.ts';
import { drinksVersion } from '../drinks-version.ts';
import { EventRow } from './event-row.tsx';
import { StaffBookings } from './staff-bookings.tsx';
import '../../../styles/shared/details.css';

const kinds = [
  'drink_poured',
  'session_started',
  'session_joined',
  'session_merged',
  'keg_tapped',
  'keg_volume_low',
  'keg_ended',
] as const satisfies readonly Event['kind'][];

/** Value of the filter for what staff booked. */
const staffBookings = 'bookings';

/** Timeline of drinks, sessions and kegs, the latest first; staff also see and undo what staff booked. */
export function ActivityPage({ snapshot, query }: PageProps) {
  const chosen = query.get('kind');
  const kind = kinds.find((one) => one === chosen);
  const showsBookings = chosen === staffBookings && isStaff.value;
  return (
    <Page title={t('activity.title')}>
      <Filter selected={showsBookings ? staffBookings : (kind ?? '')} />
      <div class="card">
        {showsBookings ? <StaffBookings units={snapshot} /> : <Events kind={kind} snapshot={snapshot} />}
      </div>
    </Page>
  );
}

function Filter({ selected }: { readonly selected: string }) {
  const id = useId();
  const navigate = useNavigate();
  // Who joined a session is not shown where the site hides who drank.
  const offered = kinds.filter((kind) => kind !== 'session_joined' || showsDrinkers.value);
  return (
    <div class="filters is-one">
      <label class="field" for={id}>
        {t('activity.filter')}
        <select
          id={id}
          value={selected}
          onChange={({ currentTarget: { value } }) =>
            navigate(value === '' ? '/activity' : `/activity?kind=${value}`)
          }
        >
          <option value="">{t('activity.everything')}</option>
          {offered.map((kind) => (
            <option key={kind} value={kind}>
              {t(`activity.kinds.${kind}`)}
            </option>
          ))}
          {isStaff.value && <option value={staffBookings}>{t('activity.bookings')}</option>}
        </select>
      </label>
    </div>
  );
}

interface EventsProps {
  readonly kind: Event['kind'] | undefined;
  readonly snapshot: SnapshotMessage;
}

function Events({ kind, snapshot }: EventsProps) {
  return (
    <PagedList
      operation="GET /events"
      input={{ query: { order: 'time', ...(kind !== undefined && { kind }) } }}
      itemsKey="events"
      label={t('activity.title')}
      empty={t('activity.none')}
      emptyPicture="list"
      emptyAction={{ label: t('drinkerPage.showTaps'), path: '/' }}
      class="rows timeline"
      reloadKey={drinksVersion(snapshot)}
      renderItem={(event) => <EventRow key={event.id} event={event} units={snapshot} />}
    />
  );
}
