import { type ParsedVolume, parseVolume } from '../../../core/kegs/parse-volume.ts';
import { decimalPoint, formatQuantity, type Units, volume } from '../../app/format.ts';
import { servingUnit } from '../../app/volume-units.ts';
import { t } from '../../locales/locale.ts';

/** An example volume, millilitres: a usual glass. */
const exampleMl = 250;
/** A larger pour is asked about when the keg is unknown, millilitres: more than a jug holds. */
const jugMl = 5_000;

/** What a tap or keg can give. */
export interface VolumeLimits {
  /** Volume in the keg; null without a keg. A larger one must be confirmed. */
  readonly leftMl: number | null;
  /** Larger volumes are refused: size of the keg. */
  readonly maxMl: number;
}

/** Limits where no keg is known, millilitres: a large keg. */
export const limitsWithoutKeg: VolumeLimits = { leftMl: null, maxMl: 100_000 };

/** What to do with a volume: take it, ask about it, or refuse it with a sentence. */
export type VolumeDecision =
  | { readonly kind: 'take'; readonly ml: number }
  | { readonly kind: 'ask'; readonly ml: number; readonly question: string }
  | { readonly kind: 'refuse'; readonly sentence: string };

/** Decides on a typed volume; a number without a unit is in the unit of glasses, or in `unit`. */
export function decideTyped(
  text: string,
  limits: VolumeLimits,
  units: Units,
  unit = servingUnit(units),
): VolumeDecision {
  const decimal = decimalPoint === ',' ? ',' : '.';
  const parsed = parseVolume(text, { mlPerUnit: unit.ml, decimal, units: units.volume_units });
  if (parsed.kind === 'volume') return decideVolume(parsed.ml, limits, units);
  return { kind: 'refuse', sentence: explain(parsed, text, units) };
}

/** Decides on a volume, millilitres. */
export function decideVolume(ml: number, { leftMl, maxMl }: VolumeLimits, units: Units): VolumeDecision {
  const format = (value: number) => formatQuantity(volume(value, units));
  if (ml <= 0) return { kind: 'refuse', sentence: t('volume.notPositive') };
  if (ml > maxMl) {
    return { kind: 'refuse', sentence: t('volume.tooLarge', { volume: format(ml), most: format(maxMl) }) };
  }
  if (leftMl !== null && ml > leftMl) {
    const left = format(Math.max(0, leftMl));
    return { kind: 'ask', ml, question: t('volume.askLeft', { volume: format(ml), left }) };
  }
  if (leftMl === null && ml > jugMl) {
    return { kind: 'ask', ml, question: t('volume.ask', { volume: format(ml) }) };
  }
  return { kind: 'take', ml };
}

/** Says which unit a number has, and how much is allowed. */
export const volumeHint = (maxMl: number, units: Units, unit = servingUnit(units)): string =>
  t('volume.hint', {
    unit: unit.unit,
    example: formatExample(units),
    most: formatQuantity(volume(maxMl, units)),
  });

const formatExample = (units: Units): string => formatQuantity(volume(exampleMl, units));

function explain(parsed: Exclude<ParsedVolume, { kind: 'volume' }>, text: string, units: Units): string {
  const example = formatExample(units);
  switch (parsed.kind) {
    case 'empty':
      return t('volume.empty', { example });
    case 'negative':
      return t('volume.notPositive');
    case 'not_a_number':
      return t('volume.notANumber', { text: text.trim(), example });
    case 'unknown_unit':
      return t('volume.unknownUnit', { unit: parsed.unit });
  }
}
