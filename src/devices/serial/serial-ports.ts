import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { LinkFailure } from './serial-board.ts';

/** A port a board may be on. */
export interface PortCandidate {
  readonly path: string;
  /** Name of the controller there, in place of the one its serial number gives. */
  readonly name?: string;
  /** True for a port nobody named: whatever is on it may be no Kegboard at all. */
  readonly isGuess: boolean;
}

export interface PortPlan {
  readonly boards: readonly { readonly path: string; readonly name?: string }[];
  /** Tries what is plugged in as well. */
  readonly auto: boolean;
  /** Where the system lists what is plugged in, by names that stay. */
  readonly directory: string;
  /** Ports that belong to something else, and are never guessed at. */
  readonly others?: readonly string[];
}

/** More USB serial ports than this at one Pi are none of ours. */
const maxDetected = 16;

/** The ports to try now: those the plan names, and with `auto` those that are plugged in beside them. */
export async function findPorts({
  boards,
  auto,
  directory,
  others = [],
}: PortPlan): Promise<readonly PortCandidate[]> {
  const named = boards.map((board): PortCandidate => ({ ...board, isGuess: false }));
  if (!auto) return named;
  const taken = new Set(await Promise.all([...named.map(({ path }) => path), ...others].map(resolveDevice)));
  const entries = await readdir(directory).catch((): string[] => []);
  const detected: PortCandidate[] = [];
  for (const entry of entries.toSorted().slice(0, maxDetected)) {
    const path = join(directory, entry);
    const device = await resolveDevice(path);
    if (taken.has(device)) continue;
    taken.add(device);
    detected.push({ path, isGuess: true });
  }
  return [...named, ...detected];
}

/** The same device may have several names. */
function resolveDevice(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** Why a port could not be opened, and what to do. */
export function openProblem(path: string, fault: unknown): string {
  const message = fault instanceof Error ? fault.message : String(fault);
  if (/no such file|no such device|not found/i.test(message))
    return `No board is plugged in at ${path}. Plug it in, or correct serial.boards.`;
  if (/permission denied|access denied/i.test(message))
    return `The serial port ${path} may not be opened. Add the user Tapster runs as to the group dialout.`;
  if (/lock|busy|temporarily unavailable/i.test(message))
    return `Another program holds the serial port ${path}. Stop it.`;
  return `The serial port ${path} cannot be opened; is it a serial port at all?`;
}

/** Why an open port is let go, and what to do; null when nobody need care. */
export function linkProblem(path: string, why: LinkFailure): string | null {
  switch (why) {
    case 'not_a_kegboard':
      return `Nothing at ${path} speaks as a Kegboard does. Is it one? Firmware 16 on an Uno or Mega talks at a wrong speed and needs 17 or later.`;
    case 'too_old':
      return `The firmware of the board at ${path} is older than version 4 and is not understood. Load a newer one.`;
    case 'silent':
      return `The board at ${path} has fallen silent. It is tried again; if that does not help, unplug it for a moment.`;
    case 'duplicate':
      return `Two boards call themselves the same; the one at ${path} is not counted. Give it a name under serial.boards.`;
    case 'renamed':
      return null;
  }
}
