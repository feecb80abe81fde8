import { useMemo } from 'preact/hooks';
import { barTime, formatBarTime, formatDecimal, type Units } from '../../../web/app/format.ts';
import { ErrorMessage } from '../../../web/components/action.tsx';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';
import { Chart } from '../../../web/pages/reports/statistics/chart.tsx';

/** One weight per minute is stored. */
const refreshMs = 60_000;

interface WeightChartProps {
  readonly scaleId: number;
  readonly units: Units;
  readonly label: string;
}

/** What a scale showed in the last day. */
export function WeightChart({ scaleId, units, label }: WeightChartProps) {
  const { result, error } = useResource(
    'GET /scales/{id}/readings',
    { path: { id: scaleId } },
    { intervalMs: refreshMs },
  );
  const points = useMemo(
    () =>
      (result?.readings ?? []).map(({ time, weight_g: weightG }) => ({
        x: Date.parse(time) / 1000,
        y: weightG / 1_000,
        name: formatBarTime(barTime(time, units)),
        value: `${formatDecimal(weightG / 1_000, 2)} kg`,
      })),
    [result, units.time_zone],
  );
  return (
    <>
      <ErrorMessage>{error}</ErrorMessage>
      {points.length > 0 && (
        <Chart
          kind="line"
          label={label}
          nameHeader={t('common.time')}
          valueHeader={t('scales.weight')}
          unit="kg"
          points={points}
          timeZone={units.time_zone}
        />
      )}
    </>
  );
}
