/** Two-sided 95 % quantiles of Student's t-distribution for 1 to 30 degrees of freedom. */
const quantiles = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];
const normalQuantile = 1.96;

/** Factor from a standard error to the half width of its 95 % interval; `degrees` is a whole number from 1. */
export function studentT(degrees: number): number {
  // Beyond the table the difference from the normal distribution is close to 2.5 / degrees.
  return quantiles[degrees - 1] ?? normalQuantile + 2.4 / degrees;
}
