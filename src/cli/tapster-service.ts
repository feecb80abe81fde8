import { execFileSync } from 'node:child_process';
import { AppError } from '../core/app-error.ts';

const unit = 'tapster.service';

/** Longer than the daemon takes to stop (`TimeoutStopSec`) or to be ready, milliseconds. */
const timeoutMs = 120_000;

/** Stops or starts the service with `systemctl`; throws `unavailable` if that fails. */
export function controlService(action: 'stop' | 'start', env: NodeJS.ProcessEnv): void {
  try {
    execFileSync('systemctl', ['--no-ask-password', action, unit], {
      env,
      timeout: timeoutMs,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (cause) {
    const verb = action === 'stop' ? 'stopped' : 'started';
    throw new AppError(
      'unavailable',
      `The service ${unit} cannot be ${verb}: call the command with sudo, or without --restart.`,
      { cause: new Error(String((cause as Error).message)) },
    );
  }
}
