import {
  differenceFromCelsius,
  differenceToCelsius,
  type TemperatureUnits,
} from '../../../core/temperatures/temperature-units.ts';

/** Largest offset that the daemon accepts, °C. */
const maxOffsetC = 10;

/** An offset in the unit in which it is typed and shown, to hundredths. */
export const toTypedOffset = (offsetC: number, units: TemperatureUnits): number =>
  Math.round(differenceFromCelsius(offsetC, units) * 100) / 100;

/** The offset that was typed, °C. */
export const toOffsetC = (typed: number, units: TemperatureUnits): number => {
  const offsetC = differenceToCelsius(typed, units);
  return Math.max(-maxOffsetC, Math.min(maxOffsetC, Math.round(offsetC * 1_000) / 1_000));
};

/** The largest offset in that unit. */
export const maxTypedOffset = (units: TemperatureUnits): number => toTypedOffset(maxOffsetC, units);
