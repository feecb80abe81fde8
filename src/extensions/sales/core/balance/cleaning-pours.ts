import { coverage } from '../../../../core/measurement/uncertainty.ts';
import { type BalancePour, type BalanceSale, fromUl, saleUl } from './facts.ts';

/** A pump runs faster than a tap, and nobody drinks as much as this at once. */
const pumpMlPerS = 80;
const leastPumpedMl = 1_000;
const leastLargeMl = 5_000;
/** A line within so many minutes is the sale of the pour. */
const nearMs = 15 * 60_000;

/** A pour that was probably a cleaning that nobody marked. */
export interface CleaningPour {
  readonly pour: BalancePour;
  readonly size: { readonly volumeMl: number; readonly uncertaintyMl: number };
}

/** Pours like those of a cleaning pump, or larger than any glass, without a sale around them. */
export function findCleaningPours(
  pours: readonly BalancePour[],
  sales: readonly BalanceSale[],
): readonly CleaningPour[] {
  return pours.flatMap((pour) => {
    const volumeMl = fromUl(pour.volumeUl);
    const rate = pour.durationMs > 0 ? (volumeMl / pour.durationMs) * 1_000 : 0;
    if (!(volumeMl >= leastLargeMl || (rate > pumpMlPerS && volumeMl >= leastPumpedMl))) return [];
    const soldMl = sales
      .filter(({ timeMs }) => Math.abs(timeMs - pour.timeMs) <= nearMs)
      .reduce((sum, sale) => sum + fromUl(saleUl(sale)), 0);
    return soldMl >= volumeMl / 2
      ? []
      : [{ pour, size: { volumeMl, uncertaintyMl: coverage * 0.02 * volumeMl } }];
  });
}
