import { toCelsius } from '../../../../core/rules/temperature-units.ts';
import type { Operations } from '../../../api/generated.ts';
import type { Units } from '../../../app/format.ts';
import { jugUnit } from '../../../app/volume-units.ts';

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

/** Converts the text typed next to a pour to the API's request; null while it is not a positive number. */
export function toMeasurement(
  ticks: number,
  input: string,
  method: MeasuringMethod,
  units: Units,
): Measurement | null {
  const value = parseDecimal(input);
  if (value === null || value <= 0) return null;
  if (method.tool === 'jug') {
    return { ticks, volume_ml: value * jugUnit(units).ml };
  }
  const gravity = parseDecimal(method.gravity);
  const temp = parseDecimal(method.temp);
  return {
    ticks,
    grams: value,
    ...(gravity === null ? {} : { final_gravity: gravity }),
    ...(temp === null ? {} : { temp_c: toCelsius(temp, units.temperature_units) }),
    tare_grams: parseDecimal(method.tare) ?? 0,
  };
}
