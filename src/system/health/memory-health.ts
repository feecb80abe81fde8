import { join } from 'node:path';
import { readTextFile } from '../small-files.ts';
import { type Finding, ok, unknown, warn } from './finding.ts';

/**
 * Checks that the kernel enforces the memory limit of the service, the second line behind the program's own limits.
 * `sysDirectory` is `/sys` except in tests.
 */
export function memoryFindings(sysDirectory = '/sys'): Finding[] {
  const controllers = readTextFile(join(sysDirectory, 'fs', 'cgroup', 'cgroup.controllers'));
  if (controllers === null) return [unknown('The kernel’s memory limits cannot be read here.')];
  if (controllers.split(/\s+/).includes('memory'))
    return [ok('The kernel enforces the service’s memory limit.')];
  return [
    warn(
      'The kernel does not enforce the service’s memory limit, as usual on Raspberry Pi OS. The daemon limits its memory itself.',
      'To enforce it too, add cgroup_enable=memory to the line in /boot/firmware/cmdline.txt and restart the Pi.',
    ),
  ];
}
