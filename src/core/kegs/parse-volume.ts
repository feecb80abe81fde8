import { mlPerOz, mlPerUkPint, mlPerUsPint, type VolumeUnits } from './volume-units.ts';

/** How a person writes a volume. */
export interface VolumeWriting {
  /** Millilitres in the unit of a number without one. */
  readonly mlPerUnit: number;
  /** Decimal separator of the person's language; the other one is understood too, except before groups of three digits. */
  readonly decimal: ',' | '.';
  /** Decides what an ounce and a pint are: an ounce is the US one except in the UK, a pint the UK one except in the US. */
  readonly units: VolumeUnits;
}

/** A volume, or why the text is none. */
export type ParsedVolume =
  | { readonly kind: 'volume'; readonly ml: number }
  | { readonly kind: 'empty' | 'negative' | 'not_a_number' }
  | { readonly kind: 'unknown_unit'; readonly unit: string };

/** Millilitres in an imperial fluid ounce, a twentieth of a UK pint. */
const mlPerImperialOz = mlPerUkPint / 20;

/** Written forms of the metric units, in small letters without points and spaces. */
const metricUnits: Readonly<Record<string, number>> = {
  ml: 1,
  milliliter: 1,
  millilitre: 1,
  cl: 10,
  centiliter: 10,
  centilitre: 10,
  zentiliter: 10,
  dl: 100,
  deciliter: 100,
  decilitre: 100,
  deziliter: 100,
  l: 1_000,
  lt: 1_000,
  ltr: 1_000,
  liter: 1_000,
  litre: 1_000,
  hl: 100_000,
  hectoliter: 100_000,
  hectolitre: 100_000,
};

const ounces: ReadonlySet<string> = new Set(['oz', 'floz', 'ounce', 'fluidounce']);
const pints: ReadonlySet<string> = new Set(['pt', 'pint']);

const fractions: Readonly<Record<string, number>> = {
  '½': 1 / 2,
  '⅓': 1 / 3,
  '⅔': 2 / 3,
  '¼': 1 / 4,
  '¾': 3 / 4,
};

/**
 * Parses a typed volume such as `0,25 l`, `250 ml`, `16 fl oz`, `½ pt` or a number in the unit of the field. A remark in
 * brackets at the end is ignored.
 */
export function parseVolume(text: string, writing: VolumeWriting): ParsedVolume {
  const trimmed = text
    .normalize('NFC')
    .replace(/[\s\u00a0\u202f]+/g, ' ')
    .replace(/ ?\(.*\)$/, '')
    .trim();
  if (trimmed === '') return { kind: 'empty' };
  if (/^[-−–]\s?[\d½⅓⅔¼¾.,]/.test(trimmed)) return { kind: 'negative' };
  const [, numberText = '', unitText = ''] = /^([\d½⅓⅔¼¾.,/⁄'’ ]*)(.*)$/s.exec(trimmed) ?? [];
  // “Pint” alone is one; with another unit the number was forgotten.
  const isOnePint = numberText === '' && trimmed.toLowerCase() === 'pint';
  const number = isOnePint ? 1 : parseNumber(numberText.trim(), writing.decimal);
  if (number === null) return { kind: 'not_a_number' };
  const mlPerUnit = unitText === '' ? writing.mlPerUnit : findUnit(unitText, writing.units);
  if (mlPerUnit === null) return { kind: 'unknown_unit', unit: unitText };
  const ml = number * mlPerUnit;
  return Number.isFinite(ml) ? { kind: 'volume', ml } : { kind: 'not_a_number' };
}

function findUnit(text: string, units: VolumeUnits): number | null {
  const written = text.toLowerCase().replace(/[. ]/g, '');
  for (const name of [written, written.replace(/s$/, '')]) {
    if (Object.hasOwn(metricUnits, name)) return metricUnits[name]!;
    if (ounces.has(name)) return units === 'uk' ? mlPerImperialOz : mlPerOz;
    if (pints.has(name)) return units === 'us' ? mlPerUsPint : mlPerUkPint;
  }
  return null;
}

/** Parses a number, a fraction, or both, `1 ½`. */
function parseNumber(text: string, decimal: ',' | '.'): number | null {
  const sign = /^(?:(\d+) ?)?([½⅓⅔¼¾])$/.exec(text);
  if (sign) return Number(sign[1] ?? 0) + fractions[sign[2]!]!;
  const ratio = /^(?:(\d+) )?(\d+) ?[/⁄] ?(\d+)$/.exec(text);
  if (ratio) {
    const [, whole = '0', over, under] = ratio;
    return Number(under) === 0 ? null : Number(whole) + Number(over) / Number(under);
  }
  return parseDecimal(text, decimal);
}

function parseDecimal(text: string, decimal: ',' | '.'): number | null {
  const group = decimal === ',' ? '.' : ',';
  const grouped = new RegExp(`^[1-9]\\d{0,2}(?:[ '’${group}]\\d{3})+(?:[${decimal}]\\d*)?$`);
  const plain = grouped.test(text) ? text.replaceAll(new RegExp(`[ '’${group}]`, 'g'), '') : text;
  if (!/^(?:\d+[.,]?\d*|[.,]\d+)$/.test(plain)) return null;
  return Number(plain.replace(',', '.'));
}
