import { coverage, sumUncertainty } from '../../../../core/measurement/uncertainty.ts';
import { type Balance, uServing } from './balance.ts';
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
  /** Which part of the mean each meter counted, as a share. */
  readonly meters: ReadonlyMap<string | null, number>;
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
  const glasses = toGlasses(pours);
  const fills = sizes.flatMap(({ liquidMl, count }, i) => {
    const low = sizes[i - 1] === undefined ? 0 : (liquidMl + sizes[i - 1]!.liquidMl) / 2;
    const high =
      sizes[i + 1] === undefined ? Number.POSITIVE_INFINITY : (liquidMl + sizes[i + 1]!.liquidMl) / 2;
    const fill = meanNear(glasses, liquidMl, { low, high });
    return fill === null ? [] : [{ liquidMl, servings: count, ...fill }];
  });
  const total = (read: (fill: Fill) => number) => fills.reduce((sum, fill) => sum + read(fill), 0);
  const allMl = sumOf(glasses);
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

interface Glass {
  readonly meter: string | null;
  volumeMl: number;
}

const sumOf = (glasses: readonly Glass[]): number => glasses.reduce((sum, { volumeMl }) => sum + volumeMl, 0);

/** Glasses by volume: a top-up belongs to the pour before it at the same tap. */
function toGlasses(pours: readonly BalancePour[]): readonly Glass[] {
  const counted = pours.filter(({ isHeld }) => !isHeld);
  const glasses: Glass[] = [];
  const last = new Map<number | null, { readonly glass: Glass; readonly endMs: number }>();
  for (const pour of [...counted].sort((one, other) => one.timeMs - other.timeMs)) {
    const before = last.get(pour.tapId);
    const volumeMl = fromUl(pour.volumeUl + pour.missedUl);
    const gapMs =
      before === undefined ? Number.POSITIVE_INFINITY : pour.timeMs - pour.durationMs - before.endMs;
    const isTopUp = before !== undefined && gapMs <= topUpMs && isMuchLess(volumeMl, before.glass.volumeMl);
    const glass = isTopUp ? before.glass : { meter: pour.meter, volumeMl: 0 };
    glass.volumeMl += volumeMl;
    if (!isTopUp) glasses.push(glass);
    last.set(pour.tapId, { glass, endMs: pour.timeMs });
  }
  return glasses.sort((one, other) => one.volumeMl - other.volumeMl);
}

function meanNear(
  glasses: readonly Glass[],
  liquidMl: number,
  { low, high }: { readonly low: number; readonly high: number },
): Omit<Fill, 'liquidMl' | 'servings'> | null {
  let meanMl = liquidMl;
  let near: readonly Glass[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [from, to] = [
      Math.max(low, meanMl - windowShare * liquidMl),
      Math.min(high, meanMl + windowShare * liquidMl),
    ];
    near = glasses.filter(({ volumeMl }) => volumeMl >= from && volumeMl < to);
    if (near.length < leastPours) return null;
    meanMl = sumOf(near) / near.length;
  }
  const variance = near.reduce((sum, { volumeMl }) => sum + (volumeMl - meanMl) ** 2, 0) / (near.length - 1);
  const meters = new Map<string | null, number>();
  for (const { meter, volumeMl } of near)
    meters.set(meter, (meters.get(meter) ?? 0) + volumeMl / (near.length * meanMl));
  return {
    pours: near.length,
    meanMl,
    uMeanMl: Math.hypot(Math.sqrt(variance / near.length), uMixed * meanMl),
    meters,
  };
}

/** How much more than sold was poured into the glasses of one size; negative: less. */
export interface Overpour {
  readonly fill: Fill;
  readonly volumeMl: number;
  /** Half width of the 95 % interval. The error of the meter and of the glass is that of all glasses, mL. */
  readonly uncertaintyMl: number;
  /** Not larger, it is chance: a bar has many meters, and nobody is accused because one of them is wrong by more than most. */
  readonly chanceMl: number;
}

/** Three standard deviations. */
const chanceWidths = 1.5;

export function toOverpour(fill: Fill, meterSums: Balance['meterSums']): Overpour {
  const { servings, meanMl, liquidMl, uMeanMl } = fill;
  const knownMl = coverage * servings * Math.hypot(uMeanMl, uServing * liquidMl);
  // A meter that counts too little makes the mean small, and with it what a share of the mean is.
  const metersMl =
    Math.max(1, liquidMl / meanMl) *
    Math.hypot(...metersUncertaintyMl(meterSums, (meter) => explainedMl([fill], meter)));
  return {
    fill,
    volumeMl: servings * (meanMl - liquidMl),
    uncertaintyMl: Math.hypot(knownMl, metersMl),
    chanceMl: Math.hypot(knownMl, chanceWidths * metersMl),
  };
}

/** What the glasses of these sizes contain of a meter's volume: what was rung up, at what hands pour of it. */
export const explainedMl = (fills: readonly Fill[], meter: string | null): number =>
  fills.reduce((sum, fill) => sum + fill.servings * fill.meanMl * (fill.meters.get(meter) ?? 0), 0);

/** Half widths of the 95 % intervals of a part of what each meter counted. */
export const metersUncertaintyMl = (
  meterSums: Balance['meterSums'],
  partMl: (meter: string | null, totalMl: number) => number,
): readonly number[] =>
  [...meterSums].map(([meter, sum]) =>
    sum.volumeMl > 0 ? (Math.abs(partMl(meter, sum.volumeMl)) / sum.volumeMl) * sumUncertainty([sum]) : 0,
  );
