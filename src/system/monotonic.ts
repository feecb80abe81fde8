/**
 * Returns the kernel's monotonic clock (CLOCK_MONOTONIC), milliseconds since boot with fractions. GPIO edges
 * carry stamps of the same clock, so the two can be compared.
 */
export function monotonicMs(): number {
  // A double keeps microsecond precision for years of uptime.
  return Number(process.hrtime.bigint()) / 1e6;
}
