import type { SdNotify } from '../../system/sd-notify.ts';

/** When the pulses were not drained for this long, the event loop hangs and the watchdog is no longer fed. */
const hungMs = 5_000;

/**
 * Feeds systemd's watchdog every `intervalMs` while the event loop runs and the pulses are drained; null
 * without a watchdog. Disk and network are not checked: a restart would repair neither and lose what waits.
 * Returns a function that stops it.
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
