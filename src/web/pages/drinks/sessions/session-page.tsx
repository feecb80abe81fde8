import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { Drink, Session } from '../../../api/generated.ts';
import { barTime, formatBarTime, formatQuantity, type Units, volume } from '../../../app/format.ts';
import { showsDrinkers } from '../../../app/me.ts';
import { lazyComponent, toHref } from '../../../app/routing.ts';
import { toId } from '../../../app/to-id.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import { DrinkerLink } from '../../../components/drinker-link.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { locale, t } from '../../../locales/locale.ts';
import { useKegNames } from '../../kegs/keg-data.ts';
import { Totals } from '../../reports/statistics/totals.tsx';
import { sumDrinks, useAllDrinks } from '../all-drinks.ts';
import { DrinkRows } from '../drink-rows.tsx';
import { drinksVersion } from '../drinks-version.ts';
import { ShareRows } from '../share-rows.tsx';
import { SessionPictures } from './session-pictures.tsx';
import { useInterval } from './use-interval.ts';
import '../../../styles/shared/details.css';

const SessionChart = lazyComponent(() => import('./session-chart.tsx').then((module) => module.SessionChart));

/** The page is drawn again at this interval, so that a session is shown as ended when its time is over. */
const refreshMs = 30_000;

/** One session: when it was, who drank how much from which kegs, pictures, and its drinks. */
export function SessionPage({ snapshot, id: text }: PageProps) {
  const id = toId(text);
  const reloadKey = drinksVersion(snapshot);
  const { result, error, isMissing } = useResource(
    'GET /sessions/{id}',
    id === null ? null : { path: { id } },
    { reloadKey },
  );
  useInterval(refreshMs);
  if (id === null || isMissing) {
    return (
      <Page title={t('sessionPage.session')}>
        <EmptyState text={t('sessionPage.unknown')} path="/sessions" action={t('sessionPage.allSessions')} />
      </Page>
    );
  }
  // The id of a merged session leads to that of which it is part.
  const session = result?.session;
  return (
    <Page title={session ? formatTitle(session, snapshot) : t('sessionPage.session')}>
      <ErrorMessage>{error}</ErrorMessage>
      {session && (
        <SessionContent key={session.id} id={Number(session.id)} session={session} snapshot={snapshot} />
      )}
    </Page>
  );
}

interface ContentProps {
  readonly id: number;
  readonly session: Session;
  readonly snapshot: SnapshotMessage;
}

function SessionContent({ id, session, snapshot }: ContentProps) {
  const kegName = useKegNames();
  const drinks = useAllDrinks({ session: id }, drinksVersion(snapshot));
  const byDrinker = sumDrinks(drinks ?? [], ({ user_id: user }) => user);
  // Of a drink from several kegs, what came from each.
  const ofKegs = drinks?.flatMap((drink) => drink.parts?.map((part) => ({ ...drink, ...part })) ?? [drink]);
  const byKeg = sumDrinks(ofKegs ?? [], ({ keg_id: keg }) => keg);
  return (
    <>
      <p class="session-time">{formatTime(session, drinks, snapshot)}</p>
      <Totals totals={listTotals(session, drinks, snapshot)} />
      {drinks && drinks.length > 0 && (
        <>
          <section class="group">
            <h3>{t('sessionPage.overTime')}</h3>
            <div class="chart-to-come">
              <SessionChart drinks={drinks} snapshot={snapshot} />
            </div>
          </section>
          <div class="two">
            {showsDrinkers.value && (
              <section class="group">
                <h3>{t('sessionPage.drinkers')}</h3>
                <div class="card">
                  <ShareRows
                    label={t('sessionPage.drinkers')}
                    units={snapshot}
                    rows={byDrinker.map(({ key, volumeMl, pours }) => ({
                      key: key ?? '',
                      name: <DrinkerLink username={key} />,
                      volumeMl,
                      note: t('sessionPage.pours', { count: pours }),
                    }))}
                  />
                </div>
              </section>
            )}
            <section class="group">
              <h3>{t('kegs.title')}</h3>
              <div class="card">
                <ShareRows
                  label={t('kegs.title')}
                  units={snapshot}
                  rows={byKeg.map(({ key, volumeMl, pours }) => ({
                    key: key ?? 0,
                    name:
                      key === null ? t('kegs.noKeg') : <a href={toHref(`/kegs/${key}`)}>{kegName(key)}</a>,
                    volumeMl,
                    note: t('sessionPage.pours', { count: pours }),
                  }))}
                />
              </div>
            </section>
          </div>
        </>
      )}
      <SessionPictures id={id} snapshot={snapshot} />
      <section class="group">
        <h3>{t('drinks.title')}</h3>
        <DrinkRows
          query={{ session: id }}
          snapshot={snapshot}
          label={t('drinks.title')}
          empty={t('drinks.noDrinks')}
          emptyAction={{ label: t('drinkerPage.showTaps'), path: '/' }}
        />
      </section>
    </>
  );
}

function formatTitle(session: Session, { time_zone: timeZone }: Units): string {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone });
  return session.name || t('sessions.sessionOf', { day: day.format(Date.parse(session.start_time)) });
}

/** When it began and ended. A session ends some time after its last drink, so that time is named too. */
function formatTime(session: Session, drinks: readonly Drink[] | null, units: Units): string {
  const format = (iso: string) => formatBarTime(barTime(iso, units));
  const last = drinks?.at(-1);
  const start = t('sessionPage.started', { time: format(session.start_time) });
  const lastDrink = last && t('sessionPage.lastDrink', { time: format(last.pour_time) });
  const isOpen = Date.parse(session.end_time) > Date.now();
  const end = isOpen
    ? t('sessionPage.open', { time: format(session.end_time) })
    : t('sessionPage.ended', { time: format(session.end_time) });
  return [start, lastDrink, end].filter(Boolean).join(' ');
}

function listTotals(session: Session, drinks: readonly Drink[] | null, units: Units) {
  const amount = (ml: number) => formatQuantity(volume(ml, units));
  const largest = drinks?.reduce<Drink | null>(
    (best, one) => (best === null || one.volume_ml > best.volume_ml ? one : best),
    null,
  );
  const people = new Set(drinks?.flatMap(({ user_id: user }) => user ?? [])).size;
  return [
    { label: t('statistics.total'), value: amount(session.volume_ml) },
    ...(drinks === null ? [] : [{ label: t('statistics.pours'), value: String(drinks.length) }]),
    ...(people > 0 && showsDrinkers.value ? [{ label: t('sessionPage.people'), value: String(people) }] : []),
    ...(largest
      ? [
          {
            label: t('statistics.largest'),
            value: amount(largest.volume_ml),
            path: `/drinks/${largest.id}`,
          },
        ]
      : []),
  ];
}
