import { addMeterSums, type MeterSum } from '../../core/measurement/uncertainty.ts';

/** The drinks of one meter in a total. */
export type NamedMeterSum = MeterSum & {
  /** Null: the volumes were given. */
  readonly meter: string | null;
};

/** Totals of volumes and sales. */
export interface Amounts {
  readonly drinks: number;
  readonly pouredMl: number;
  readonly spills: number;
  readonly spilledMl: number;
  readonly held: number;
  readonly heldMl: number;
  /** Pours of uncertain time, which may belong to another day, and held ones that may be beer. */
  readonly unsettledMl: number;
  /** At the prices of the time, in the smallest unit of the currency; null where no price was set. */
  readonly revenueMinor: number | null;
  /** Number and volume of the drinks without a price at their time: they are in `drinks`, not in `revenueMinor`. */
  readonly unpriced: number;
  readonly unpricedMl: number;
  /** The drinks by meter, from which the uncertainty of `pouredMl` follows. */
  readonly meterSums: readonly NamedMeterSum[];
}

/** What the totals need of drinks that have the tap, keg and state in common. */
type Poured = Pick<Amounts, 'drinks' | 'unsettledMl' | 'revenueMinor' | 'unpriced' | 'unpricedMl'> & {
  readonly isHeld: boolean;
  readonly volumeMl: number;
  readonly meterSum: NamedMeterSum;
};

/** Totals of pours and spills; held pours are counted separately only. */
export function computeAmounts(
  poured: readonly Poured[],
  spilled: readonly { spills: number; volumeMl: number }[],
): Amounts {
  const real = poured.filter(({ isHeld }) => !isHeld);
  const held = poured.filter(({ isHeld }) => isHeld);
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const priced = real.flatMap(({ revenueMinor }) => (revenueMinor === null ? [] : [revenueMinor]));
  return {
    drinks: total(real.map(({ drinks }) => drinks)),
    pouredMl: total(real.map(({ volumeMl }) => volumeMl)),
    spills: total(spilled.map(({ spills }) => spills)),
    spilledMl: total(spilled.map(({ volumeMl }) => volumeMl)),
    held: total(held.map(({ drinks }) => drinks)),
    heldMl: total(held.map(({ volumeMl }) => volumeMl)),
    unsettledMl: total(poured.map(({ unsettledMl }) => unsettledMl)),
    revenueMinor: priced.length === 0 ? null : Math.round(total(priced)),
    unpriced: total(real.map(({ unpriced }) => unpriced)),
    unpricedMl: total(real.map(({ unpricedMl }) => unpricedMl)),
    meterSums: mergeSums(real.map(({ meterSum }) => meterSum)),
  };
}

/** Adds up totals. */
export function addAmounts(parts: readonly Amounts[]): Amounts {
  const total = (of: (part: Amounts) => number) => parts.reduce((sum, part) => sum + of(part), 0);
  return {
    drinks: total(({ drinks }) => drinks),
    pouredMl: total(({ pouredMl }) => pouredMl),
    spills: total(({ spills }) => spills),
    spilledMl: total(({ spilledMl }) => spilledMl),
    held: total(({ held }) => held),
    heldMl: total(({ heldMl }) => heldMl),
    unsettledMl: total(({ unsettledMl }) => unsettledMl),
    revenueMinor: parts.every(({ revenueMinor }) => revenueMinor === null)
      ? null
      : total(({ revenueMinor }) => revenueMinor ?? 0),
    unpriced: total(({ unpriced }) => unpriced),
    unpricedMl: total(({ unpricedMl }) => unpricedMl),
    meterSums: mergeSums(parts.flatMap(({ meterSums }) => meterSums)),
  };
}

/** One sum for each meter. */
function mergeSums(sums: readonly NamedMeterSum[]): readonly NamedMeterSum[] {
  const merged = new Map<string | null, NamedMeterSum>();
  for (const sum of sums) {
    const before = merged.get(sum.meter);
    merged.set(sum.meter, before === undefined ? sum : { ...addMeterSums(before, sum), meter: sum.meter });
  }
  return [...merged.values()];
}
