/**
 * Milliseconds of the kernel's monotonic clock (CLOCK_MONOTONIC) since boot, with fractions. GPIO edges carry stamps of
 * the same clock, so the two can be compared.
 */
export function monotonicMs(): number {
  // A boot lasts years before the microseconds no longer fit a double.
  return Number(process.hrtime.bigint()) / 1e6;
}
