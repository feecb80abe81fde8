import { coverage, type MeterSum, sumUncertainty } from '../../../../core/measurement/uncertainty.ts';
import type { SaleKind } from '../sale-line.ts';
import { type BalanceFacts, type BalanceSale, type FindMeter, fromUl, saleUl } from './facts.ts';

/** Standard uncertainty of what a glass holds to its line, as a share; the same for all glasses of a kind. */
export const uServing = 0.01;
/** Spread of what a hand pours into the same glass, as a share. */
export const uHand = 0.06;
/** Standard uncertainty of beer that missed ticks stand for, as a share: some of the edges may have been bounce. */
const uMissed = 0.25;

const lossParts = { spilled: 'spilledUl', cleaning: 'cleaningUl', drips: 'dripsUl', gas: 'gasUl' } as const;
const saleParts = { sold: 'soldUl', comp: 'compsUl', staff: 'staffUl', sample: 'samplesUl' } as const;

/** The parts of a balance, whole microlitres. */
export interface BalanceParts {
  readonly drinksUl: number;
  /** Beer of ticks that are known to be missed. */
  readonly missedUl: number;
  readonly spilledUl: number;
  /** Beer lost by line cleaning. */
  readonly cleaningUl: number;
  readonly dripsUl: number;
  readonly soldUl: number;
  readonly compsUl: number;
  readonly staffUl: number;
  readonly samplesUl: number;
  /** Counted by the meter, and no beer: in no other part. */
  readonly gasUl: number;
  /** Not decided yet: in no other part. */
  readonly heldUl: number;
}

/** Poured against sold, with what its uncertainty follows from. */
export interface Balance extends BalanceParts {
  readonly drinks: number;
  readonly held: number;
  /** Servings that were sold. */
  readonly servings: number;
  readonly netMinor: number;
  readonly meterSums: ReadonlyMap<string | null, MeterSum>;
  /** Sum of the squares of all servings, mL²: each was poured by hand. */
  readonly handMl2: number;
  /** Square of the serving that may lie on the other side of the cut-off, mL². */
  readonly cutoffMl2: number;
}

const emptyParts: BalanceParts = {
  drinksUl: 0,
  missedUl: 0,
  spilledUl: 0,
  cleaningUl: 0,
  dripsUl: 0,
  soldUl: 0,
  compsUl: 0,
  staffUl: 0,
  samplesUl: 0,
  gasUl: 0,
  heldUl: 0,
};
export const partNames = Object.keys(emptyParts) as readonly (keyof BalanceParts)[];

/** Computes the balance of one beverage, tap or whatever else the facts have in common. */
export function computeBalance({ pours, losses, sales }: BalanceFacts, findMeter: FindMeter): Balance {
  const parts: { -readonly [name in keyof BalanceParts]: number } = { ...emptyParts };
  const meterSums = new Map<string | null, MeterSum>();
  let drinks = 0;
  for (const { meter, volumeUl, missedUl, gasUl, isHeld } of pours) {
    if (isHeld) {
      parts.heldUl += volumeUl;
      continue;
    }
    drinks += 1;
    parts.drinksUl += volumeUl;
    parts.missedUl += missedUl;
    parts.gasUl += gasUl;
    const known = meterSums.get(meter);
    meterSums.set(meter, {
      ...(known ?? findMeter(meter)),
      pours: (known?.pours ?? 0) + 1,
      volumeMl: (known?.volumeMl ?? 0) + fromUl(volumeUl),
    });
  }
  for (const { kind, volumeUl } of losses) parts[lossParts[kind]] += volumeUl;
  let servings = 0;
  let netMinor = 0;
  let handMl2 = 0;
  let largestMl = 0;
  for (const sale of sales) {
    const liquidMl = fromUl(sale.liquidUl);
    parts[saleParts[sale.kind]] += saleUl(sale);
    handMl2 += sale.servings * liquidMl ** 2;
    largestMl = Math.max(largestMl, liquidMl);
    netMinor += sale.netMinor;
    if (sale.kind === 'sold') servings += sale.servings;
  }
  return {
    ...parts,
    drinks,
    held: pours.length - drinks,
    servings,
    netMinor,
    meterSums,
    handMl2: Math.max(0, handMl2),
    cutoffMl2: largestMl ** 2,
  };
}

