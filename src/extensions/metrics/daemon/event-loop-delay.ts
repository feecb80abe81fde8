import type { MetricValues } from './metric-values.ts';

/**
 * Returns the function to be called at each heartbeat. A timer of Node starts anew when its callback starts, so what exceeds
 * the interval between two calls is the time for which the main loop was busy.
 */
export function createDelayMeter(
  values: MetricValues,
  nowMs: () => number = () => performance.now(),
): (intervalMs: number) => void {
  let lastMs: number | null = null;
  return (intervalMs) => {
    const atMs = nowMs();
    if (lastMs !== null)
      values.observe('tapster_event_loop_delay_seconds', {}, Math.max(0, atMs - lastMs - intervalMs) / 1_000);
    lastMs = atMs;
  };
}
