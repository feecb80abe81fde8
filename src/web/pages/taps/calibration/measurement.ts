import { toCelsius } from '../../../../core/temperatures/temperature-units.ts';
import type { Operations } from '../../../api/generated.ts';
import type { Units } from '../../../app/format.ts';
import { jugUnit } from '../../../app/volume-units.ts';
import { decideTyped, limitsWithoutKeg } from '../../../components/form/typed-volume.ts';
import { t } from '../../../locales/locale.ts';

/** The measuring tool, and the inputs that convert a weight to a volume. */
export interface MeasuringMethod {
  readonly tool: 'jug' | 'scale';
  readonly gravity: string;
  /** In the site's temperature unit. */
  readonly temp: string;
  readonly tare: string;
}

/** A measured pour in the API's request. */
type Measurement = Operations['POST /flow-meters/{id}/calibration-estimate']['body']['pours'][number];

/** Parses a number with decimal comma or point; null when it is not a number. */
export function parseDecimal(text: string): number | null {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(value) ? value : null;
}

/** What was typed next to a pour: nothing yet, a measurement, or what is wrong with it. */
type TypedMeasurement =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'measured'; readonly measurement: Measurement }
  | { readonly kind: 'refused'; readonly sentence: string };

/** Says that a text is not a number; null for a number and for nothing. */
export const explainDecimal = (text: string): string | null =>
  text.trim() === '' || parseDecimal(text) !== null
    ? null
    : t('calibration.notANumber', { text: text.trim() });

/** Reads the text typed next to a pour: a volume, with or without its unit, or a weight in grams. */
export function readMeasurement(
  ticks: number,
  input: string,
  method: MeasuringMethod,
  units: Units,
): TypedMeasurement {
  if (input.trim() === '') return { kind: 'incomplete' };
  if (method.tool === 'jug') {
    const decision = decideTyped(input, limitsWithoutKeg, units, jugUnit(units));
    if (decision.kind === 'refuse') return { kind: 'refused', sentence: decision.sentence };
    return { kind: 'measured', measurement: { ticks, volume_ml: decision.ml } };
  }
  const grams = parseDecimal(input.replace(/\s*g\s*$/i, ''));
  if (grams === null)
    return { kind: 'refused', sentence: t('calibration.notANumber', { text: input.trim() }) };
  if (grams <= 0) return { kind: 'refused', sentence: t('volume.notPositive') };
  const { gravity, temp, tare } = method;
  // Without them the result would be that of other values than those on the screen.
  if ([gravity, temp, tare].some((text) => explainDecimal(text) !== null)) return { kind: 'incomplete' };
  const [finalGravity, degrees] = [parseDecimal(gravity), parseDecimal(temp)];
  const measurement: Measurement = {
    ticks,
    grams,
    ...(finalGravity === null ? {} : { final_gravity: finalGravity }),
    ...(degrees === null ? {} : { temp_c: toCelsius(degrees, units.temperature_units) }),
    tare_grams: parseDecimal(tare) ?? 0,
  };
  return { kind: 'measured', measurement };
}
