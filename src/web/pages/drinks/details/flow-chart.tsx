import { useMemo } from 'preact/hooks';
import { foamBeerShare } from '../../../../core/measurement/fresh-foam.ts';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { Result } from '../../../api/client.ts';
import { volumeAxis } from '../../../app/volume-units.ts';
import { locale, t } from '../../../locales/locale.ts';
import { Chart } from '../../reports/statistics/chart.tsx';
import { toFlow } from './flow.ts';

const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

interface FlowChartProps {
  readonly item: Result<'GET /drinks/{id}'>;
  readonly snapshot: SnapshotMessage;
}

/** Chart of the flow during a pour; renders nothing when the source has no tick times. */
export function FlowChart({ item: { drink, series }, snapshot }: FlowChartProps) {
  const { unit, factor } = volumeAxis(snapshot, 0);
  const { volume_ml: ml, gas_ticks: gas = 0, foam_ticks: foam = 0 } = drink;
  const key = JSON.stringify([series, ml, gas, foam, unit]);
  const points = useMemo(
    () =>
      toFlow(series, ml, gas + (1 - foamBeerShare) * foam).map(({ startMs, mlPerS }, x) => ({
        x,
        y: mlPerS * factor,
        name: `${tenths.format(startMs / 1000)} s`,
        value: `${tenths.format(mlPerS * factor)} ${unit}/s`,
      })),
    [key],
  );
  if (points.length === 0) return null;
  return (
    <section class="group">
      <h3>{t('drinkPage.flow')}</h3>
      <Chart
        kind="bars"
        label={t('drinkPage.flowLabel', { seconds: tenths.format((series.at(-1)?.ms ?? 0) / 1000) })}
        nameHeader={t('common.time')}
        valueHeader={t('drinkPage.flow')}
        unit={`${unit}/s`}
        points={points}
        barNames={points.map(({ name }) => name)}
        timeZone={snapshot.time_zone}
      />
    </section>
  );
}
