import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import type { Result } from '../../api/client.ts';
import { barTime, formatBarTime, formatQuantity, volume } from '../../app/format.ts';
import { volumeAxis } from '../../app/volume-units.ts';
import { t } from '../../locales/locale.ts';
import { Chart, type Point } from '../reports/statistics/chart.tsx';

interface KegLevelProps {
  readonly figures: KegFigures;
  readonly snapshot: SnapshotMessage;
}

type KegFigures = Pick<Result<'GET /kegs/{id}/stats'>, 'keg' | 'course'>;

/** Chart of a keg's level after each drink, computed backwards from the current level. */
export function KegLevel({ figures, snapshot }: KegLevelProps) {
  const levels = computeLevels(figures);
  if (levels.length === 0) return <p class="soft">{t('common.nothingHere')}</p>;
  const { unit, factor } = volumeAxis(snapshot, figures.keg.full_volume_ml);
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
function computeLevels({ keg, course }: KegFigures) {
  const first = course[0];
  if (first === undefined) return [];
  const pouredMl = course.at(-1)!.volume_ml;
  const levels = course.map(({ time, volume_ml: ml }) => ({
    timeMs: Date.parse(time),
    ml: Math.max(0, keg.volume_ml_remain + pouredMl - ml),
  }));
  const beforeFirst = { timeMs: Date.parse(first.time) - 60_000, ml: keg.volume_ml_remain + pouredMl };
  return [beforeFirst, ...levels];
}
