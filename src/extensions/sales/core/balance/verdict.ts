import {
  type Balance,
  differenceUl,
  differenceUncertaintyMl,
  meanServingMl,
  pouredUl,
  valueMinor,
} from './balance.ts';
import { fromUl } from './facts.ts';

/** How much of it, never with a sign. */
export interface Amount {
  readonly volumeMl: number;
  /** Half width of the 95 % interval. */
  readonly uncertaintyMl: number;
  /** In mean servings; null where none was sold. */
  readonly servings: number | null;
  /** At the mean net price, in the smallest unit of the currency; null where nothing was sold. */
  readonly valueMinor: number | null;
  readonly valueUncertaintyMinor: number | null;
  /** Of what was poured; null where nothing was. */
  readonly shareOfPoured: number | null;
}

type Direction = 'poured_not_rung' | 'rung_not_poured';

/** What a balance says. A difference within its interval is none; where nothing was poured and nothing rung up, nothing is known. */
export type Verdict = Amount & { readonly kind: Direction | 'agrees' | 'not_compared' };

export function toVerdict(balance: Balance): Verdict {
  const signedMl = fromUl(differenceUl(balance));
  const volumeMl = Math.abs(signedMl);
  const uncertaintyMl = differenceUncertaintyMl(balance);
  const servingMl = meanServingMl(balance);
  const poured = fromUl(pouredUl(balance));
  return {
    kind: isEmpty(balance)
      ? 'not_compared'
      : volumeMl <= uncertaintyMl
        ? 'agrees'
        : signedMl > 0
          ? 'poured_not_rung'
          : 'rung_not_poured',
    volumeMl,
    uncertaintyMl,
    servings: servingMl === null ? null : volumeMl / servingMl,
    valueMinor: valueMinor(volumeMl, balance),
    valueUncertaintyMinor: valueMinor(uncertaintyMl, balance),
    shareOfPoured: poured > 0 ? volumeMl / poured : null,
  };
}

/** Every serving that was rung up widens the cut-off. */
const isEmpty = ({ drinks, cutoffMl2 }: Balance): boolean => drinks === 0 && cutoffMl2 === 0;

/** Below this share of what was poured, or this number of servings, nobody is told. */
const toldShare = 0.02;
const toldServings = 2;
/** Days looked at, and how many of them must differ. */
export const alarmDays = 7;
const differingDays = 3;

/** The verdict of a day that is worth telling; null if it is not. */
export function toldVerdict(balance: Balance): Direction | null {
  const { kind, servings, shareOfPoured } = toVerdict(balance);
  if (kind === 'agrees' || kind === 'not_compared') return null;
  const isLarge =
    (shareOfPoured ?? Number.POSITIVE_INFINITY) > toldShare &&
    (servings ?? Number.POSITIVE_INFINITY) > toldServings;
  return isLarge ? kind : null;
}

/** A difference in the same direction on several days. */
export interface RepeatedDifference {
  readonly kind: Direction;
  readonly days: number;
  /** Of these days together. */
  readonly volumeMl: number;
}

/** Whether the last days of a beverage, newest last, call for an alarm: the same direction on three of seven. */
export function balanceAlarm(days: readonly Balance[]): RepeatedDifference | null {
  const told = days.slice(-alarmDays).map((balance) => ({ balance, kind: toldVerdict(balance) }));
  for (const kind of ['poured_not_rung', 'rung_not_poured'] as const) {
    const differing = told.filter((one) => one.kind === kind);
    if (differing.length < differingDays) continue;
    const volumeMl = differing.reduce((sum, { balance }) => sum + toVerdict(balance).volumeMl, 0);
    return { kind, days: differing.length, volumeMl };
  }
  return null;
}
