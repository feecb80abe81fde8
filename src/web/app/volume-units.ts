import { t } from '../locales/locale.ts';
import type { Units } from './format.ts';

type UnitSystem = Units['volume_units'];

/** Millilitres in a US fluid ounce. */
export const mlPerOz = 29.5735295625;
/** Millilitres in a US pint, 16 fluid ounces. */
export const mlPerUsPint = 16 * mlPerOz;
/** Millilitres in a UK pint. */
export const mlPerUkPint = 568.26125;

/** A unit in which people type volumes. */
interface TypedUnit {
  readonly unit: string;
  readonly ml: number;
}

const millilitre: TypedUnit = { unit: 'mL', ml: 1 };
const usOunce: TypedUnit = { unit: 'oz', ml: mlPerOz };
const ukPint = (): TypedUnit => ({ unit: t('units.pint'), ml: mlPerUkPint });

/** The unit in which a serving is typed. */
export function servingUnit({ volume_units: system }: Units): TypedUnit {
  return system === 'uk' ? ukPint() : measureUnit(system);
}

/** The unit of a measuring jug. */
export const jugUnit = ({ volume_units: system }: Units): TypedUnit => measureUnit(system);

const measureUnit = (system: UnitSystem): TypedUnit => (system === 'us' ? usOunce : millilitre);

/** Usual servings, millilitres. UK: the measures in which draught beer may be sold there, and two pints for a jug. */
export const servingsMl: Readonly<Record<UnitSystem, readonly number[]>> = {
  metric: [100, 200, 250, 300, 330, 400, 500],
  us: [4, 8, 10, 12, 16, 20].map((oz) => oz * mlPerOz),
  uk: [1 / 3, 1 / 2, 2 / 3, 1, 2].map((pints) => pints * mlPerUkPint),
};

/** The serving of a simulated pour, millilitres: a third of a litre, twelve ounces, half a pint. */
export const simulatedServingMl: Readonly<Record<UnitSystem, number>> = {
  metric: 330,
  us: 355,
  uk: mlPerUkPint / 2,
};

/** A unit of a chart's axis, and the factor from millilitres to it. */
interface AxisUnit {
  readonly unit: string;
  readonly factor: number;
}

/** Returns the unit of an axis up to `maxMl`. */
export function volumeAxis({ volume_units: system }: Units, maxMl: number): AxisUnit {
  if (system === 'us' && maxMl < 32 * mlPerOz) return { unit: 'oz', factor: 1 / mlPerOz };
  if (system === 'us') return { unit: t('units.pint'), factor: 1 / mlPerUsPint };
  if (system === 'uk' && maxMl >= mlPerUkPint) return { unit: t('units.pint'), factor: 1 / mlPerUkPint };
  return maxMl < 1000 ? { unit: 'mL', factor: 1 } : { unit: 'L', factor: 1 / 1000 };
}

/** Fractions of a UK pint that are written as such. */
const ukFractions = [
  ['⅓', 1 / 3],
  ['½', 1 / 2],
  ['⅔', 2 / 3],
] as const;

/** Returns the fraction sign of a UK serving; null for another volume. */
export const ukFraction = (ml: number): string | null =>
  ukFractions.find(([, pints]) => Math.abs(ml - pints * mlPerUkPint) < 0.5)?.[0] ?? null;
