import { useMemo } from 'preact/hooks';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { Result } from '../../../api/client.ts';
import { barTime, formatBarTime, formatQuantity, volume } from '../../../app/format.ts';
import { volumeAxis } from '../../../app/volume-units.ts';
import { t } from '../../../locales/locale.ts';
import { Chart, type Point } from '../../reports/statistics/chart.tsx';

interface SessionChartProps {
  readonly course: Result<'GET /sessions/{id}/stats'>['course'];
  readonly snapshot: SnapshotMessage;
}

/** Chart of the volume poured in a session up to each drink, by the times of the pours. */
export function SessionChart({ course, snapshot }: SessionChartProps) {
  const { unit, factor } = volumeAxis(snapshot, course.at(-1)?.volume_ml ?? 0);
  const points = useMemo(
    () =>
      course.map(
        ({ time, drink_id: drinkId, volume_ml: ml }): Point => ({
          x: Date.parse(time) / 1000,
          y: ml * factor,
          name: formatBarTime(barTime(time, snapshot)),
          value: formatQuantity(volume(ml, snapshot)),
          path: `/drinks/${drinkId}`,
        }),
      ),
    [course, unit],
  );
  return (
    <Chart
      kind="steps"
      unit={unit}
      nameHeader={t('common.time')}
      points={points}
      timeZone={snapshot.time_zone}
      label={t('sessionPage.chartLabel', { total: points.at(-1)?.value ?? '' })}
    />
  );
}
