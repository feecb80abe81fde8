import { remainingState } from '../../../../core/kegs/remaining.ts';
import type { LiveTap } from '../../../../http/live/shapes.ts';
import { t } from '../../../locales/locale.ts';

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
