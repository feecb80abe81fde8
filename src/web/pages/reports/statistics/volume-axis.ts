import type { Units } from '../../../app/format.ts';
import { say } from '../../../words/say.ts';

const mlPerOz = 29.5735295625;

/** Unit of an axis up to `maxMl`, and the factor from millilitres to it. */
export function volumeAxis(units: Units, maxMl: number): { readonly unit: string; readonly factor: number } {
  if (units.volume_units === 'imperial') {
    return maxMl < 32 * mlPerOz
      ? { unit: 'oz', factor: 1 / mlPerOz }
      : { unit: say.pint, factor: 1 / (16 * mlPerOz) };
  }
  return maxMl < 1000 ? { unit: 'mL', factor: 1 } : { unit: 'L', factor: 1 / 1000 };
}
