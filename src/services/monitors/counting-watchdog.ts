import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { Logger } from '../../system/log/log.ts';

/** The pins are opened again many times within this time; only a restart of the process is left to try. */
const restartAfterMs = 10 * 60_000;

/** Decides whether systemd's watchdog may be fed. */
interface CountingWatchdog {
  /** Call it before each notification. False makes systemd restart the daemon. */
  mayNotify(): boolean;
}

/**
 * Lets systemd restart a daemon that has not counted for 10 minutes although pins are configured, once. If the restart does
 * not help, the daemon runs on: it serves the page, counts the boards and opens the pins again. `file` remembers the
 * restart until counting works; if it cannot be written there is no restart, which would be repeated every 10 minutes.
 */
export function createCountingWatchdog(options: {
  readonly file: string;
  /** False while pins are configured and none of them counts. */
  readonly isCounting: () => boolean;
  readonly nowMonoMs: () => number;
  readonly log: Pick<Logger, 'error' | 'info' | 'warn'>;
}): CountingWatchdog {
  const { file, isCounting, nowMonoMs, log } = options;
  let wasRestarted = existsSync(file);
  let isStopped = false;
  let failingSinceMs: number | null = null;

  function stop(): void {
    try {
      writeFileSync(file, 'Restarted once because no pin counted. Removed when one counts.\n', {
        mode: 0o600,
        flush: true,
      });
    } catch (err) {
      log.warn({ err }, 'the restart for pins that do not count cannot be noted, so there is none');
      // Tried again after another 10 minutes.
      failingSinceMs = nowMonoMs();
      return;
    }
    wasRestarted = true;
    isStopped = true;
    log.error({}, 'no configured pin has counted for 10 minutes: systemd restarts the daemon, once');
  }

  function reset(): void {
    failingSinceMs = null;
    isStopped = false;
    if (!wasRestarted) return;
    try {
      rmSync(file, { force: true });
      wasRestarted = false;
      log.info({}, 'the pins count again');
    } catch (err) {
      log.warn({ err }, 'the note of the restart for pins that do not count cannot be removed');
    }
  }

  return {
    mayNotify() {
      if (isCounting()) {
        reset();
        return true;
      }
      failingSinceMs ??= nowMonoMs();
      if (!wasRestarted && nowMonoMs() - failingSinceMs >= restartAfterMs) stop();
      return !isStopped;
    },
  };
}
