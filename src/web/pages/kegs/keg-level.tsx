import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import type { Drink, Keg } from '../../api/generated.ts';
import { barTime, formatBarTime, formatQuantity, volume } from '../../app/format.ts';
import { volumeAxis } from '../../app/volume-units.ts';
import { t } from '../../locales/locale.ts';
import { useAllDrinks } from '../drinks/all-drinks.ts';
import { Chart, type Point } from '../reports/statistics/chart.tsx';

interface KegLevelProps {
  readonly keg: Keg;
  readonly snapshot: SnapshotMessage;
  readonly reloadKey: string;
}

/** Chart of a keg's level after each drink, computed backwards from the current level. */
export function KegLevel({ keg, snapshot, reloadKey }: KegLevelProps) {
  const drinks = useAllDrinks({ keg: keg.id }, reloadKey);
  if (drinks === null) return null;
  const levels = computeLevels(keg, drinks);
  if (levels.length === 0) return <p class="soft">{t('common.nothingHere')}</p>;
  const { unit, factor } = volumeAxis(snapshot, keg.full_volume_ml);
  const points: readonly Point[] = levels.map(({ timeMs, ml }) => ({
    x: timeMs / 1000,
    y: ml * factor,
    name: formatBarTime(barTime(new Date(timeMs).toISOString(), snapshot)),
    value: formatQuantity(volume(ml, snapshot)),
  }));
  return (
    <Chart
      kind="steps"
      unit={unit}
      nameHeader={t('common.time')}
      points={points}
      timeZone={snapshot.time_zone}
      label={t('kegs.levelLabel', { from: points[0]?.value ?? '', to: points.at(-1)?.value ?? '' })}
    />
  );
}

/**
 * Levels, oldest first. A spill has no time stamp, so it is subtracted before the first drink, and so is a drink with an
 * uncertain time, which may be years away.
 */
function computeLevels(keg: Keg, drinks: readonly Drink[]) {
  const newestFirst = drinks
    .filter((drink) => drink.time_certain !== false)
    .sort((one, other) => Date.parse(other.pour_time) - Date.parse(one.pour_time));
  const levels: { readonly timeMs: number; readonly ml: number }[] = [];
  let ml = keg.volume_ml_remain;
  for (const drink of newestFirst) {
    levels.push({ timeMs: Date.parse(drink.pour_time), ml: Math.max(0, ml) });
    ml += drink.volume_ml;
  }
  const first = newestFirst.at(-1);
  if (first) levels.push({ timeMs: Date.parse(first.pour_time) - 60_000, ml });
  return levels.reverse();
}
