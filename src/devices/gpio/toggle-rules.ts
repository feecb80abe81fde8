import { AppError } from '../../core/app-error.ts';
import type { LineFault } from '../device-interfaces.ts';

/** Upper bound of the time a relay may be opened for: one hour. */
const maxOpenMs = 3_600_000;
const highestTickLimit = 10_000_000;

/**
 * Throws `invalid_request` for limits out of range. `hasMeter` is false when the named meter is not on this
 * driver.
 */
export function checkLimits(
  limits: { readonly maxMs: number; readonly meter?: string; readonly maxTicks?: number },
  hasMeter: boolean,
): void {
  const { maxMs, maxTicks, meter } = limits;
  if (!(maxMs > 0 && maxMs <= maxOpenMs)) {
    throw new AppError('invalid_request', `A relay opens for more than 0 and at most ${maxOpenMs} ms.`);
  }
  if (maxTicks === undefined) return;
  if (!(Number.isInteger(maxTicks) && maxTicks > 0 && maxTicks <= highestTickLimit)) {
    throw new AppError(
      'invalid_request',
      `A relay's ticks are a whole number from 1 to ${highestTickLimit}.`,
    );
  }
  if (!hasMeter) {
    throw new AppError(
      'invalid_request',
      `No meter of this machine is called "${meter ?? ''}"; ticks cannot limit the relay.`,
    );
  }
}

/** Throws the reason why a relay cannot be switched: `unavailable` or `not_found`. */
export function throwToggleError(name: string, faults: readonly LineFault[]): never {
  const fault = faults.find((one) => one.name === name);
  if (fault) throw new AppError('unavailable', fault.problem);
  throw new AppError('not_found', `No relay of this machine is called "${name}".`);
}
