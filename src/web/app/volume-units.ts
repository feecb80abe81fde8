import { ounce } from '../../core/kegs/volume-format.ts';
import {
  glassUnit,
  metricMl,
  mlPerOz,
  mlPerUkPint,
  mlPerUsPint,
  type VolumeUnits,
} from '../../core/kegs/volume-units.ts';
import { t } from '../locales/locale.ts';
import { regionOfBar, type Units } from './format.ts';

/** A unit in which people type volumes. */
interface TypedUnit {
  readonly unit: string;
  readonly ml: number;
}

const millilitre: TypedUnit = { unit: 'mL', ml: 1 };
const usOunce: TypedUnit = { unit: ounce, ml: mlPerOz };
const ukPint = (): TypedUnit => ({ unit: t('units.pint'), ml: mlPerUkPint });

/** The unit in which a serving is typed. */
export function servingUnit(units: Units): TypedUnit {
  if (units.volume_units === 'uk') return ukPint();
  if (units.volume_units === 'us') return usOunce;
  const unit = glassUnit(regionOfBar(units));
  return { unit, ml: metricMl[unit] };
}

/** The unit of a measuring jug. */
export const jugUnit = ({ volume_units: system }: Units): TypedUnit => measureUnit(system);

const measureUnit = (system: VolumeUnits): TypedUnit => (system === 'us' ? usOunce : millilitre);

/** A unit of a chart's axis, and the factor from millilitres to it. */
interface AxisUnit {
  readonly unit: string;
  readonly factor: number;
}

/** Returns the unit of an axis up to `maxMl`. */
export function volumeAxis({ volume_units: system }: Units, maxMl: number): AxisUnit {
  if (system === 'us' && maxMl < 32 * mlPerOz) return { unit: ounce, factor: 1 / mlPerOz };
  if (system === 'us') return { unit: t('units.pint'), factor: 1 / mlPerUsPint };
  if (system === 'uk' && maxMl >= mlPerUkPint) return { unit: t('units.pint'), factor: 1 / mlPerUkPint };
  return maxMl < 1000 ? { unit: 'mL', factor: 1 } : { unit: 'L', factor: 1 / 1000 };
}
