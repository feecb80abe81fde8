import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { Result } from '../../../api/client.ts';
import type { Session } from '../../../api/generated.ts';
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
import { Totals } from '../../reports/statistics/totals.tsx';
import { DrinkRows } from '../drink-rows.tsx';
import { drinksVersion } from '../drinks-version.ts';
import { ShareRows } from '../share-rows.tsx';
import { SessionPictures } from './session-pictures.tsx';
import { useInterval } from './use-interval.ts';
import '../../../styles/shared/details.css';

const SessionChart = lazyComponent(() => import('./session-chart.tsx').then((module) => module.SessionChart));

/** The page is drawn again at this interval, so that a session is shown as ended when its time is over. */
const refreshMs = 30_000;

type Figures = Result<'GET /sessions/{id}/stats'>;

/** One session: when it was, who drank how much from which kegs, pictures, and its drinks. */
export function SessionPage({ snapshot, id: text }: PageProps) {
  const id = toId(text);
  const reloadKey = drinksVersion(snapshot);
  const { result, error, isMissing } = useResource(
    'GET /sessions/{id}/stats',
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
      {result && <SessionContent key={result.session.id} figures={result} snapshot={snapshot} />}
    </Page>
  );
}

interface ContentProps {
  readonly figures: Figures;
  readonly snapshot: SnapshotMessage;
}

function SessionContent({ figures, snapshot }: ContentProps) {
  const { course, users, kegs } = figures;
  const id = Number(figures.session.id);
  return (
    <>
      <p class="session-time">{formatTime(figures, snapshot)}</p>
      <Totals totals={listTotals(figures, snapshot)} />
      {course.length > 0 && (
        <>
          <section class="group">
            <h3>{t('sessionPage.overTime')}</h3>
            <div class="chart-to-come">
              <SessionChart course={course} snapshot={snapshot} />
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
                    rows={users.map(({ user_id: user, volume_ml: volumeMl, pours }) => ({
                      key: user ?? '',
                      name: <DrinkerLink username={user} />,
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
                  rows={kegs.map(({ keg_id: keg, beverage_name: beer, volume_ml: volumeMl, pours }) => ({
                    key: keg ?? 0,
                    name: keg === null ? t('kegs.noKeg') : <a href={toHref(`/kegs/${keg}`)}>{beer}</a>,
                    volumeMl,
                    note: t('sessionPage.pours', { count: pours }),
                  }))}
                />
              </div>
            </section>
          </div>
        </>
      )}
      {figures.pictures_count > 0 && (
        <SessionPictures id={id} count={figures.pictures_count} snapshot={snapshot} />
      )}
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
function formatTime({ session, course }: Figures, units: Units): string {
  const format = (iso: string) => formatBarTime(barTime(iso, units));
  const last = course.at(-1);
  const start = t('sessionPage.started', { time: format(session.start_time) });
  const lastDrink = last && t('sessionPage.lastDrink', { time: format(last.time) });
  const isOpen = Date.parse(session.end_time) > Date.now();
  const end = isOpen
    ? t('sessionPage.open', { time: format(session.end_time) })
    : t('sessionPage.ended', { time: format(session.end_time) });
  return [start, lastDrink, end].filter(Boolean).join(' ');
}

function listTotals({ session, stats, users_count: people }: Figures, units: Units) {
  const amount = (ml: number) => formatQuantity(volume(ml, units));
  return [
    { label: t('statistics.total'), value: amount(session.volume_ml) },
    { label: t('statistics.pours'), value: String(stats.total_pours ?? 0) },
    ...(people > 0 && showsDrinkers.value ? [{ label: t('sessionPage.people'), value: String(people) }] : []),
    ...(stats.greatest_volume_ml === undefined
      ? []
      : [
          {
            label: t('statistics.largest'),
            value: amount(stats.greatest_volume_ml),
            path: `/drinks/${stats.greatest_volume_id}`,
          },
        ]),
  ];
}
