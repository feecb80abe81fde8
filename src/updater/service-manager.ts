import { execFileSync, spawn } from 'node:child_process';

const unit = 'tapster.service';
const updaterUnit = 'tapster-updater.service';
/** It is not sandboxed, since dpkg writes to the whole system. */
const installUnit = 'tapster-install.service';

/** systemctl answers at once, since it waits for no job, milliseconds. */
const timeoutMs = 30_000;

/** What the updater needs of systemd; tests have a supervisor of their own behind `systemctl`. */
export interface ServiceManager {
  /** Sets the count of automatic restarts to 0 and returns it, in case that it was not. */
  resetRestarts(): number;
  /** Automatic restarts since somebody started the service. */
  restarts(): number;
  /** Restarts the daemon without waiting until it is ready. */
  restart(): void;
  /** Starts the updater's own service without waiting for it. */
  startUpdater(): void;
  /** Has apt install the downloaded package, in a unit of its own, and waits for its end; false if it failed. Joins one that runs. */
  installPackage(): Promise<boolean>;
}

export function createServiceManager(systemctl: string): ServiceManager {
  const run = (...args: string[]): string =>
    execFileSync(systemctl, ['--no-ask-password', ...args], {
      encoding: 'utf8',
      timeout: timeoutMs,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const restarts = (): number => {
    try {
      return Number(/^NRestarts=(\d{1,9})$/m.exec(run('show', '--property=NRestarts', unit))?.[1] ?? 0);
    } catch {
      // systemd is busy: the next observation counts them.
      return 0;
    }
  };
  return {
    restarts,
    resetRestarts() {
      try {
        run('reset-failed', unit);
      } catch {
        // A service that was never started has nothing to reset.
      }
      return restarts();
    },
    restart: () => void run('--no-block', 'restart', unit),
    // The call ends after the time limits of the unit.
    installPackage: () =>
      new Promise((resolve) => {
        const child = spawn(systemctl, ['--no-ask-password', 'start', installUnit], { stdio: 'ignore' });
        child.once('error', () => resolve(false));
        child.once('close', (code) => resolve(code === 0));
      }),
    startUpdater: () => void run('--no-block', 'start', updaterUnit),
  };
}
