import {
  type GlassUnit,
  glassUnit,
  metricMl,
  mlPerOz,
  mlPerUkPint,
  mlPerUsPint,
  type VolumeUnits,
} from './volume-units.ts';

/** What the form of a volume depends on. */
export interface VolumeStyle {
  readonly units: VolumeUnits;
  /** Language of the digits; undefined for that of the machine. */
  readonly locale: string | undefined;
  /** Country of the bar (ISO 3166), which decides between mL, cL, dL and L; null when unknown. */
  readonly region: string | null;
  readonly words: VolumeWords;
}

/** Names of the pint in the reader's language. */
export interface VolumeWords {
  /** After 1 and after a fraction: “½ pint”. */
  readonly pint: string;
  readonly pints: string;
}

/** A quantity in two parts, so that the number can be shown larger than its unit. */
export interface Quantity {
  readonly number: string;
  readonly unit: string;
}

/** The unit of US volumes below two pints. */
export const ounce = 'fl oz';

/** A serving may differ by this much from the size that it is shown as, millilitres. */
const sameServingMl = 0.5;

/** Fractions of a UK pint that are written as such: the measures in which draught beer may be sold there. */
export const pintFractions = [
  ['⅓', 1 / 3],
  ['½', 1 / 2],
  ['⅔', 2 / 3],
] as const;

/**
 * Converts a measured volume to the site's units. Metric: see `metricUnit`. US: fluid ounces below 32, else pints. UK: mL
 * below 100, else pints, with mL beside them below ten.
 */
export function toQuantity(ml: number, style: VolumeStyle): Quantity {
  const { name, mlPerUnit, decimals } = measuredUnit(ml, style);
  const number = format(ml / mlPerUnit, style, decimals, decimals);
  return mlPerUnit === mlPerUkPint ? ukQuantity(ml, style, number) : { number, unit: name };
}

/** A measured volume with its uncertainty in the same unit, both with the same decimals. */
export interface UncertainQuantity extends Quantity {
  readonly uncertainty: string;
}

/**
 * Converts a measured volume with the half width of its interval. The decimals are those of the uncertainty, which has two
 * digits if the first is 1 or 2, else one; at most those of about 10 mL. The unit is that of the larger of the two.
 */
export function toUncertainQuantity(
  ml: number,
  uncertaintyMl: number,
  style: VolumeStyle,
): UncertainQuantity {
  const unit = measuredUnit(Math.max(Math.abs(ml), uncertaintyMl), style);
  const size = uncertaintyMl / unit.mlPerUnit;
  const decimals = uncertainDecimals(size, unit);
  const show = (value: number) => format(value, style, decimals, decimals);
  return {
    number: show(ml / unit.mlPerUnit),
    // Never 0 for what is not known exactly.
    uncertainty: show(size === 0 ? 0 : Math.max(size, 10 ** -decimals)),
    unit: unit.name,
  };
}

function uncertainDecimals(size: number, { mlPerUnit, decimals }: MeasuredUnit): number {
  if (size === 0) return decimals;
  const exponent = Math.floor(Math.log10(size));
  const digits = size / 10 ** exponent < 3 ? 2 : 1;
  const most = mlPerUnit >= 100 ? 2 : mlPerUnit >= 10 ? 1 : 0;
  return Math.min(most, Math.max(0, digits - 1 - exponent));
}

/** Converts the size of a glass, which is exact, to the site's units: without decimals that are 0. */
export function toServing(ml: number, style: VolumeStyle): Quantity {
  switch (style.units) {
    case 'metric': {
      const unit = metricUnit(ml, style.region, 'glass');
      return { number: exact(ml / metricMl[unit], style), unit };
    }
    case 'us':
      return { number: exact(ml / mlPerOz, style), unit: ounce };
    case 'uk':
      return ukQuantity(ml, style, exact(ml / mlPerUkPint, style));
  }
}

