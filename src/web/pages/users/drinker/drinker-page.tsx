import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { BeverageShare, Statistics, User } from '../../../api/generated.ts';
import { formatQuantity, volume } from '../../../app/format.ts';
import { newestDrinkId } from '../../../app/live.ts';
import { me, showsDrinkers } from '../../../app/me.ts';
import { lazyComponent, toHref } from '../../../app/routing.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { PagedList } from '../../../components/paged-list.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { locale, t } from '../../../locales/locale.ts';
import { DrinkRows } from '../../drinks/drink-rows.tsx';
import { ShareRows } from '../../drinks/share-rows.tsx';
import { listTotals } from '../../reports/statistics/list-totals.ts';
import { SessionRow } from '../../reports/statistics/session-row.tsx';
import { Totals } from '../../reports/statistics/totals.tsx';
import { weekdayBars } from '../../reports/statistics/weekday-bars.ts';
import '../../../styles/shared/details.css';

const VolumeBars = lazyComponent(() =>
  import('../../reports/statistics/volume-bars.tsx').then((module) => module.VolumeBars),
);

/** Sessions and drinks per request: the page is drawn at once on a slow phone. */
const pageSize = 15;

/** Beverages shown as favourites. */
const maxFavourites = 8;

/** One drinker: totals, favourites, weekdays, sessions and drinks. A site that hides who drank shows people only themselves. */
export function DrinkerPage({ snapshot, id: name }: PageProps) {
  const isVisible = showsDrinkers.value || me.value?.username === name;
  const input = isVisible && name.length <= 128 ? { path: { username: name } } : null;
  const { result, error, isMissing } = useResource('GET /users/{username}', input);
  if (!isVisible || input === null || isMissing) {
    return (
      <Page title={name}>
        <EmptyState
          text={isVisible ? t('drinkerPage.unknown', { name }) : t('drinkerPage.hidden')}
          path="/drinks"
          action={t('drinks.everything')}
        />
      </Page>
    );
  }
  const user = result?.user;
  return (
    <Page title={user?.display_name || name}>
      <ErrorMessage>{error}</ErrorMessage>
      {user && <DrinkerContent user={user} snapshot={snapshot} />}
    </Page>
  );
}

interface ContentProps {
  readonly user: User;
  readonly snapshot: SnapshotMessage;
}

function DrinkerContent({ user, snapshot }: ContentProps) {
  const { username } = user;
  const input = { path: { username } };
  const reloadKey = newestDrinkId(snapshot);
  const { result } = useResource('GET /users/{username}/stats', input, { reloadKey });
  const stats = result?.stats;
  return (
    <>
      <DrinkerHead user={user} timeZone={snapshot.time_zone} />
      {stats && stats.total_pours === undefined && (
        <EmptyState text={t('drinkerPage.noDrinks')} path="/" action={t('drinkerPage.showTaps')} />
      )}
      {result && stats?.total_pours !== undefined && (
        <>
          <Totals totals={listTotals(stats, snapshot)} />
          <div class="two">
            <Favourites beverages={result.beverages} snapshot={snapshot} />
            <Days stats={stats} snapshot={snapshot} />
          </div>
          <section class="group">
            <h3>{t('sessions.title')}</h3>
            <div class="card">
              <PagedList
                operation="GET /users/{username}/sessions"
                input={input}
                itemsKey="sessions"
                label={t('sessions.title')}
                empty={t('sessions.noSessions')}
                pageSize={pageSize}
                // What a drink changes in the newest sessions is in the statistics.
                reloadKey={stats.sessions_count}
                renderItem={(listed) => {
                  const { last_session: newest } = result;
                  const session = newest?.id === listed.session.id ? newest : listed.session;
                  const own = stats.volume_by_session?.[session.id] ?? listed.own_volume_ml;
                  return (
                    <SessionRow
                      key={session.id}
                      session={session}
                      units={snapshot}
                      figure={t('drinkerPage.ownOf', {
                        own: formatQuantity(volume(own, snapshot)),
                        all: formatQuantity(volume(session.volume_ml, snapshot)),
                      })}
                    />
                  );
                }}
              />
            </div>
          </section>
          <section class="group">
            <h3>{t('drinkerPage.latest')}</h3>
            <DrinkRows
              query={{ user: username }}
              snapshot={snapshot}
              label={t('drinkerPage.latest')}
              empty={t('drinks.noDrinks')}
              pageSize={pageSize}
            />
          </section>
        </>
      )}
    </>
  );
}

function DrinkerHead({ user, timeZone }: { readonly user: User; readonly timeZone: string }) {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone });
  const isOwn = me.value?.username === user.username;
  return (
    <div class="card drinker-head">
      {user.mugshot_url !== '' && (
        <img src={toHref(user.mugshot_url)} alt={t('drinkerPage.picture', { name: user.username })} />
      )}
      <div>
        {user.display_name !== user.username && <p class="row-name">{user.username}</p>}
        <p class="soft">
          {t('drinkerPage.since', { date: date.format(Date.parse(user.joined_time)) })}
          {!user.is_active && ` · ${t('drinkerPage.inactive')}`}
        </p>
        {isOwn && <a href={toHref('/account')}>{t('nav.account')}</a>}
      </div>
    </div>
  );
}

interface FavouritesProps {
  readonly beverages: readonly BeverageShare[];
  readonly snapshot: SnapshotMessage;
}

function Favourites({ beverages, snapshot }: FavouritesProps) {
  return (
    <section class="group">
      <h3>{t('drinkerPage.favourites')}</h3>
      <div class="card">
        {beverages.length === 0 && <p class="soft">{t('drinkerPage.noFavourites')}</p>}
        <ShareRows
          label={t('drinkerPage.favourites')}
          units={snapshot}
          rows={beverages.slice(0, maxFavourites).map((beverage) => ({
            key: beverage.beverage_id,
            name: beverage.beverage_name,
            volumeMl: beverage.volume_ml,
          }))}
        />
      </div>
    </section>
  );
}

function Days({ stats, snapshot }: { readonly stats: Statistics; readonly snapshot: SnapshotMessage }) {
  const years = Object.entries(stats.volume_by_year ?? {});
  return (
    <section class="group">
      <h3>{t('statistics.byWeekday')}</h3>
      <VolumeBars
        label={t('statistics.byWeekday')}
        nameHeader={t('common.day')}
        bars={weekdayBars(stats.volume_by_day_of_week)}
        snapshot={snapshot}
      />
      {years.length > 1 && (
        <>
          <h3>{t('drinkerPage.byYear')}</h3>
          <VolumeBars
            label={t('drinkerPage.byYear')}
            nameHeader={t('drinkerPage.year')}
            bars={years.map(([year, ml]) => ({ name: year, ml }))}
            snapshot={snapshot}
          />
        </>
      )}
    </section>
  );
}
