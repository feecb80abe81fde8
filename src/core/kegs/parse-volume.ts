import { pintFractions } from './volume-format.ts';
import { metricMl, mlPerOz, mlPerUkPint, mlPerUsPint, type VolumeUnits } from './volume-units.ts';

/** A number, a fraction such as `1/2` or `½`, or nothing; then a unit or nothing; then a remark in brackets. */
const form =
  /^(?:(?<number>[\d.,\s'’]*\d)|(?<sign>[⅓½⅔])|(?<above>\d+)\s*[/⁄]\s*(?<below>\d+))?\s*(?<unit>[\p{L}. ]*)(?:\(.*\))?$/u;

const units: readonly (readonly [pattern: RegExp, ml: number])[] = [
  [/^(?:ml|millilit(?:er|re)s?|milliliter)$/, metricMl.mL],
  [/^(?:cl|centilit(?:er|re)s?|zentiliter)$/, metricMl.cL],
  [/^(?:dl|decilit(?:er|re)s?|deziliter)$/, metricMl.dL],
  [/^(?:l|lit(?:er|re)s?)$/, metricMl.L],
  [/^(?:(?:fl\.?\s*)?oz\.?|ounces?)$/, mlPerOz],
];

/**
 * Reads a volume that a person typed, such as `0,5 l`, `25cl`, `16 oz`, `½ pint` or a bare number, which is in
 * `bareUnitMl` millilitres. Returns millilitres; null when the text is no volume.
 */
export function parseVolume(text: string, system: VolumeUnits, bareUnitMl: number): number | null {
  const parts = form.exec(text.trim().toLowerCase())?.groups;
  if (parts === undefined) return null;
  const unit = (parts.unit ?? '').trim();
  const unitMl = unitOf(unit, system, bareUnitMl);
  // "pint" alone is one pint; with another unit alone the number was forgotten.
  const count = unit === 'pint' && text.trim().toLowerCase() === unit ? 1 : countOf(parts);
  return unitMl === null || count === null ? null : count * unitMl;
}

function countOf({
  number,
  sign,
  above,
  below,
}: Readonly<Record<string, string | undefined>>): number | null {
  if (number !== undefined) return parseNumber(number);
  if (sign !== undefined) return pintFractions.find(([one]) => one === sign)?.[1] ?? null;
  if (above === undefined || Number(below) === 0) return null;
  return Number(above) / Number(below);
}

/** The last of two kinds of marks is the decimal mark, as is a mark that stands alone. */
function parseNumber(text: string): number | null {
  const digits = text.replace(/[\s'’]/g, '');
  const mark = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const before = mark < 0 ? digits : digits.slice(0, mark).replace(/[.,]/g, '');
  const value = Number(mark < 0 ? before : `${before}.${digits.slice(mark + 1)}`);
  return Number.isFinite(value) ? value : null;
}

function unitOf(unit: string, system: VolumeUnits, bareUnitMl: number): number | null {
  if (unit === '') return bareUnitMl;
  if (/^(?:pints?|pt\.?)$/.test(unit)) return system === 'us' ? mlPerUsPint : mlPerUkPint;
  return units.find(([pattern]) => pattern.test(unit))?.[1] ?? null;
}
