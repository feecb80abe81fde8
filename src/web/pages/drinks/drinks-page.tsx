import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../api/client.ts';
import type { Operations } from '../../api/generated.ts';
import { isStaff, me, showsDrinkers } from '../../app/me.ts';
import { useNavigate } from '../../app/routing.ts';
import { Page, type PageProps } from '../../components/page.tsx';
import { t } from '../../locales/locale.ts';
import { dayRange } from '../reports/statistics/local-day.ts';
import Claims from './claims.tsx';
import { DrinkRows } from './drink-rows.tsx';

/** Value of the filter by user for drinks without a user; no username is like it. */
const nobody = '-';

/** All drinks, filtered by tap, user, day, keg or session; the filters are in the address. */
export function DrinksPage({ snapshot, query }: PageProps) {
  const navigate = useNavigate();
  const keg = query.get('keg');
  const session = query.get('session');
  const isFiltered = query.size > 0;
  return (
    <Page title={t('drinks.title')}>
      <Claims snapshot={snapshot} />
      <Filters snapshot={snapshot} query={query} />
      {(keg !== null || session !== null) && (
        <p>
          {keg !== null ? t('drinks.ofKeg', { id: keg }) : t('drinks.ofSession', { id: session ?? '' })}
          {' · '}
          <button type="button" class="link-button" onClick={() => navigate('/drinks')}>
            {t('drinks.everything')}
          </button>
        </p>
      )}
      <DrinkRows
        query={drinksQuery(query, snapshot)}
        snapshot={snapshot}
        label={t('drinks.title')}
        empty={isFiltered ? t('drinks.noneFound') : t('drinks.noDrinks')}
        emptyPicture="glass"
        emptyAction={
          isFiltered
            ? { label: t('common.showAll'), path: '/drinks' }
            : { label: t('drinkerPage.showTaps'), path: '/' }
        }
      />
    </Page>
  );
}

function Filters({
  snapshot,
  query,
}: {
  readonly snapshot: SnapshotMessage;
  readonly query: URLSearchParams;
}) {
  const id = useId();
  const names = useUserNames();
  const navigate = useNavigate();
  const setFilter = (name: string) => (event: { readonly currentTarget: { readonly value: string } }) => {
    const next = new URLSearchParams(query);
    if (event.currentTarget.value === '') next.delete(name);
    else next.set(name, event.currentTarget.value);
    const text = next.toString();
    navigate(text === '' ? '/drinks' : `/drinks?${text}`);
  };
  return (
    <div class="filters">
      <label class="field" for={`${id}-tap`}>
        {t('common.tap')}
        <select id={`${id}-tap`} value={query.get('tap') ?? ''} onChange={setFilter('tap')}>
          <option value="">{t('common.all')}</option>
          {snapshot.taps.map((tap) => (
            <option key={tap.id} value={tap.id}>
              {tap.name}
            </option>
          ))}
        </select>
      </label>
      {names.length > 0 && showsDrinkers.value && (
        <label class="field" for={`${id}-user`}>
          {t('common.who')}
          <select id={`${id}-user`} value={query.get('user') ?? ''} onChange={setFilter('user')}>
            <option value="">{t('common.everybody')}</option>
            <option value={nobody}>{t('drinks.withoutUser')}</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
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

/** User names offered as a filter: all for staff, a member's own otherwise. */
function useUserNames(): readonly string[] {
  const names = useSignal<readonly string[]>([]);
  const username = me.value?.username;
  const showAll = isStaff.value;
  useEffect(() => {
    names.value = username === undefined ? [] : [username];
    if (!showAll) return;
    void request('GET /users', { query: { limit: 1000 } }).then((answer) => {
      if (answer.ok) names.value = answer.result.users.map(({ username }) => username).sort();
    });
  }, [username, showAll]);
  return names.value;
}

/** The query for the API, from the filters in the page's address. */
function drinksQuery(query: URLSearchParams, snapshot: SnapshotMessage): Operations['GET /drinks']['query'] {
  const [tap, user, keg, session] = ['tap', 'user', 'keg', 'session'].map(
    (name) => query.get(name) ?? undefined,
  );
  return {
    ...(tap !== undefined && { tap }),
    ...(user === nobody ? { unattributed: true } : user !== undefined && { user }),
    ...(keg !== undefined && { keg: Number(keg) }),
    ...(session !== undefined && { session: Number(session) }),
    ...dayRange(query.get('day') ?? '', snapshot.time_zone),
  };
}
