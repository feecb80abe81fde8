import { isTapClosed } from '../../../core/taps/tap-state.ts';
import { isOldReading } from '../../../core/temperatures/sensor-reading.ts';
import type { LiveTap } from '../../../http/live/shapes.ts';
import { barTime, formatBarTime, percent, temperature, type Units, volume } from '../../app/format.ts';
import { isStaff } from '../../app/me.ts';
import { toHref } from '../../app/routing.ts';
import { findText, t } from '../../locales/locale.ts';
import { formatRunOut } from '../kegs/run-out.ts';

interface TapFactsProps {
  readonly tap: LiveTap;
  /** Volume in the keg minus the running pour; null without a keg. */
  readonly remainMl: number | null;
  readonly level: number | null;
  /** Share of a keg below which it counts as low. */
  readonly lowShare: number;
  readonly units: Units;
}

/** Remaining volume and temperature in large figures. */
export function TapFacts({ tap, remainMl, level, lowShare, units }: TapFactsProps) {
  return (
    <>
      {remainMl !== null && level !== null && !isTapClosed(tap.state) && (
        <Remaining
          remainMl={remainMl}
          level={level}
          isLow={level <= lowShare}
          behind={
            tap.kegs_behind.length === 0
              ? ''
              : ` · ${t('kegs.behind', { count: tap.kegs_behind.length }).replaceAll(' ', '\u00a0')}`
          }
          runOut={tap.runs_out && formatRunOut(tap.runs_out, units)}
          units={units}
        />
      )}
      <Temperature tap={tap} units={units} />
      {tap.state === 'held' && (
        <p class="fact fact-held">
          <a class="fact-name" href={toHref('/held')}>
            {t('heldPours.title')}
          </a>
        </p>
      )}
      <CleaningFacts tap={tap} />
    </>
  );
}

/** Whether nobody may drink, when the line was cleaned, and whether it is due; guests see the first only. */
function CleaningFacts({ tap }: { readonly tap: LiveTap }) {
  if (isTapClosed(tap.state)) {
    return (
      <p class="fact fact-cleaning" data-running="true">
        <strong>{t(`menu.closed.${tap.state}`)}</strong>
        {isStaff.value && tap.state === 'blocked' && (
          <a class="fact-name" href={toHref('/cleaning')}>
            {t('taps.blockedWhy')}
          </a>
        )}
      </p>
    );
  }
  const days = isStaff.value ? tap.days_since_cleaning : null;
  const text = [
    tap.cleaning_due === null ? null : findText('taps.cleaningDue', tap.cleaning_due),
    days === null ? null : t('taps.daysSinceCleaning', { days }),
  ].filter(Boolean);
  if (text.length === 0) return null;
  return (
    <p class="fact fact-cleaning">
      <span class="fact-name">{text.join(' · ')}</span>
    </p>
  );
}

interface RemainingProps {
  readonly remainMl: number;
  readonly level: number;
  readonly isLow: boolean;
  /** How many kegs follow, as text; empty for none. */
  readonly behind: string;
  /** Estimated time at which the keg is empty, as text. */
  readonly runOut: string | null;
  readonly units: Units;
}

/** Characters of a volume such as `30.0 L`; longer ones such as `8.5 pints (4830 mL)` are smaller, or have a line of their own. */
const shortVolume = 7;

function Remaining({ remainMl, level, isLow, behind, runOut, units }: RemainingProps) {
  if (remainMl <= 0) {
    return (
      <p class="fact fact-left" data-low="true">
        <span class="fact-number" data-long="true">
          {t('menu.left.gone')}
        </span>
        <span class="fact-name">
          {t('kegs.countedEmpty')}
          {behind}
        </span>
      </p>
    );
  }
  const remaining = volume(remainMl, units);
  const isLong = remaining.number.length + remaining.unit.length > shortVolume;
  return (
    <p class="fact fact-left" data-low={isLow}>
      <span class="fact-number" data-long={isLong}>
        {remaining.number}
        <span class="fact-unit"> {remaining.unit}</span>
      </span>
      <span class="fact-name">
        {t('kegs.left', { percent: percent(level) })}
        {behind}
        {isLow && <strong class="fact-alarm">{t('kegs.nearlyEmpty')}</strong>}
      </span>
      {runOut !== null && <span class="fact-until">{runOut}</span>}
    </p>
  );
}

function Temperature({ tap, units }: { readonly tap: LiveTap; readonly units: Units }) {
  if (tap.temp_c === null) return null;
  const reading = temperature(tap.temp_c, units);
  // The snapshot may be older than its temperature’s last minutes.
  const isTooOld = tap.temp_time !== null && isOldReading(Date.parse(tap.temp_time), Date.now());
  const stale = tap.temp_stale || isTooOld;
  return (
    <p class="fact fact-temp" data-stale={stale}>
      <span class="fact-number">
        {reading.number}
        <span class="fact-unit"> {reading.unit}</span>
      </span>
      <span class="fact-name">
        {stale && tap.temp_time !== null
          ? t('taps.temperatureAt', { time: formatBarTime(barTime(tap.temp_time, units)) })
          : t('taps.temperature')}
      </span>
    </p>
  );
}
