import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import { request } from '../../../api/client.ts';
import type { Drink } from '../../../api/generated.ts';
import { newestDrinkId } from '../../../app/live.ts';
import { dataVersion } from '../../../components/use-resource.ts';
import { locale, t } from '../../../locales/locale.ts';
import { dayAndHour, nextDay } from './local-day.ts';
import { VolumeBars } from './volume-bars.tsx';

const days = 30;
const dayMs = 86_400_000;
/** Requests at most, of 1000 drinks each. */
const maxPages = 5;

/** Volume by day and by hour of the last 30 days, computed from the drinks. */
export function RecentCharts({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const drinks = useSignal<readonly Drink[]>([]);
  const isTruncated = useSignal(false);
  useEffect(() => {
    let isCancelled = false;
    void readDrinks(new Date(Date.now() - days * dayMs).toISOString()).then((reply) => {
      if (isCancelled) return;
      drinks.value = reply.drinks;
      isTruncated.value = reply.isTruncated;
    });
    return () => {
      isCancelled = true;
    };
  }, [newestDrinkId(snapshot), dataVersion.value]);
  const { byDay, byHour } = sumVolumes(drinks.value, snapshot.time_zone);
  return (
    <>
      <section class="group">
        <h3>
          {t('statistics.byDay')} · {t('statistics.lastDays', { days })}
        </h3>
        <VolumeBars
          label={t('statistics.byDay')}
          nameHeader={t('common.day')}
          bars={byDay}
          snapshot={snapshot}
        />
      </section>
      <section class="group">
        <h3>
          {t('statistics.byHour')} · {t('statistics.lastDays', { days })}
        </h3>
        <VolumeBars
          label={t('statistics.byHour')}
          nameHeader={t('statistics.hour')}
          bars={byHour}
          snapshot={snapshot}
        />
      </section>
      {isTruncated.value && <p class="soft">{t('statistics.truncated', { drinks: drinks.value.length })}</p>}
    </>
  );
}

async function readDrinks(since: string) {
  const drinks: Drink[] = [];
  let start = 0;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await request('GET /drinks', {
      query: { limit: 1000, since, ...(start !== 0 && { start }) },
    });
    if (!answer.ok) break;
    drinks.push(...answer.result.drinks);
    const last = answer.result.drinks.at(-1);
    if (!last || last.id === 1 || answer.result.drinks.length < 1000) return { drinks, isTruncated: false };
    start = last.id - 1;
  }
  return { drinks, isTruncated: true };
}

function sumVolumes(drinks: readonly Drink[], timeZone: string) {
  const dayMl = new Map<string, number>();
  const hourMl = new Array<number>(24).fill(0);
  for (const drink of drinks) {
    const { day, hour } = dayAndHour(Date.parse(drink.pour_time), timeZone);
    dayMl.set(day, (dayMl.get(day) ?? 0) + drink.volume_ml);
    hourMl[hour] = (hourMl[hour] ?? 0) + drink.volume_ml;
  }
  const byDay: { name: string; ml: number }[] = [];
  const today = dayAndHour(Date.now(), timeZone).day;
  let day = dayAndHour(Date.now() - (days - 1) * dayMs, timeZone).day;
  for (; day <= today; day = nextDay(day)) {
    byDay.push({ name: dayFormat.format(Date.parse(`${day}T12:00:00Z`)), ml: dayMl.get(day) ?? 0 });
  }
  return { byDay, byHour: hourMl.map((ml, hour) => ({ name: String(hour), ml })) };
}

const dayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
