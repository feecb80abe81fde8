import { useId } from 'preact/hooks';
import type { Operations } from '../../../api/generated.ts';
import { useNavigate } from '../../../app/routing.ts';
import { Page, type PageProps } from '../../../components/page.tsx';
import { PagedList } from '../../../components/paged-list.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { dayRange } from '../statistics/local-day.ts';
import { EntryRow } from './entry-row.tsx';

/** The audit log, filtered by the user and day in the address. */
export function AuditPage({ snapshot, query }: PageProps) {
  return (
    <Page title={t('audit.title')} requiredRole="staff">
      <Filters query={query} />
      <div class="card">
        <PagedList
          operation="GET /audit"
          input={{ query: auditQuery(query, snapshot.time_zone) }}
          itemsKey="entries"
          label={t('audit.title')}
          empty={t('audit.none')}
          emptyPicture="list"
          emptyAction={query.size === 0 ? undefined : { label: t('common.showAll'), path: '/audit' }}
          renderItem={(entry) => <EntryRow key={entry.id} entry={entry} units={snapshot} />}
        />
      </div>
    </Page>
  );
}

function Filters({ query }: Pick<PageProps, 'query'>) {
  const id = useId();
  const navigate = useNavigate();
  const { result } = useResource('GET /users', { query: { limit: 1000 } });
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
        {t('common.who')}
        <select id={`${id}-user`} value={query.get('user') ?? ''} onChange={setFilter('user')}>
          <option value="">{t('common.everybody')}</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field" for={`${id}-day`}>
        {t('common.day')}
        <input id={`${id}-day`} type="date" value={query.get('day') ?? ''} onChange={setFilter('day')} />
      </label>
    </div>
  );
}

/** The query for the API, from the filters in the page's address. */
function auditQuery(query: URLSearchParams, timeZone: string): Operations['GET /audit']['query'] {
  const user = query.get('user');
  return { ...(user !== null && { user }), ...dayRange(query.get('day') ?? '', timeZone) };
}
