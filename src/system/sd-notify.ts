import { unixDatagramSender } from './unix-datagram.ts';

/** Notifications to systemd. Every call returns at once and never throws; without systemd it does nothing. */
export interface SdNotify {
  /** False without systemd: started from a shell or by another init. */
  readonly isActive: boolean;
  /** Reports that counting, storing and serving have started. */
  ready(status?: string): void;
  /** Sets the line in `systemctl status`. */
  status(text: string): void;
  /** Feeds the watchdog: the event loop runs and the pulses are drained. */
  watchdog(): void;
  stopping(status?: string): void;
  close(): void;
}

/** Bound of the status line, characters; systemd takes messages of up to 4096 bytes. */
const maxStatusChars = 500;

const inactive: SdNotify = {
  isActive: false,
  ready() {},
  status() {},
  watchdog() {},
  stopping() {},
  close() {},
};

/** Connects to the service manager named by `$NOTIFY_SOCKET`. `onFault` gets the reason when that fails. */
export async function createSdNotify(
  env: Readonly<Record<string, string | undefined>> = process.env,
  onFault: (fault: unknown) => void = () => {},
): Promise<SdNotify> {
  const address = env.NOTIFY_SOCKET;
  if (!address) return inactive;
  try {
    const sender = await unixDatagramSender(address);
    const notify = (...lines: readonly string[]) => {
      // Dropped when the manager is busy, because waiting would stop counting; the next heartbeat sends
      // again.
      sender.send(lines.join('\n'));
    };
    return {
      isActive: true,
      ready: (status) => notify('READY=1', ...statusLine(status)),
      status: (text) => notify(...statusLine(text)),
      watchdog: () => notify('WATCHDOG=1'),
      stopping: (status) => notify('STOPPING=1', ...statusLine(status)),
      close: () => sender.close(),
    };
  } catch (fault) {
    onFault(fault);
    return inactive;
  }
}

/**
 * Returns how often to call `watchdog`, milliseconds: half of what systemd allows, as its manual advises.
 * Null when no watchdog is configured, or only for another process.
 */
export function watchdogIntervalMs(
  env: Readonly<Record<string, string | undefined>> = process.env,
  pid: number = process.pid,
): number | null {
  const allowedUs = Number(env.WATCHDOG_USEC);
  if (!Number.isFinite(allowedUs) || allowedUs <= 0) return null;
  if (env.WATCHDOG_PID && Number(env.WATCHDOG_PID) !== pid) return null;
  return allowedUs / 2_000;
}

function statusLine(text: string | undefined): string[] {
  return text === undefined ? [] : [`STATUS=${text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, maxStatusChars)}`];
}
