import type { LiveTap } from '../../../../http/live/shapes.ts';
import { t } from '../../../locales/locale.ts';

type RemainingState = 'plenty' | 'moreThanHalf' | 'lessThanHalf' | 'low' | 'nearlyGone' | 'gone';

/** At or below this level the number of servings left is shown. */
const servingsLevel = 0.25;

/** Describes what is left in a keg; near the end with the number of servings, where the serving size is known. */
export function formatRemaining(keg: NonNullable<LiveTap['keg']>, servingMl: number | null): string {
  const amount = t(`menu.left.${remainingState(keg.percent_full, keg.volume_ml_remain)}`);
  const servings = servingMl === null ? 0 : Math.floor(keg.volume_ml_remain / servingMl);
  return keg.percent_full <= servingsLevel && servings > 0
    ? `${amount}: ${t('menu.servings', { count: servings })}`
    : amount;
}

function remainingState(level: number, remainMl: number): RemainingState {
  if (remainMl <= 0) return 'gone';
  if (level > 0.75) return 'plenty';
  if (level > 0.5) return 'moreThanHalf';
  if (level > 0.25) return 'lessThanHalf';
  return level > 0.15 ? 'low' : 'nearlyGone';
}
