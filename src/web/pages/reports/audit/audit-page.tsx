import { useId } from 'preact/hooks';
import type { AuditEntry, Operations } from '../../../api/generated.ts';
import { isSuperuser } from '../../../app/me.ts';
import { useNavigate } from '../../../app/routing.ts';
import { LoginAttempt, type LoginAttemptProps } from '../../../components/login-attempt.tsx';
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
          renderItem={(entry) =>
            entry.subject_kind === 'login' ? (
              <LoginAttempt
                key={entry.id}
                attempt={toAttempt(entry)}
                username={entry.user_id}
                units={snapshot}
              />
            ) : (
              <EntryRow key={entry.id} entry={entry} units={snapshot} />
            )
          }
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
      {isSuperuser.value && (
        <label class="field" for={`${id}-what`}>
          {t('audit.what')}
          <select id={`${id}-what`} value={query.get('what') ?? ''} onChange={setFilter('what')}>
            <option value="">{t('common.all')}</option>
            <option value="changes">{t('audit.changes')}</option>
            <option value="logins">{t('attempts.title')}</option>
          </select>
        </label>
      )}
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
  const what = query.get('what');
  return {
    ...(user !== null && { user }),
    ...(isSuperuser.value && (what === 'logins' || what === 'changes') && { is_login: what === 'logins' }),
    ...dayRange(query.get('day') ?? '', timeZone),
  };
}

/** A login or attempt of the audit log; an entry without numbers is one of them. */
function toAttempt({
  time,
  action,
  subject_id: address,
  tablet,
  after,
}: AuditEntry): LoginAttemptProps['attempt'] {
  const { method, ...numbers } = after ?? {};
  const countOf = (outcome: string) => Number((numbers as Record<string, unknown>)[outcome] ?? 0);
  return {
    time,
    outcome: (['failed', 'locked'] as const).find((one) => action === `login.${one}`) ?? 'succeeded',
    method: typeof method === 'string' ? method : '',
    address,
    tablet,
    count: Math.max(1, countOf('succeeded') + countOf('failed') + countOf('locked')),
  };
}
