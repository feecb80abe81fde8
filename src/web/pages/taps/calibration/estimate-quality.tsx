import type { CalibrationEstimate } from '../../../api/generated.ts';
import { locale, t } from '../../../locales/locale.ts';

/** A wider spread of the measured factors means a measuring error. */
const maxSpread = 0.05;

const limitTexts = {
  jug: 'calibration.limits.jug',
  gravity: 'calibration.limits.gravity',
  scale: 'calibration.limits.scale',
} as const;

const percentFormat = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

/** How many pours were measured, and how far their factors are apart. */
export function EstimateSpread({
  estimate: { spread, pours, rates },
}: {
  readonly estimate: CalibrationEstimate;
}) {
  return (
    <p>
      {t('calibration.pourCount', { count: pours.length })}{' '}
      {spread !== null && t('calibration.spread', { share: percentFormat.format(spread) })}{' '}
      {spread !== null && spread > maxSpread && !rates?.is_different && (
        <strong class="refusal">{t('calibration.spreadWide')}</strong>
      )}
    </p>
  );
}

/** How well the factor is known, and what makes it better. Nothing while the pours contradict each other: then these are the fault. */
export function EstimateInterval({ estimate }: { readonly estimate: CalibrationEstimate }) {
  const {
    spread,
    uncertainty,
    wanted_uncertainty: wanted,
    more_pours: morePours,
    limited_by: limit,
  } = estimate;
  if (spread !== null && spread > maxSpread) return null;
  return (
    <p>
      <strong>{t('calibration.knownTo', { share: percentFormat.format(uncertainty) })}</strong>{' '}
      {morePours !== null && morePours > 0
        ? t('calibration.morePours', { count: morePours, share: percentFormat.format(wanted) })
        : morePours === null && t(limit === null ? 'calibration.pourLarger' : limitTexts[limit])}
    </p>
  );
}
