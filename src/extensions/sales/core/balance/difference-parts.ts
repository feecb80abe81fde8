import { coverage } from '../../../../core/measurement/uncertainty.ts';
import { type Balance, computeBalance, differenceUl, rungUl, uHand, uServing } from './balance.ts';
import { type CleaningPour, findCleaningPours } from './cleaning-pours.ts';
import { type BalanceFacts, type BalancePour, type FindMeter, fromUl } from './facts.ts';
import {
  explainedMl,
  type Fills,
  fillsBySize,
  metersUncertaintyMl,
  type Overpour,
  toOverpour,
} from './fills.ts';
import { meterSilences, type Silence } from './silences.ts';

/** A volume with the half width of its 95 % interval. */
export interface Size {
  readonly volumeMl: number;
  readonly uncertaintyMl: number;
}

/**
 * The difference of a beverage, taken apart. The intervals of all parts together are never narrower than that of the difference: what
 * cannot be estimated is not certain.
 */
export interface DifferenceParts {
  readonly cleaning: readonly CleaningPour[];
  /** What flowed without those. */
  readonly glasses: readonly BalancePour[];
  readonly fills: Fills;
  readonly overpours: readonly Overpour[];
  readonly inTillGaps: readonly Size[];
  readonly meterGaps: readonly Silence[];
  readonly missed: Size;
  readonly rest: Size;
}

interface Known {
  readonly findMeter: FindMeter;
  /** The business days of the span, oldest first. */
  readonly days: readonly { readonly sinceMs: number; readonly untilMs: number }[];
  readonly tillGaps: readonly Silence[];
  readonly unmappedSizes: readonly Size[];
}

export function takeApart(facts: BalanceFacts, balance: Balance, known: Known): DifferenceParts {
  const { findMeter, days, tillGaps, unmappedSizes } = known;
  const { pours, sales } = facts;
  const counted = pours.filter(({ isHeld }) => !isHeld);
  const cleaning = findCleaningPours(counted, sales).map(({ pour, size }) => ({
    pour,
    size: withMeters(size, [pour], findMeter),
  }));
  const isCleaning = new Set(cleaning.map(({ pour }) => pour));
  const glasses = counted.filter((pour) => !isCleaning.has(pour));
  const fills = fillsBySize(glasses, sales);
  const meterGaps = meterSilences(pours, sales, days);
  const inTillGaps = tillGaps.map((gap) => tillGapSize(gap, counted, findMeter));
  return {
    cleaning,
    glasses,
    fills,
    overpours: fills.sizes.map((fill) => toOverpour(fill, balance.meterSums)),
    inTillGaps,
    meterGaps,
    missed: { volumeMl: fromUl(balance.missedUl), uncertaintyMl: fromUl(balance.missedUl) / 2 },
    rest: restOf(balance, fills, {
      less: [...cleaning.map(({ size }) => size), ...inTillGaps, ...unmappedSizes],
      more: meterGaps,
    }),
  };
}

/** The part of a silence of the till that is of these pours. */
export function tillGapSize(gap: Silence, pours: readonly BalancePour[], findMeter: FindMeter): Size {
  const inside = pours.filter(
    ({ isHeld, timeMs }) => !isHeld && timeMs >= gap.sinceMs && timeMs <= gap.untilMs,
  );
  const volumeMl = inside.reduce((sum, { volumeUl, missedUl }) => sum + fromUl(volumeUl + missedUl), 0);
  const share = gap.volumeMl > 0 ? volumeMl / gap.volumeMl : 0;
  return withMeters({ volumeMl, uncertaintyMl: gap.uncertaintyMl * Math.sqrt(share) }, inside, findMeter);
}

/** Adds what the meters of these pours are wrong by. */
function withMeters(
  { volumeMl, uncertaintyMl }: Size,
  pours: readonly BalancePour[],
  findMeter: FindMeter,
): Size {
  const { meterSums } = computeBalance({ pours, losses: [], sales: [] }, findMeter);
  return {
    volumeMl,
    uncertaintyMl: Math.hypot(uncertaintyMl, ...metersUncertaintyMl(meterSums, (_, totalMl) => totalMl)),
  };
}

/** Standard uncertainty by pours that are no single serving, as a share of their volume: some top up a glass. */
const uUnclear = 0.1;

/**
 * What is left of the difference. Glasses are valued at what hands pour of them by the same meter, so that the errors of meter and
 * glass cancel, and whole glasses that were not rung stand out. What no glass explains keeps the errors of its meters and glasses.
 */
function restOf(
  balance: Balance,
  { sizes, fillShare, unclearMl }: Fills,
  { less, more }: { readonly less: readonly Size[]; readonly more: readonly Size[] },
): Size {
  const rungMl = fromUl(rungUl(balance));
  const comparedMl = sizes.reduce((sum, { servings, liquidMl }) => sum + servings * liquidMl, 0);
  const total = (list: readonly Size[]) => list.reduce((sum, { volumeMl }) => sum + volumeMl, 0);
  return {
    volumeMl:
      fromUl(differenceUl(balance)) - (fillShare - 1) * rungMl - total(less) + fillShare * total(more),
    uncertaintyMl: Math.hypot(
      ...sizes.map(({ servings, uMeanMl }) => coverage * servings * uMeanMl),
      ...[...less, ...more].map(({ uncertaintyMl }) => uncertaintyMl),
      ...metersUncertaintyMl(balance.meterSums, (meter, totalMl) => totalMl - explainedMl(sizes, meter)),
      coverage * uServing * (rungMl - comparedMl),
      coverage * uHand * Math.sqrt(balance.handMl2),
      coverage * Math.sqrt(balance.cutoffMl2),
      coverage * uUnclear * unclearMl,
      fromUl(balance.missedUl) / 2,
    ),
  };
}
