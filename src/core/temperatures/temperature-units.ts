/** Units in which temperatures are shown and typed; they are stored in degrees Celsius. */
export type TemperatureUnits = 'c' | 'f';

/** Degrees Fahrenheit per degree Celsius, °F/°C; exact (NIST SP 811, appendix B.8). */
const fahrenheitPerC = 1.8;
/** 0 °C in °F; exact. */
const freezingF = 32;

/** A temperature in °C in those units. */
export const fromCelsius = (celsius: number, units: TemperatureUnits): number =>
  units === 'f' ? celsius * fahrenheitPerC + freezingF : celsius;

/** A temperature in those units in °C. */
export const toCelsius = (temperature: number, units: TemperatureUnits): number =>
  units === 'f' ? (temperature - freezingF) / fahrenheitPerC : temperature;

/** A difference of temperatures in °C in those units: 1 °C is 1.8 °F, without the 32. */
export const differenceFromCelsius = (celsius: number, units: TemperatureUnits): number =>
  units === 'f' ? celsius * fahrenheitPerC : celsius;

/** A difference of temperatures in those units in °C. */
export const differenceToCelsius = (difference: number, units: TemperatureUnits): number =>
  units === 'f' ? difference / fahrenheitPerC : difference;

/** The sign of the units. */
export const temperatureSign = (units: TemperatureUnits): '°C' | '°F' => (units === 'f' ? '°F' : '°C');
