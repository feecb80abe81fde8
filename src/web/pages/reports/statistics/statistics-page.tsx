import { newestDrinkId } from '../../../app/live.ts';
import { showsDrinkers } from '../../../app/me.ts';
import { lazyComponent } from '../../../app/routing.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import { drinkerPath } from '../../../components/drinker-link.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { listTotals } from './list-totals.ts';
import { Totals } from './totals.tsx';
import { weekdayBars } from './weekday-bars.ts';

const RecentCharts = lazyComponent(() => import('./recent-charts.tsx').then((module) => module.RecentCharts));
const VolumeBars = lazyComponent(() => import('./volume-bars.tsx').then((module) => module.VolumeBars));

/** Bars in the chart by drinker. */
const maxDrinkers = 12;

/** Totals of all drinks and charts of the last days. */
export function StatisticsPage({ snapshot }: PageProps) {
  const { result, error } = useResource('GET /stats/system', {}, { reloadKey: newestDrinkId(snapshot) });
  const stats = result?.stats;
  const drinkers = Object.entries(stats?.volume_by_drinker ?? {})
    .map(([name, ml]) => ({
      name: name === 'guest' ? t('drinks.guest') : name,
      ml,
      ...(name !== 'guest' && { path: drinkerPath(name) }),
    }))
    .sort((a, b) => b.ml - a.ml)
    .slice(0, maxDrinkers);
  return (
    <Page width="wide" title={t('statistics.title')}>
      <ErrorMessage>{error}</ErrorMessage>
      {stats && stats.total_pours === undefined && <p class="soft">{t('statistics.noStatistics')}</p>}
      {result && stats?.total_pours !== undefined && (
        <>
          <Totals totals={listTotals(stats, snapshot)} />
          <RecentCharts figures={result} snapshot={snapshot} />
          <div class="two">
            <section class="group">
              <h3>{t('statistics.byWeekday')}</h3>
              <VolumeBars
                label={t('statistics.byWeekday')}
                nameHeader={t('common.day')}
                bars={weekdayBars(stats.volume_by_day_of_week)}
                snapshot={snapshot}
              />
            </section>
            {showsDrinkers.value && (
              <section class="group">
                <h3>{t('statistics.byDrinker')}</h3>
                <VolumeBars
                  label={t('statistics.byDrinker')}
                  nameHeader={t('common.who')}
                  bars={drinkers}
                  snapshot={snapshot}
                />
              </section>
            )}
          </div>
        </>
      )}
    </Page>
  );
}