/**
 * Adds up balances: of consecutive days only the ends of the whole span may cut a serving, of several beverages those of each. The
 * errors of a meter and of the glasses are the same on every day and add up linearly.
 */
export function addBalances(balances: readonly Balance[], of: 'days' | 'beverages'): Balance {
  const total = (read: (one: Balance) => number) => balances.reduce((sum, one) => sum + read(one), 0);
  const meterSums = new Map<string | null, MeterSum>();
  for (const [meter, sum] of balances.flatMap((one) => [...one.meterSums])) {
    const known = meterSums.get(meter);
    meterSums.set(meter, {
      ...sum,
      pours: sum.pours + (known?.pours ?? 0),
      volumeMl: sum.volumeMl + (known?.volumeMl ?? 0),
    });
  }
  return {
    ...addParts(balances),
    drinks: total(({ drinks }) => drinks),
    held: total(({ held }) => held),
    servings: total(({ servings }) => servings),
    netMinor: total(({ netMinor }) => netMinor),
    meterSums,
    handMl2: total(({ handMl2 }) => handMl2),
    cutoffMl2:
      of === 'beverages'
        ? total(({ cutoffMl2 }) => cutoffMl2)
        : Math.max(0, ...balances.map(({ cutoffMl2 }) => cutoffMl2)),
  };
}

const addParts = (balances: readonly Balance[]): BalanceParts =>
  Object.fromEntries(
    partNames.map((name) => [name, balances.reduce((sum, balance) => sum + balance[name], 0)]),
  ) as unknown as BalanceParts;

/** All beer that left the line. */
export const pouredUl = (parts: BalanceParts): number =>
  parts.drinksUl + parts.missedUl + parts.spilledUl + parts.cleaningUl + parts.dripsUl;

/** Beer that was rung up: sold, or given away with a line at the till. */
export const rungUl = (parts: BalanceParts): number =>
  parts.soldUl + parts.compsUl + parts.staffUl + parts.samplesUl;

/** Poured less everything that has a name; negative when more was rung up. */
export const differenceUl = (parts: BalanceParts): number =>
  pouredUl(parts) - rungUl(parts) - parts.spilledUl - parts.cleaningUl - parts.dripsUl;

/** Half width of the 95 % interval of the difference, mL. */
export function differenceUncertaintyMl(balance: Balance): number {
  return Math.hypot(
    sumUncertainty([...balance.meterSums.values()]),
    coverage * uServing * fromUl(rungUl(balance)),
    coverage * uHand * Math.sqrt(balance.handMl2),
    coverage * Math.sqrt(balance.cutoffMl2),
    coverage * uMissed * fromUl(balance.missedUl),
  );
}

/** Mean beer in a serving that was sold, mL; null without one. */
export const meanServingMl = ({ soldUl, servings }: Pick<Balance, 'soldUl' | 'servings'>): number | null =>
  servings > 0 && soldUl > 0 ? fromUl(soldUl) / servings : null;

/** Sold of poured, as a share; null where nothing was poured. */
export function sellingYield(parts: BalanceParts): number | null {
  const poured = pouredUl(parts);
  return poured > 0 ? parts.soldUl / poured : null;
}

/** Value of a volume at the mean net price of what was sold, in the smallest unit of the currency; null without sales. */
export const valueMinor = (
  volumeMl: number,
  { soldUl, netMinor }: Pick<Balance, 'soldUl' | 'netMinor'>,
): number | null => (soldUl > 0 && netMinor > 0 ? (volumeMl / fromUl(soldUl)) * netMinor : null);

/** Sales of the till by kind, as a kind of the balance. */
export const toBalanceKind = (kind: Exclude<SaleKind, 'training'>): BalanceSale['kind'] =>
  kind === 'comp' || kind === 'staff' || kind === 'sample' ? kind : 'sold';
