import { useId } from 'preact/hooks';
import { currentPath, navigate } from '../../../app/current-path.ts';
import { Page, type PageProps } from '../../../components/page.tsx';
import { PagedList } from '../../../components/paged-list.tsx';
import { dataVersion } from '../../../components/toast.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { words } from '../../../words/audit.ts';
import { words as common } from '../../../words/pages.ts';
import { dayStart, nextDay } from '../statistics/local-day.ts';
import { type Entry, EntryRow } from './entry-row.tsx';

/** The audit log, filtered by the user and day in the address. */
export function AuditPage({ snapshot }: PageProps) {
  return (
    <Page title={words.title} requiredRole="staff">
      <Filters />
      <div class="card">
        <PagedList<Entry>
          path={`/audit${auditQuery(snapshot.time_zone)}`}
          itemsKey="entries"
          label={words.title}
          empty={words.none}
          reloadKey={dataVersion.value}
          renderItem={(entry) => <EntryRow key={entry.id} entry={entry} units={snapshot} />}
        />
      </div>
    </Page>
  );
}

function Filters() {
  const id = useId();
  const { query } = currentPath.value;
  const { result } = useResource<{ readonly users: readonly { readonly username: string }[] }>(
    '/users?limit=1000',
  );
  const names = (result?.users ?? []).map(({ username }) => username).sort();
  const setFilter = (name: string) => (event: { readonly currentTarget: { readonly value: string } }) => {
    const next = new URLSearchParams(query);
    if (event.currentTarget.value === '') next.delete(name);
    else next.set(name, event.currentTarget.value);
    navigate(next.size === 0 ? '/audit' : `/audit?${next}`);
  };
  return (
    <div class="filters">
      <label class="field" for={`${id}-user`}>
        {common.who}
        <select id={`${id}-user`} value={query.get('user') ?? ''} onChange={setFilter('user')}>
          <option value="">{common.everybody}</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field" for={`${id}-day`}>
        {common.day}
        <input id={`${id}-day`} type="date" value={query.get('day') ?? ''} onChange={setFilter('day')} />
      </label>
    </div>
  );
}

/** The query string for the API, from the filters in the page's address. */
function auditQuery(timeZone: string): string {
  const { query } = currentPath.value;
  const filters = new URLSearchParams();
  const user = query.get('user');
  if (user !== null) filters.set('user', user);
  const day = query.get('day') ?? '';
  const sinceMs = dayStart(day, timeZone);
  if (sinceMs !== null) {
    filters.set('since', new Date(sinceMs).toISOString());
    filters.set('until', new Date(dayStart(nextDay(day), timeZone) ?? sinceMs).toISOString());
  }
  return filters.size === 0 ? '' : `?${filters}`;
}
