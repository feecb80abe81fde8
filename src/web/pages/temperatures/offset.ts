/** Degrees Fahrenheit that a difference of one degree Celsius is. */
const fahrenheitPerC = 1.8;

/** Largest offset that the daemon accepts, °C. */
const maxOffsetC = 10;

type TemperatureUnits = 'c' | 'f';

/** An offset in the unit in which it is typed and shown, to hundredths. */
export const toTypedOffset = (offsetC: number, units: TemperatureUnits): number =>
  Math.round((units === 'f' ? offsetC * fahrenheitPerC : offsetC) * 100) / 100;

/** The offset that was typed, °C. */
export const toOffsetC = (typed: number, units: TemperatureUnits): number => {
  const offsetC = units === 'f' ? typed / fahrenheitPerC : typed;
  return Math.max(-maxOffsetC, Math.min(maxOffsetC, Math.round(offsetC * 1_000) / 1_000));
};

/** The largest offset in that unit. */
export const maxTypedOffset = (units: TemperatureUnits): number => toTypedOffset(maxOffsetC, units);

/** The name of the unit. */
export const offsetUnit = (units: TemperatureUnits): string => (units === 'f' ? '°F' : '°C');
