import type { LiveTap } from '../../../http/live/shapes.ts';
import { words } from '../../words/guests.ts';

/** From here on guests care how many glasses there are. */
const servingsLevel = 0.25;

/** What is left in a keg, as a bartender would say it; towards the end with the glasses, where a serving is known. */
export function formatRemaining(keg: NonNullable<LiveTap['keg']>, servingMl: number | null): string {
  const amount = words.left[remainingState(keg.percent_full, keg.volume_ml_remain)];
  const servings = servingMl === null ? 0 : Math.floor(keg.volume_ml_remain / servingMl);
  return keg.percent_full <= servingsLevel && servings > 0
    ? `${amount}: ${words.servings(servings)}`
    : amount;
}

function remainingState(level: number, remainMl: number): keyof typeof words.left {
  if (remainMl <= 0) return 'gone';
  if (level > 0.75) return 'plenty';
  if (level > 0.5) return 'moreThanHalf';
  if (level > 0.25) return 'lessThanHalf';
  return level > 0.15 ? 'low' : 'nearlyGone';
}
