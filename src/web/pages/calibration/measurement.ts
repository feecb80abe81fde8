import type { Operations } from '../../api/operations.ts';
import { formatQuantity, type Units, volume } from '../../format.ts';
import { locale } from '../../words/say.ts';

const mlPerOz = 29.5735295625;

/** What pours are measured with, and what a scale needs to know beside the weight. */
export interface MeasuringMethod {
  readonly tool: 'jug' | 'scale';
  readonly gravity: string;
  /** In the site's scale. */
  readonly temp: string;
  readonly tare: string;
}

/** A pour as the daemon is told of it. */
export type Measurement = Operations['POST /flow-meters/{id}/calibration-estimate']['body']['pours'][number];

/** A figure as people type it, with a comma or a point; null when it is none. */
export function parseDecimal(text: string): number | null {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(value) ? value : null;
}

/** What a jug is read in. */
export const jugUnit = (units: Units): string => (units.volume_units === 'imperial' ? 'oz' : 'mL');

/** What somebody typed beside a pour, as the daemon is told of it; null while it says nothing. */
export function toMeasurement(
  ticks: number,
  input: string,
  method: MeasuringMethod,
  units: Units,
): Measurement | null {
  const value = parseDecimal(input);
  if (value === null || value <= 0) return null;
  if (method.tool === 'jug') {
    return { ticks, volume_ml: units.volume_units === 'imperial' ? value * mlPerOz : value };
  }
  const gravity = parseDecimal(method.gravity);
  const temp = parseDecimal(method.temp);
  return {
    ticks,
    grams: value,
    ...(gravity === null ? {} : { final_gravity: gravity }),
    ...(temp === null ? {} : { temp_c: units.temperature_units === 'f' ? (temp - 32) / 1.8 : temp }),
    tare_grams: parseDecimal(method.tare) ?? 0,
  };
}

const litreFormat = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A volume fine enough to show what a calibration moves: hundredths of a litre, else as everywhere. */
export function formatFineVolume(ml: number, units: Units): string {
  return units.volume_units === 'imperial'
    ? formatQuantity(volume(ml, units))
    : `${litreFormat.format(ml / 1_000)} L`;
}
