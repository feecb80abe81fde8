import { accessProblem } from '../access-problem.ts';
import { formatHostInfo, type HostInfo } from './host-info.ts';

/** Why one line could not be opened. */
interface LineFailure {
  /**
   * An error code such as `EBUSY`; `USED` or `RANGE` when the line's description already shows the problem.
   */
  readonly code: string;
  readonly pin: number;
  readonly chip: { readonly path: string; readonly label: string; readonly lines: number };
  /** The line's owner; empty when unknown. */
  readonly owner?: string;
}

/** One sentence: why a line cannot be opened and what to do. */
export function lineProblem(failure: LineFailure, hostInfo: HostInfo): string {
  const { pin, chip, code } = failure;
  const where = `GPIO ${pin} of ${chip.path} (${chip.label}; ${formatHostInfo(hostInfo)})`;
  switch (code) {
    case 'EBUSY':
    case 'USED': {
      // An exported line stays exported when its program crashes, and blocks the character device until it is
      // unexported.
      if (failure.owner === 'sysfs') {
        return `${where} is taken through /sys/class/gpio, perhaps by a program that crashed: write its number to /sys/class/gpio/unexport or restart the machine.`;
      }
      const owner = failure.owner ? `"${failure.owner}"` : 'a driver of the kernel that gives no name';
      return `${where} is already taken by ${owner}: free it there or choose another pin.`;
    }
    case 'RANGE':
      return `${where} does not exist: the chip has lines 0 to ${chip.lines - 1}, so choose another pin.`;
    case 'EPERM':
    case 'EACCES':
      return accessProblem(code, { path: chip.path, kind: 'other', what: where, group: 'gpio' }).message;
    case 'EINVAL':
    case 'ENXIO':
    case 'ENOTSUPP':
    case 'EOPNOTSUPP':
      return `${where} cannot be used this way, because the chip refuses edges, pull or output on it (${code}): choose another pin.`;
    default:
      return `${where} could not be opened (${code}): choose another pin or restart the machine.`;
  }
}

/** One sentence: why a chip's device file cannot be used and what to do. */
export function chipProblem(
  failure: { readonly code: string; readonly path: string },
  hostInfo: HostInfo,
): string {
  const { code, path } = failure;
  const where = `${path} (${formatHostInfo(hostInfo)})`;
  switch (code) {
    case 'ENOENT':
      return `${where} does not exist: check gpio.chip in the configuration.`;
    case 'EPERM':
    case 'EACCES':
      return accessProblem(code, { path, kind: 'other', what: where, group: 'gpio' }).message;
    case 'EINVAL':
    case 'ENOTTY':
      return `${where} does not support the GPIO interface of Linux 5.10 and later: update the kernel, or correct gpio.chip.`;
    case 'EBUSY':
      return `${where} is taken by another program: stop that program.`;
    default:
      return `${where} could not be opened (${code}): check the chip and restart the machine.`;
  }
}

/** The code of a failed call; `EUNKNOWN` when it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'EUNKNOWN';
}
