import { accessSync, constants, realpathSync } from 'node:fs';
import { type Finding, fail, ok, warn } from '../../system/health/finding.ts';
import { isAbsent } from '../../system/small-files.ts';

/** Checks that a port exists and may be opened; sends nothing. `group` owns such ports. */
export function portFinding(
  path: string,
  group: 'dialout' | 'input' = 'dialout',
  mayOpen: (path: string) => boolean = mayRead,
): Finding {
  if (isAbsent(path)) return warn(`Nothing is plugged in at ${path}.`, 'Plug it in, or correct its path.');
  if (!mayOpen(path)) {
    return fail(
      `${path} may not be opened by this user.`,
      `Run the doctor as the daemon's user (sudo -u tapster tapster doctor), or: sudo usermod -aG ${group} tapster, then restart the service.`,
    );
  }
  return ok(`${path} is plugged in${resolveDevice(path) === path ? '' : ` (${resolveDevice(path)})`}.`);
}

/** The device of a path, since a device may have several names; the path itself where nothing is there. */
export function resolveDevice(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function mayRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
