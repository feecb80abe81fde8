import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createProblem, type Problem } from '../../../core/health/problems.ts';
import { accessProblem } from '../../../devices/access-problem.ts';
import { portRefusal } from '../../../devices/serial/port-refusal.ts';
import { serialLinkAt } from '../../../devices/serial/serial-link.ts';
import type { LinkFailure } from './serial-board.ts';

/** All Kegboards use this speed. */
const kegboardBaudRate = 115_200;

/** Opens a Kegboard's port. */
export const openBoardLink = serialLinkAt(kegboardBaudRate);

/** A port that may have a board. */
export interface PortCandidate {
  readonly path: string;
  /** Name of the controller, instead of the one derived from its serial number. */
  readonly name?: string;
  /** True for a port that is not configured: its device may not be a Kegboard. */
  readonly isDetected: boolean;
  /**
   * Identifies the device that is plugged in now: another text after it was plugged in again or its access
   * rights were changed. Null while nothing is there.
   */
  readonly device: string | null;
}

interface PortPlan {
  readonly boards: readonly { readonly path: string; readonly name?: string }[];
  /** Tries ports that are plugged in but not configured as well. */
  readonly auto: boolean;
  /** Where the system lists plugged-in ports by stable names. */
  readonly directory: string;
  /** Ports of other devices, which are never tried. */
  readonly others?: readonly string[];
}

/** Upper bound of detected ports. */
const maxDetected = 16;

/** The ports to try now: the configured ones, and with `auto` the others that are plugged in. */
export async function findPorts({
  boards,
  auto,
  directory,
  others = [],
}: PortPlan): Promise<readonly PortCandidate[]> {
  const named = await Promise.all(
    boards.map(
      async (board): Promise<PortCandidate> => ({
        ...board,
        isDetected: false,
        device: await identifyDevice(board.path),
      }),
    ),
  );
  if (!auto) return named;
  const used = new Set(await Promise.all([...named.map(({ path }) => path), ...others].map(resolveDevice)));
  const entries = await readdir(directory).catch((): string[] => []);
  const detected: PortCandidate[] = [];
  for (const entry of entries.toSorted().slice(0, maxDetected)) {
    const path = join(directory, entry);
    const resolved = await resolveDevice(path);
    if (used.has(resolved)) continue;
    used.add(resolved);
    detected.push({ path, isDetected: true, device: await identifyDevice(path) });
  }
  return [...named, ...detected];
}

/** Resolves a path to its device, since a device may have several names. */
function resolveDevice(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/**
 * A device node gets a new number and time when its device is plugged in, and a new time when udev sets its
 * group: until then it cannot be opened.
 */
async function identifyDevice(path: string): Promise<string | null> {
  try {
    const { dev, ino, rdev, ctimeMs } = await stat(path);
    return [dev, ino, rdev, ctimeMs].join('-');
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    // Any other error is reported when the port is opened.
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : 'unknown';
  }
}

/** A configured port has no device. */
export const absentProblem = (path: string): Problem => createProblem('port_empty', { path });

/** Why a port could not be opened and what to do. */
export function openProblem(path: string, fault: unknown): Problem {
  const message = fault instanceof Error ? fault.message : String(fault);
  if (/no such file|no such device|not found/i.test(message)) return absentProblem(path);
  const refusal = portRefusal(message);
  if (refusal !== null) return accessProblem(refusal, { path, kind: 'port', group: 'dialout' });
  const isBusy = /lock|busy|temporarily unavailable/i.test(message);
  return createProblem(isBusy ? 'port_busy' : 'port_not_opened', { path });
}

/** True when the service's device list refuses the port. */
export function isDeviceListRefusal(fault: unknown): boolean {
  return fault instanceof Error && portRefusal(fault.message) === 'EPERM';
}

/** Why an open port is closed and what to do; null when nothing needs attention. */
export function linkProblem(path: string, why: LinkFailure): Problem | null {
  switch (why) {
    case 'not_a_kegboard':
      return createProblem('port_without_kegboard', { path });
    case 'too_old':
      return createProblem('port_firmware_old', { path });
    case 'silent':
      return createProblem('port_silent', { path });
    case 'duplicate':
      return createProblem('port_duplicate', { path });
    case 'renamed':
      return null;
  }
}
