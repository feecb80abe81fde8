import type { LiveTap } from '../../../http/live/shapes.ts';
import { words } from '../../words/guests.ts';

/** From here on guests care how many glasses there are. */
const countedLevel = 0.25;

/** What is left in a keg, as a bartender would say it; towards the end with the glasses, where a serving is known. */
export function leftInWords(keg: NonNullable<LiveTap['keg']>, servingMl: number | null): string {
  const said = words.left[standOf(keg.percent_full, keg.volume_ml_remain)];
  const glasses = servingMl === null ? 0 : Math.floor(keg.volume_ml_remain / servingMl);
  return keg.percent_full <= countedLevel && glasses > 0 ? `${said}: ${words.servings(glasses)}` : said;
}

function standOf(level: number, remainMl: number): keyof typeof words.left {
  if (remainMl <= 0) return 'gone';
  if (level > 0.75) return 'plenty';
  if (level > 0.5) return 'moreThanHalf';
  if (level > 0.25) return 'lessThanHalf';
  return level > 0.15 ? 'low' : 'nearlyGone';
}
