import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { requestWithPin } from '../../api/request-with-pin.ts';
import { currentPath, navigate } from '../../app/current-path.ts';
import { isStaff, me } from '../../app/me.ts';
import { Page, type PageProps } from '../../components/page.tsx';
import { words } from '../../words/pages.ts';
import { dayStart, nextDay } from '../reports/statistics/local-day.ts';
import Claims from './claims.tsx';
import { DrinkRows } from './drink-rows.tsx';

/** All drinks, filtered by tap, user, day, keg or session; the filters are in the address. */
export function DrinksPage({ snapshot }: PageProps) {
  const { query } = currentPath.value;
  const keg = query.get('keg');
  const session = query.get('session');
  return (
    <Page title={words.drinks}>
      <Claims snapshot={snapshot} />
      <Filters snapshot={snapshot} query={query} />
      {(keg !== null || session !== null) && (
        <p>
          {keg !== null ? words.ofKeg(keg) : words.ofSession(session ?? '')}
          {' · '}
          <button type="button" class="link-button" onClick={() => navigate('/drinks')}>
            {words.everything}
          </button>
        </p>
      )}
      <DrinkRows
        path={drinksPath(query, snapshot)}
        snapshot={snapshot}
        label={words.drinks}
        empty={words.noDrinks}
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
        {words.tap}
        <select id={`${id}-tap`} value={query.get('tap') ?? ''} onChange={setFilter('tap')}>
          <option value="">{words.all}</option>
          {snapshot.taps.map((tap) => (
            <option key={tap.id} value={tap.id}>
              {tap.name}
            </option>
          ))}
        </select>
      </label>
      {names.length > 0 && (
        <label class="field" for={`${id}-user`}>
          {words.who}
          <select id={`${id}-user`} value={query.get('user') ?? ''} onChange={setFilter('user')}>
            <option value="">{words.everybody}</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="field" for={`${id}-day`}>
        {words.day}
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
    void requestWithPin<{ readonly users: readonly { readonly username: string }[] }>(
      'GET',
      '/users?limit=1000',
    ).then((answer) => {
      if (answer.ok) names.value = answer.result.users.map(({ username }) => username).sort();
    });
  }, [username, showAll]);
  return names.value;
}

/** The path below `/api`, from the filters in the page's address. */
function drinksPath(query: URLSearchParams, snapshot: SnapshotMessage): string {
  const filters = new URLSearchParams();
  for (const name of ['tap', 'user', 'keg', 'session']) {
    const value = query.get(name);
    if (value !== null) filters.set(name, value);
  }
  const day = query.get('day') ?? '';
  const sinceMs = dayStart(day, snapshot.time_zone);
  if (sinceMs !== null) {
    filters.set('since', new Date(sinceMs).toISOString());
    filters.set('until', new Date(dayStart(nextDay(day), snapshot.time_zone) ?? sinceMs).toISOString());
  }
  const text = filters.toString();
  return text === '' ? '/drinks' : `/drinks?${text}`;
}