/** Converts a volume finely enough to show the effect of a calibration: to hundredths of a litre, US volumes as measured ones. */
export const toFineQuantity = (ml: number, style: VolumeStyle): Quantity =>
  style.units === 'us' ? toQuantity(ml, style) : { number: format(ml / metricMl.L, style, 2, 2), unit: 'L' };

/** Formats a quantity as one text. With a no-break `space` a line ends only before an amount in brackets. */
export const formatQuantity = ({ number, unit }: Quantity, space = ' '): string =>
  `${number} ${unit}`.replace(/ (?!\()/g, space);

/**
 * The unit of a metric volume, for glasses and measured volumes alike: from a litre on the litre, below it the unit in which
 * the country writes glasses (0.5 L, 50 cL, 5 dL, 500 mL). A measured volume is in mL where that unit is the litre, whose
 * tenths are too coarse for a drink; below 10 mL it is always in mL.
 */
function metricUnit(ml: number, region: string | null, kind: 'glass' | 'measured'): GlassUnit {
  const size = Math.abs(Math.round(ml));
  if (size >= 1_000) return 'L';
  const unit = glassUnit(region);
  return kind === 'measured' && (unit === 'L' || size < 10) ? 'mL' : unit;
}

/** The unit of a measured volume, and the usual decimals of a number in it. */
interface MeasuredUnit {
  readonly name: string;
  readonly mlPerUnit: number;
  readonly decimals: 0 | 1;
}

const millilitre: MeasuredUnit = { name: 'mL', mlPerUnit: 1, decimals: 0 };

function measuredUnit(ml: number, { units, region, words }: VolumeStyle): MeasuredUnit {
  switch (units) {
    case 'metric': {
      const unit = metricUnit(ml, region, 'measured');
      return unit === 'mL' ? millilitre : { name: unit, mlPerUnit: metricMl[unit], decimals: 1 };
    }
    case 'us':
      return Math.abs(Math.round((ml / mlPerOz) * 10) / 10) < 32
        ? { name: ounce, mlPerUnit: mlPerOz, decimals: 1 }
        : { name: words.pints, mlPerUnit: mlPerUsPint, decimals: 1 };
    case 'uk':
      return Math.abs(Math.round(ml)) < 100
        ? millilitre
        : { name: words.pints, mlPerUnit: mlPerUkPint, decimals: 1 };
  }
}

/** `number` is the number of pints where the volume is not a usual measure. */
function ukQuantity(ml: number, style: VolumeStyle, number: string): Quantity {
  const { pint, pints } = style.words;
  const beside = Math.abs(ml) < 10 * mlPerUkPint ? ` (${whole(ml, style)} mL)` : '';
  const fraction = pintFractions.find(([, part]) => Math.abs(ml - part * mlPerUkPint) < sameServingMl);
  if (fraction !== undefined) return { number: fraction[0], unit: `${pint}${beside}` };
  if (Math.abs(ml - mlPerUkPint) < sameServingMl)
    return { number: whole(1, style), unit: `${pint}${beside}` };
  return { number, unit: `${pints}${beside}` };
}

const whole = (value: number, style: VolumeStyle) => format(value, style, 0, 0);
const exact = (value: number, style: VolumeStyle) => format(value, style, 0, 2);

/** Creating a formatter takes 100 times longer than using it; a page shows hundreds of volumes. */
const formatters = new Map<string, Intl.NumberFormat>();

function format(value: number, { locale }: VolumeStyle, least: number, most: number): string {
  const key = `${locale} ${least} ${most}`;
  const formatter =
    formatters.get(key) ??
    new Intl.NumberFormat(locale, {
      minimumFractionDigits: least,
      maximumFractionDigits: most,
      // "1137 mL" without a separator, which in other languages is the decimal mark.
      useGrouping: 'min2',
    });
  formatters.set(key, formatter);
  return formatter.format(value);
}
