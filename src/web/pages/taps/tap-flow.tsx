import { useMemo } from 'preact/hooks';
import { minRatePours } from '../../../core/measurement/tap-rate.ts';
import type { Result } from '../../api/client.ts';
import { drumCount, formatQuantity, formatShare, temperature, type Units } from '../../app/format.ts';
import { ErrorMessage } from '../../components/action.tsx';
import { useResource } from '../../components/use-resource.ts';
import { locale, t } from '../../locales/locale.ts';
import { Chart } from '../reports/statistics/chart.tsx';

/** Of a date without a time. */
const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const shortDayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });

interface TapFlowProps {
  readonly tapId: string;
  readonly name: string;
  readonly units: Units;
}

/** How a tap flowed on the evenings of the last weeks, and what changed. */
export function TapFlow({ tapId, name, units }: TapFlowProps) {
  const { result, error } = useResource('GET /taps/{ref}/line-health', { path: { ref: tapId } });
  const points = useMemo(
    () =>
      (result?.evenings ?? []).map((evening, index) => ({
        x: index,
        y: toRate(evening.rate_ml_per_s, units).number,
        name: dayFormat.format(Date.parse(evening.date)),
        value: describeEvening(evening, units),
      })),
    [result, units.volume_units, units.temperature_units],
  );
  if (result === null) return <ErrorMessage>{error}</ErrorMessage>;
  const { usual, findings, gas_rate: gasRate } = result;
  return (
    <section class="group">
      <h3>{t('lineHealth.title')}</h3>
      {findings.length > 0 ? (
        <ul>
          {findings.map(({ kind, since }) => (
            <li key={kind}>
              {t(`lineHealth.findings.${kind}`, { date: dayFormat.format(Date.parse(since)) })}
            </li>
          ))}
        </ul>
      ) : (
        <p class="soft">{t(isJudged(result) ? 'lineHealth.none' : 'lineHealth.tooFew')}</p>
      )}
      {usual && <p class="soft">{describeUsual(usual, units)}</p>}
      {gasRate?.default !== undefined && (
        <p class="soft">
          {t(`lineHealth.rateDefault.${gasRate.default}`, { needed: minRatePours, pours: gasRate.pours })}
        </p>
      )}
      {points.length > 0 && (
        <Chart
          kind="bars"
          barNames={result.evenings.map(({ date }) => shortDayFormat.format(Date.parse(date)))}
          label={t('lineHealth.chart', { tap: name })}
          nameHeader={t('lineHealth.evening')}
          valueHeader={t('lineHealth.title')}
          unit={toRate(0, units).unit}
          points={points}
          timeZone="UTC"
        />
      )}
    </section>
  );
}

type LineHealth = Result<'GET /taps/{ref}/line-health'>;
type Evening = LineHealth['evenings'][number];

/** The last two evenings are compared with those before them. */
const isJudged = ({ usual, evenings }: LineHealth): boolean =>
  usual !== null && usual.evenings + 2 <= evenings.length;

function toRate(mlPerS: number, units: Units): { readonly number: number; readonly unit: string } {
  const { steps, decimals, unit } = drumCount(mlPerS, units);
  return { number: steps / 10 ** decimals, unit: `${unit}/s` };
}

const formatRate = (mlPerS: number, units: Units): string => {
  const { number, unit } = toRate(mlPerS, units);
  return formatQuantity({ number: rateFormat.format(number), unit });
};
const rateFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

function describeEvening(evening: Evening, units: Units): string {
  const { rate_ml_per_s: rate, temp_c: celsius, keg_left: left } = evening;
  const parts = [formatRate(rate, units)];
  if (celsius !== null) parts.push(formatQuantity(temperature(celsius, units)));
  if (left !== null) parts.push(t('lineHealth.kegLeft', { share: percentFormat.format(left) }));
  return parts.join(' · ');
}
const percentFormat = new Intl.NumberFormat(locale, { style: 'percent' });

function describeUsual(usual: NonNullable<LineHealth['usual']>, units: Units): string {
  const { rate_ml_per_s: rate, nearly_empty_ratio: nearlyEmpty, rate_per_degree: perDegree } = usual;
  const parts = [t('lineHealth.usual', { rate: formatRate(rate, units) })];
  if (nearlyEmpty !== null)
    parts.push(t('lineHealth.nearlyEmpty', { share: percentFormat.format(nearlyEmpty) }));
  if (perDegree !== null) parts.push(t('lineHealth.perDegree', { share: formatShare(perDegree) }));
  return parts.join(' · ');
}
