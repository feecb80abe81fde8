import { useMemo } from 'preact/hooks';
import { fromCelsius, temperatureSign } from '../../../../core/temperatures/temperature-units.ts';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import { barTime, formatBarTime, formatQuantity, temperature } from '../../../app/format.ts';
import { ErrorMessage } from '../../../components/action.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { t } from '../../../locales/locale.ts';
import { Chart } from './chart.tsx';

const dayMs = 86_400_000;
/** Sensors are read once a minute. */
const refreshMs = 60_000;
/** More points cannot be distinguished on a screen. */
const maxPoints = 1_500;

interface TemperatureChartProps {
  readonly sensor: string;
  readonly days: number;
  readonly snapshot: SnapshotMessage;
  readonly label: string;
}

/** Temperature chart of one sensor, thinned to `maxPoints`. */
export function TemperatureChart({ sensor, days, snapshot, label }: TemperatureChartProps) {
  const since = useMemo(() => new Date(Date.now() - days * dayMs).toISOString(), [days]);
  const { result, error } = useResource(
    'GET /thermo-sensors/{sensor}/chart',
    { path: { sensor }, query: { since } },
    { intervalMs: refreshMs },
  );
  const { temperature_units: units } = snapshot;
  const points = useMemo(() => {
    const readings = result?.points ?? [];
    const step = Math.max(1, Math.ceil(readings.length / maxPoints));
    return readings
      .filter((_reading, index) => index % step === 0)
      .map(({ time, mean_c: celsius }) => ({
        x: Date.parse(time) / 1000,
        y: fromCelsius(celsius, units),
        name: formatBarTime(barTime(time, snapshot)),
        value: formatQuantity(temperature(celsius, snapshot)),
      }));
  }, [result, units, snapshot.time_zone]);
  return (
    <>
      <ErrorMessage>{error}</ErrorMessage>
      {result && points.length === 0 && <p class="soft">{t('temperatures.noReadings')}</p>}
      {points.length > 0 && (
        <Chart
          kind="line"
          label={label}
          nameHeader={t('common.time')}
          valueHeader={t('common.temperature')}
          unit={temperatureSign(units)}
          points={points}
          timeZone={snapshot.time_zone}
        />
      )}
    </>
  );
}
