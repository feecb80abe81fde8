import { beerTicksOf } from '../../../../core/measurement/pour-volume.ts';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import type { Drink } from '../../../api/generated.ts';
import { formatQuantity, formatShare, volume } from '../../../app/format.ts';
import { locale, t } from '../../../locales/locale.ts';

const integerFormat = new Intl.NumberFormat(locale);
const hundredths = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });

interface VolumeFactsProps {
  readonly drink: Drink;
  readonly snapshot: SnapshotMessage;
}

/** The volume of a drink, how it was measured, and what makes it uncertain. */
export function VolumeFacts({ drink, snapshot }: VolumeFactsProps) {
  const tap = snapshot.taps.find(({ id }) => id === drink.tap_id);
  const isUncalibrated = isCounted(drink) && tap?.calibrated === false;
  return (
    <section class="card group" aria-labelledby="drink-volume">
      <h3 id="drink-volume">{formatVolume(drink, snapshot)}</h3>
      <ul class="certainty">
        {listFacts(drink, snapshot).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
        {isUncalibrated && <li>{t('drinkPage.notCalibrated')}</li>}
      </ul>
    </section>
  );
}

function formatVolume(
  { volume_ml: ml, uncertainty_ml: uncertainty }: Drink,
  snapshot: SnapshotMessage,
): string {
  const amount = formatQuantity(volume(ml, snapshot));
  if (uncertainty === null || ml === 0) return t('drinkPage.volume', { volume: amount });
  return t('drinkPage.volumeWithin', { volume: amount, share: formatShare(uncertainty / ml) });
}

const isCounted = ({ source, ticks }: Drink): boolean =>
  source !== 'manual' && source !== 'import' && ticks > 0;

function listFacts(drink: Drink, snapshot: SnapshotMessage): readonly string[] {
  const {
    ticks,
    gas_ticks: gas = 0,
    foam_ticks: foam = 0,
    ticks_lost: lost,
    volume_ml: ml,
    duration,
  } = drink;
  const isMeasured = isCounted(drink);
  const mlPerTick = ml / beerTicksOf({ ticks, gasTicks: gas, foamTicks: foam });
  const facts = [isMeasured ? t('drinkPage.counted', { ticks: integerFormat.format(ticks) }) : null];
  if (drink.source === 'manual') facts.push(t('drinkPage.entered'));
  if (drink.source === 'import') facts.push(t('drinkPage.imported'));
  // One tick more or less is the finest that the meter can tell. A volume that was reported beside the ticks has another source.
  if (drink.rate_default !== undefined) facts.push(t(`drinkPage.rateDefault.${drink.rate_default}`));
  if (isMeasured && drink.uncertainty_unknown !== 'volume_given')
    facts.push(t('drinkPage.perTick', { ml: hundredths.format(mlPerTick) }));
  if (isMeasured && lost !== null && lost > 0)
    facts.push(t('drinkPage.lost', { ticks: integerFormat.format(lost) }));
  if (isMeasured && lost === null) facts.push(t('drinkPage.lostUnknown'));
  if (gas > 0 && ticks > gas) {
    facts.push(t('drinkPage.gas', { volume: formatQuantity(volume(gas * mlPerTick, snapshot)) }));
  } else if (drink.gas_onset_ms !== undefined) facts.push(t('drinkPage.foamy'));
  if (foam > 0)
    facts.push(t('drinkPage.freshFoam', { volume: formatQuantity(volume(foam * mlPerTick, snapshot)) }));
  if (isMeasured && drink.uncertainty_unknown !== undefined)
    facts.push(t(`drinkPage.uncertainty.${drink.uncertainty_unknown}`));
  if (drink.recovered) facts.push(t('drinks.recovered'));
  if (drink.flow_while_shut) facts.push(t('drinks.flowWhileShut'));
  if (duration > 0) facts.push(t('drinkPage.duration', { seconds: integerFormat.format(duration) }));
  return facts.filter((fact) => fact !== null);
}
