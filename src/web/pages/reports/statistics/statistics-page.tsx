import type { Statistics } from '../../../api/generated.ts';
import { formatQuantity, type Units, volume } from '../../../app/format.ts';
import { newestDrinkId } from '../../../app/live.ts';
import { showsDrinkers } from '../../../app/me.ts';
import { lazyComponent } from '../../../app/routing.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { locale, t } from '../../../locales/locale.ts';

const RecentCharts = lazyComponent(() => import('./recent-charts.tsx').then((module) => module.RecentCharts));
const VolumeBars = lazyComponent(() => import('./volume-bars.tsx').then((module) => module.VolumeBars));

/** Bars in the chart by drinker. */
const maxDrinkers = 12;

/** Totals of all drinks and charts of the last days. */
export function StatisticsPage({ snapshot }: PageProps) {
  const { result, error } = useResource('GET /stats/system', {}, { reloadKey: newestDrinkId(snapshot) });
  const stats = result?.stats;
  const weekdays = [1, 2, 3, 4, 5, 6, 0].map((day) => ({
    name: weekdayFormat.format(Date.UTC(2023, 0, 1 + day)),
    ml: stats?.volume_by_day_of_week?.[day] ?? 0,
  }));
  const drinkers = Object.entries(stats?.volume_by_drinker ?? {})
    .map(([name, ml]) => ({ name: name === 'guest' ? t('drinks.guest') : name, ml }))
    .sort((a, b) => b.ml - a.ml)
    .slice(0, maxDrinkers);
  return (
    <Page title={t('statistics.title')}>
      <ErrorMessage>{error}</ErrorMessage>
      {stats && stats.total_pours === undefined && <p class="soft">{t('statistics.noStatistics')}</p>}
      {stats && stats.total_pours !== undefined && (
        <>
          <Totals stats={stats} units={snapshot} />
          <RecentCharts snapshot={snapshot} />
          <div class="two">
            <section class="group">
              <h3>{t('statistics.byWeekday')}</h3>
              <VolumeBars
                label={t('statistics.byWeekday')}
                nameHeader={t('common.day')}
                bars={weekdays}
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

const weekdayFormat = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
const integerFormat = new Intl.NumberFormat(locale);

function Totals({ stats, units }: { readonly stats: Statistics; readonly units: Units }) {
  const formatAmount = (ml = 0) => formatQuantity(volume(ml, units));
  const totals = [
    [formatAmount(stats.total_volume_ml), t('statistics.total')],
    [integerFormat.format(stats.total_pours ?? 0), t('statistics.pours')],
    [formatAmount(stats.average_volume_ml), t('statistics.average')],
    [formatAmount(stats.greatest_volume_ml), t('statistics.largest')],
    [integerFormat.format(stats.sessions_count ?? 0), t('statistics.sessionCount')],
  ] as const;
  return (
    <dl class="totals card">
      {totals.map(([value, label]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
