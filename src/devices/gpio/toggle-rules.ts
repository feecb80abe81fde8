import { AppError } from '../../core/app-error.ts';
import type { LineFault } from '../ports.ts';

/** No relay may be opened for longer: an hour of open tap is a flood. */
const maxOpenMs = 3_600_000;
const highestTickLimit = 10_000_000;

/** Refuses limits that would not limit. `hasMeter` is false when the meter named is not one of ours. */
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

/** Says why a relay cannot be switched. */
export function throwToggleError(name: string, faults: readonly LineFault[]): never {
  const fault = faults.find((one) => one.name === name);
  if (fault) throw new AppError('unavailable', fault.problem);
  throw new AppError('not_found', `No relay of this machine is called "${name}".`);
}
