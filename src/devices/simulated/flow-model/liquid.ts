/** Temperature and pressure at which the flow of a scenario is given. */
export const nominalTemperatureC = 5;
export const nominalPressureBar = 1;

/** Kinematic viscosity of lager at 6 °C (PMC8047704) and of water at 20 °C, mm²/s. */
const beerAt6 = 2.4;
const waterAt20 = 1.0;

/** Both become thinner by 14 % from 3 to 8 °C, as water does. */
const thinningPerC = 0.03;

/** Flow of a line falls with about the fourth root of viscosity (Blasius: turbulent in smooth pipes), by little. */
const viscosityExponent = 1 / 7;

export const beerViscosity = (temperatureC: number): number =>
  beerAt6 * Math.exp(-thinningPerC * (temperatureC - 6));

export const waterViscosity = (temperatureC: number): number =>
  waterAt20 * Math.exp(-thinningPerC * (temperatureC - 20));

/** How much the flow of the open tap differs from the nominal one. */
export function flowFactor(temperatureC: number, pressureBar: number): number {
  const thickness = beerViscosity(temperatureC) / beerViscosity(nominalTemperatureC);
  return Math.sqrt(Math.max(pressureBar, 0) / nominalPressureBar) * thickness ** -viscosityExponent;
}
