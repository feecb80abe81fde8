import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { accessProblem } from '../access-problem.ts';
import type { LinkFailure } from './serial-board.ts';

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

/** One sentence: a configured port has no device, and what to do. */
export function absentProblem(path: string): string {
  return `No board is plugged in at ${path}. Plug it in, or correct serial.boards.`;
}

/** One sentence: why a port could not be opened and what to do. */
export function openProblem(path: string, fault: unknown): string {
  const message = fault instanceof Error ? fault.message : String(fault);
  if (/no such file|no such device|not found/i.test(message)) return absentProblem(path);
  const refusal = portRefusal(message);
  if (refusal !== null)
    return accessProblem(refusal, { path, what: `The serial port ${path}`, group: 'dialout' });
  if (/lock|busy|temporarily unavailable/i.test(message))
    return `Another program uses the serial port ${path}. Stop that program.`;
  return `The serial port ${path} cannot be opened. Check that it is a serial port.`;
}

/** True when the service's device list refuses the port. */
export function isDeviceListRefusal(fault: unknown): boolean {
  return fault instanceof Error && portRefusal(fault.message) === 'EPERM';
}

/** The code of a refusal in the library's message, which has no code; null for any other failure. */
export function portRefusal(message: string): 'EACCES' | 'EPERM' | null {
  if (/operation not permitted/i.test(message)) return 'EPERM';
  return /permission denied|access denied/i.test(message) ? 'EACCES' : null;
}

/** One sentence: why an open port is closed and what to do; null when nothing needs attention. */
export function linkProblem(path: string, why: LinkFailure): string | null {
  switch (why) {
    case 'not_a_kegboard':
      return `No Kegboard answers at ${path}. Check the device. Firmware 16 on an Uno or Mega uses a wrong speed: load 17 or later.`;
    case 'too_old':
      return `The firmware of the board at ${path} is older than version 4 and is not supported. Load a newer one.`;
    case 'silent':
      return `The board at ${path} does not answer any more. The connection is retried; if that does not help, unplug the board briefly.`;
    case 'duplicate':
      return `Two boards have the same name; the one at ${path} is not counted. Give it a name under serial.boards.`;
    case 'renamed':
      return null;
  }
}
