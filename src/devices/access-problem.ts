import { createProblem, type Problem } from '../core/health/problems.ts';

/** A device file that may not be opened. */
interface RefusedDevice {
  readonly path: string;
  /** What it is; `other` has a description in `what`. */
  readonly kind: 'port' | 'reader' | 'other';
  /** The device and its place, as the subject of the sentence. */
  readonly what?: string;
  /** The group that owns such files. */
  readonly group: 'dialout' | 'gpio' | 'input';
}

/**
 * Who refuses to open a device file and what to do. `EACCES` is the file's owner and mode; `EPERM` is the device cgroup,
 * which systemd sets up from the unit's `DeviceAllow` and which groups and modes do not change.
 */
export function accessProblem(
  code: 'EACCES' | 'EPERM',
  { path, kind, what = path, group }: RefusedDevice,
): Problem {
  return code === 'EACCES'
    ? createProblem('device_not_permitted', { kind, what, path, group })
    : createProblem('device_not_listed', { kind, what, path });
}
