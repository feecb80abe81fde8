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
  switch (style.units) {
    case 'metric':
      return metricQuantity(ml, style);
    case 'us': {
      const ounces = ml / mlPerOz;
      return Math.abs(Math.round(ounces * 10) / 10) < 32
        ? { number: tenths(ounces, style), unit: ounce }
        : { number: tenths(ml / mlPerUsPint, style), unit: style.words.pints };
    }
    case 'uk':
      return Math.abs(Math.round(ml)) < 100
        ? { number: whole(ml, style), unit: 'mL' }
        : ukQuantity(ml, style, tenths(ml / mlPerUkPint, style));
  }
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

function metricQuantity(ml: number, style: VolumeStyle): Quantity {
  const unit = metricUnit(ml, style.region, 'measured');
  return { number: (unit === 'mL' ? whole : tenths)(ml / metricMl[unit], style), unit };
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
const tenths = (value: number, style: VolumeStyle) => format(value, style, 1, 1);
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
