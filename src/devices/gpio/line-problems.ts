import { createProblem, type Problem } from '../../core/health/problems.ts';
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

/** Why a line cannot be opened and what to do. */
export function lineProblem({ code, pin, chip, owner }: LineFailure, hostInfo: HostInfo): Problem {
  // The same in every language.
  const line = `GPIO ${pin} (${chip.path}, ${chip.label}; ${formatHostInfo(hostInfo)})`;
  switch (code) {
    case 'EBUSY':
    case 'USED':
      // An exported line stays exported when its program crashes, and blocks the character device until it is
      // unexported.
      if (owner === 'sysfs') return createProblem('line_exported', { line });
      return owner
        ? createProblem('line_taken', { line, owner })
        : createProblem('line_taken_by_kernel', { line });
    case 'RANGE':
      return createProblem('line_out_of_range', { line, last: chip.lines - 1 });
    case 'EPERM':
    case 'EACCES':
      return accessProblem(code, { path: chip.path, kind: 'other', what: line, group: 'gpio' });
    case 'EINVAL':
    case 'ENXIO':
    case 'ENOTSUPP':
    case 'EOPNOTSUPP':
      return createProblem('line_refused', { line, code });
    default:
      return createProblem('line_failed', { line, code });
  }
}

/** Why a chip's device file cannot be used and what to do. */
export function chipProblem(
  { code, path }: { readonly code: string; readonly path: string },
  hostInfo: HostInfo,
): Problem {
  const chip = `${path} (${formatHostInfo(hostInfo)})`;
  switch (code) {
    case 'ENOENT':
      return createProblem('gpio_chip_missing', { chip });
    case 'EPERM':
    case 'EACCES':
      return accessProblem(code, { path, kind: 'other', what: chip, group: 'gpio' });
    case 'EINVAL':
    case 'ENOTTY':
      return createProblem('gpio_chip_old', { chip });
    case 'EBUSY':
      return createProblem('gpio_chip_busy', { chip });
    default:
      return createProblem('gpio_chip_failed', { chip, code });
  }
}

/** The code of a failed call; `EUNKNOWN` when it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'EUNKNOWN';
}
