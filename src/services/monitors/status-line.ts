import { type HealthReport, healthAnswer, healthLine } from '../../core/health/own-health.ts';
import { type Listening, localUrl, reachableUrls } from '../../system/own-addresses.ts';
import type { SdNotify } from '../../system/sd-notify.ts';

/** `systemctl status` follows health and addresses within this time, milliseconds: systemd/README.md states it. */
export const statusEveryMs = 2_000;

/** A message is dropped while systemd is busy, so the same line is sent again after so many checks. */
const repeatAfter = 30;

/** What the line says. */
export interface StatusSources {
  readonly health: () => HealthReport;
  /** Null while the page waits for its address. */
  readonly listening: () => Listening | null;
}

/** The state of the daemon in a line, in the words of `/healthz`, with the address of the page. */
export function statusLine({ health, listening }: StatusSources): string {
  const place = listening();
  const where =
    place === null
      ? 'the page waits for its address'
      : `page at ${reachableUrls(place)[0] ?? localUrl(place)}`;
  return healthLine(healthAnswer(health()).body, where);
}

/** Sends the line to systemd whenever it has changed. Returns a function that stops it. */
export function sendStatusLine(
  systemd: Pick<SdNotify, 'isActive' | 'status'>,
  sources: StatusSources,
): () => void {
  if (!systemd.isActive) return () => {};
  let sent = '';
  let since = 0;
  const timer = setInterval(() => {
    const line = statusLine(sources);
    since += 1;
    if (line === sent && since < repeatAfter) return;
    systemd.status(line);
    sent = line;
    since = 0;
  }, statusEveryMs);
  return () => clearInterval(timer);
}
