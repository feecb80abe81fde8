import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { Result } from '../../../api/client.ts';
import { locale, t } from '../../../locales/locale.ts';
import { VolumeBars } from './volume-bars.tsx';

interface RecentChartsProps {
  readonly figures: Pick<Result<'GET /stats/system'>, 'days' | 'volume_by_hour'>;
  readonly snapshot: SnapshotMessage;
}

/** Volume by business day and by hour of the last days. */
export function RecentCharts({ figures, snapshot }: RecentChartsProps) {
  const days = figures.days.length;
  return (
    <>
      <section class="group">
        <h3>
          {t('statistics.byDay')} · {t('statistics.lastDays', { days })}
        </h3>
        <VolumeBars
          label={t('statistics.byDay')}
          nameHeader={t('common.day')}
          bars={figures.days.map(({ date, volume_ml: ml }) => ({
            name: dayFormat.format(Date.parse(`${date}T12:00:00Z`)),
            ml,
          }))}
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
          bars={figures.volume_by_hour.map((ml, hour) => ({ name: String(hour), ml }))}
          snapshot={snapshot}
        />
      </section>
    </>
  );
}

const dayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
