import { useMemo } from 'preact/hooks';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { MeterEvidence } from '../../../api/generated.ts';
import { barTime, formatBarTime } from '../../../app/format.ts';
import { locale, t } from '../../../locales/locale.ts';
import { Chart } from '../../reports/statistics/chart.tsx';

const numberFormat = new Intl.NumberFormat(locale, {
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

interface DriftChartProps {
  /** Oldest first. */
  readonly evidence: readonly MeterEvidence[];
  readonly snapshot: SnapshotMessage;
}

/** How far the evidence since the last calibration is from what was expected: its weighted mean, in standard deviations. */
export function DriftChart({ evidence, snapshot }: DriftChartProps) {
  const points = useMemo(
    () =>
      evidence.flatMap(({ time, deviation, chart }) =>
        chart === null || deviation === null
          ? []
          : {
              x: Date.parse(time) / 1_000,
              y: chart.mean,
              name: formatBarTime(barTime(time, snapshot)),
              value: t('meterPage.deviation', {
                mean: numberFormat.format(chart.mean),
                single: numberFormat.format(deviation),
              }),
            },
      ),
    [evidence, snapshot.time_zone],
  );
  return (
    <section class="group" aria-labelledby="meter-drift">
      <h3 id="meter-drift">{t('meterPage.drift')}</h3>
      <div class="card group">
        <p class="soft">{t(points.length === 0 ? 'meterPage.noChart' : 'meterPage.chartHint')}</p>
        {points.length > 0 && (
          <Chart
            kind="line"
            label={t('meterPage.chartLabel')}
            nameHeader={t('common.time')}
            valueHeader={t('meterPage.deviationHeader')}
            unit="σ"
            points={points}
            timeZone={snapshot.time_zone}
          />
        )}
      </div>
    </section>
  );
}
