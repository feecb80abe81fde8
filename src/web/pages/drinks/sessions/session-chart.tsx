import { useMemo } from 'preact/hooks';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { Drink } from '../../../api/generated.ts';
import { barTime, formatBarTime, formatQuantity, volume } from '../../../app/format.ts';
import { volumeAxis } from '../../../app/volume-units.ts';
import { t } from '../../../locales/locale.ts';
import { Chart, type Point } from '../../reports/statistics/chart.tsx';

interface SessionChartProps {
  /** The earliest first. */
  readonly drinks: readonly Drink[];
  readonly snapshot: SnapshotMessage;
}

/** Chart of the volume poured in a session up to each drink, by the times of the pours. */
export function SessionChart({ drinks, snapshot }: SessionChartProps) {
  const totalMl = drinks.reduce((sum, drink) => sum + drink.volume_ml, 0);
  const { unit, factor } = volumeAxis(snapshot, totalMl);
  const points = useMemo(() => {
    let poured = 0;
    return drinks.map((drink): Point => {
      poured += drink.volume_ml;
      return {
        x: Date.parse(drink.pour_time) / 1000,
        y: poured * factor,
        name: formatBarTime(barTime(drink.pour_time, snapshot)),
        value: formatQuantity(volume(poured, snapshot)),
        path: `/drinks/${drink.id}`,
      };
    });
  }, [drinks, unit]);
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
