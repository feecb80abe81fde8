import { coverage, type MeterSum, sumUncertainty } from '../../measurement/uncertainty.ts';
import { uServing } from './balance.ts';
import { type BalancePour, type BalanceSale, fromUl } from './facts.ts';

/** A pour further from its size than this is no single serving: a top-up, two glasses, a half. */
const windowShare = 0.25;
/** Fewer tell nothing of a hand. */
const leastPours = 20;
/** The mean follows the window, and the window the mean, until both stand. */
const rounds = 4;
/** Standard uncertainty of the mean by pours that are no single serving, as a share. */
const uMixed = 0.002;
/** Of two pours so soon after one another, one smaller than this share of the other tops up the glass. */
const topUpShare = 0.3;
const topUpMs = 20_000;
/** With more volume in other pours the glasses are filled in ways that say nothing of a hand. */
const mostUnclear = 0.3;

/** What was poured for one serving size. */
export interface Fill {
  /** Beer in the serving as it is sold, mL. */
  readonly liquidMl: number;
  /** Servings that were rung up. */
  readonly servings: number;
  readonly pours: number;
  readonly meanMl: number;
  /** Standard uncertainty of the mean against other pours of the same meters, mL. */
  readonly uMeanMl: number;
}

/** What the hands pour into the glasses of a beverage. */
export interface Fills {
  readonly sizes: readonly Fill[];
  /** What hands pour of what is sold, as a share; 1 where nothing is known. */
  readonly fillShare: number;
  /** Volume of pours that are no single serving, mL. */
  readonly unclearMl: number;
}

/** Compares the pours of a beverage with its sizes; sizes with few pours are left out. */
export function fillsBySize(pours: readonly BalancePour[], sales: readonly BalanceSale[]): Fills {
  const servings = new Map<number, number>();
  for (const sale of sales) servings.set(sale.liquidUl, (servings.get(sale.liquidUl) ?? 0) + sale.servings);
  const sizes = [...servings]
    .filter(([, count]) => count > 0)
    .map(([liquidUl, count]) => ({ liquidMl: fromUl(liquidUl), count }))
    .sort((one, other) => one.liquidMl - other.liquidMl);
  const volumes = glassVolumes(pours);
  const fills = sizes.flatMap(({ liquidMl, count }, i) => {
    const low = sizes[i - 1] === undefined ? 0 : (liquidMl + sizes[i - 1]!.liquidMl) / 2;
    const high =
      sizes[i + 1] === undefined ? Number.POSITIVE_INFINITY : (liquidMl + sizes[i + 1]!.liquidMl) / 2;
    const fill = meanNear(volumes, liquidMl, { low, high });
    return fill === null ? [] : [{ liquidMl, servings: count, ...fill }];
  });
  const total = (read: (fill: Fill) => number) => fills.reduce((sum, fill) => sum + read(fill), 0);
  const allMl = volumes.reduce((sum, volume) => sum + volume, 0);
  const unclearMl = Math.max(0, allMl - total((fill) => fill.pours * fill.meanMl));
  if (fills.length === 0 || unclearMl > mostUnclear * allMl)
    return { sizes: [], fillShare: 1, unclearMl: allMl };
  return {
    sizes: fills,
    fillShare: total((fill) => fill.servings * fill.meanMl) / total((fill) => fill.servings * fill.liquidMl),
    unclearMl,
  };
}

const isMuchLess = (one: number, other: number): boolean =>
  Math.min(one, other) < topUpShare * Math.max(one, other);

/** Volumes of glasses, sorted: a top-up belongs to the pour before it at the same tap. */
function glassVolumes(pours: readonly BalancePour[]): readonly number[] {
  const counted = pours.filter(({ isHeld, meter }) => !isHeld && meter !== null);
  const volumes: number[] = [];
  const last = new Map<number | null, { readonly index: number; readonly endMs: number }>();
  for (const pour of [...counted].sort((one, other) => one.timeMs - other.timeMs)) {
    const before = last.get(pour.tapId);
    const volumeMl = fromUl(pour.volumeUl + pour.missedUl);
    const gapMs =
      before === undefined ? Number.POSITIVE_INFINITY : pour.timeMs - pour.durationMs - before.endMs;
    const isTopUp = before !== undefined && gapMs <= topUpMs && isMuchLess(volumeMl, volumes[before.index]!);
    if (isTopUp) volumes[before.index]! += volumeMl;
    else volumes.push(volumeMl);
    last.set(pour.tapId, { index: isTopUp ? before.index : volumes.length - 1, endMs: pour.timeMs });
  }
  return volumes.sort((one, other) => one - other);
}

function meanNear(
  volumes: readonly number[],
  liquidMl: number,
  { low, high }: { readonly low: number; readonly high: number },
): Pick<Fill, 'pours' | 'meanMl' | 'uMeanMl'> | null {
  let meanMl = liquidMl;
  let near: readonly number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [from, to] = [
      Math.max(low, meanMl - windowShare * liquidMl),
      Math.min(high, meanMl + windowShare * liquidMl),
    ];
    near = volumes.filter((volume) => volume >= from && volume < to);
    if (near.length < leastPours) return null;
    meanMl = near.reduce((sum, volume) => sum + volume, 0) / near.length;
  }
  const variance = near.reduce((sum, volume) => sum + (volume - meanMl) ** 2, 0) / (near.length - 1);
  return {
    pours: near.length,
    meanMl,
    uMeanMl: Math.hypot(Math.sqrt(variance / near.length), uMixed * meanMl),
  };
}

/** How much more than sold was poured into the glasses of one size; negative: less. */
export interface Overpour {
  readonly fill: Fill;
  readonly volumeMl: number;
  /** Half width of the 95 % interval. The error of the meter and of the glass is that of all glasses, mL. */
  readonly uncertaintyMl: number;
  /** The part of it that is not the same for everything that this meter counted, mL. */
  readonly ownUncertaintyMl: number;
}

export function toOverpour(fill: Fill, meterSums: readonly MeterSum[]): Overpour {
  const { servings, meanMl, liquidMl, uMeanMl } = fill;
  const ownUncertaintyMl = coverage * servings * uMeanMl;
  const servedMl = servings * liquidMl;
  return {
    fill,
    volumeMl: servings * (meanMl - liquidMl),
    uncertaintyMl: Math.hypot(
      ownUncertaintyMl,
      coverage * uServing * servedMl,
      shareOfMeters(meterSums) * servedMl,
    ),
    ownUncertaintyMl,
  };
}

/** Half width of the interval of what the meters counted, as a share. */
function shareOfMeters(sums: readonly MeterSum[]): number {
  const totalMl = sums.reduce((sum, { volumeMl }) => sum + volumeMl, 0);
  return totalMl > 0 ? sumUncertainty(sums) / totalMl : 0;
}
