import { formatQuantity, type Units, volume } from '../../../app/format.ts';
import { lazyComponent } from '../../../app/lazy-page.tsx';
import { ErrorMessage } from '../../../components/action.tsx';
import { Page, type PageProps } from '../../../components/page.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { words } from '../../../words/pages.ts';
import { locale, say } from '../../../words/say.ts';

const RecentCharts = lazyComponent(() => import('./recent-charts.tsx').then((module) => module.RecentCharts));
const VolumeBars = lazyComponent(() => import('./volume-bars.tsx').then((module) => module.VolumeBars));

/** Totals in the API's form; an empty object without drinks. */
interface Stats {
  readonly total_volume_ml?: number;
  readonly total_pours?: number;
  readonly average_volume_ml?: number;
  readonly greatest_volume_ml?: number;
  readonly sessions_count?: number;
  readonly volume_by_day_of_week?: Readonly<Record<string, number>>;
  readonly volume_by_drinker?: Readonly<Record<string, number>>;
}

/** Bars in the chart by drinker. */
const maxDrinkers = 12;

/** Totals of all drinks and charts of the last days. */
export function StatisticsPage({ snapshot }: PageProps) {
  const { result, error } = useResource<{ readonly stats: Stats }>(
    `/stats?newest=${snapshot.drinks[0]?.id ?? 0}`,
  );
  const stats = result?.stats;
  const weekdays = [1, 2, 3, 4, 5, 6, 0].map((day) => ({
    name: weekdayFormat.format(Date.UTC(2023, 0, 1 + day)),
    ml: stats?.volume_by_day_of_week?.[day] ?? 0,
  }));
  const drinkers = Object.entries(stats?.volume_by_drinker ?? {})
    .map(([name, ml]) => ({ name: name === 'guest' ? say.guest : name, ml }))
    .sort((a, b) => b.ml - a.ml)
    .slice(0, maxDrinkers);
  return (
    <Page title={words.statistics}>
      <ErrorMessage>{error}</ErrorMessage>
      {stats && stats.total_pours === undefined && <p class="soft">{words.noStatistics}</p>}
      {stats && stats.total_pours !== undefined && (
        <>
          <Totals stats={stats} units={snapshot} />
          <RecentCharts snapshot={snapshot} />
          <div class="two">
            <section class="group">
              <h3>{words.byWeekday}</h3>
              <VolumeBars
                label={words.byWeekday}
                nameHeader={words.day}
                bars={weekdays}
                snapshot={snapshot}
              />
            </section>
            <section class="group">
              <h3>{words.byDrinker}</h3>
              <VolumeBars
                label={words.byDrinker}
                nameHeader={words.who}
                bars={drinkers}
                snapshot={snapshot}
              />
            </section>
          </div>
        </>
      )}
    </Page>
  );
}

const weekdayFormat = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
const integerFormat = new Intl.NumberFormat(locale);

function Totals({ stats, units }: { readonly stats: Stats; readonly units: Units }) {
  const formatAmount = (ml = 0) => formatQuantity(volume(ml, units));
  const totals = [
    [formatAmount(stats.total_volume_ml), words.total],
    [integerFormat.format(stats.total_pours ?? 0), words.pours],
    [formatAmount(stats.average_volume_ml), words.average],
    [formatAmount(stats.greatest_volume_ml), words.largest],
    [integerFormat.format(stats.sessions_count ?? 0), words.sessionCount],
  ] as const;
  return (
    <dl class="totals card">
      {totals.map(([value, word]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
