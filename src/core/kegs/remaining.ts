/** How much is left in a keg, as guests read it. */
export type RemainingState = 'plenty' | 'moreThanHalf' | 'lessThanHalf' | 'low' | 'nearlyGone' | 'gone';

/** The words for what is left. `level` is a share of the full keg, 0 to 1. */
export function remainingState(level: number, remainMl: number): RemainingState {
  if (remainMl <= 0) return 'gone';
  if (level > 0.75) return 'plenty';
  if (level > 0.5) return 'moreThanHalf';
  if (level > 0.25) return 'lessThanHalf';
  return level > 0.15 ? 'low' : 'nearlyGone';
}
