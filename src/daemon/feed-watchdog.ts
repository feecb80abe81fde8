import type { SdNotify } from '../system/sd-notify.ts';

/** Pulses not drained for this long mean that the loop hangs: systemd is then no longer told that we live. */
const hungMs = 5_000;

/**
 * Tells systemd every `intervalMs` that we live, while the loop turns and the pulses are drained; null for a manager that
 * does not ask. Neither disk nor network counts: a restart would mend none of them and drop what waits. Returns the way
 * to stop.
 */
export function feedWatchdog(options: {
  readonly systemd: Pick<SdNotify, 'isActive' | 'watchdog'>;
  readonly intervalMs: number | null;
  /** Milliseconds since the pulses were last drained. */
  readonly sinceHeartbeatMs: () => number;
}): () => void {
  const { systemd, intervalMs, sinceHeartbeatMs } = options;
  if (!systemd.isActive || intervalMs === null) return () => {};
  const timer = setInterval(() => {
    if (sinceHeartbeatMs() < hungMs) systemd.watchdog();
  }, intervalMs);
  return () => clearInterval(timer);
}
