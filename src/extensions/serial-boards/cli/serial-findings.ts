import { accessSync, constants, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../config/schema.ts';
import { type Finding, fail, ok, unknown, warn } from '../../../system/health/finding.ts';
import { isAbsent } from '../../../system/small-files.ts';

/** Bound of the listed serial ports. */
const maxListed = 16;

/**
 * Checks the port of every configured serial board, and with `auto` every port that would be tried. Opens
 * none of them.
 */
export function serialFindings(config: Config): Finding[] {
  const { boards, auto, directory } = config.serial;
  const named = boards.flatMap(({ path }) => [portFinding(path), ...nameFinding(path, directory)]);
  if (!auto) return named.length === 0 ? [unknown('No serial board is configured.')] : named;
  const taken = new Set(
    [...boards.map(({ path }) => path), ...readerPorts(config)].map((path) => resolveDevice(path)),
  );
  const guesses = listPorts(directory).filter((path) => !taken.has(resolveDevice(path)));
  return [
    ...named,
    ...guesses.map((path) => portFinding(path)),
    ...(named.length + guesses.length === 0
      ? [
          warn(
            `No serial port is listed in ${directory}.`,
            'Plug the board in; if it is plugged in, check its cable, or correct serial.directory.',
          ),
        ]
      : []),
  ];
}

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

function mayRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Warns about a device name that depends on the USB socket and may change at the next start. */
function nameFinding(path: string, directory: string): Finding[] {
  if (!/^\/dev\/tty(USB|ACM)\d+$/.test(path)) return [];
  const stableName = listPorts(directory).find((other) => resolveDevice(other) === resolveDevice(path));
  const advice = stableName === undefined ? `Use a name from ${directory}.` : `Use ${stableName} instead.`;
  return [warn(`${path} may be another device after the next start.`, advice)];
}

const readerPorts = ({ readers }: Config): readonly string[] =>
  readers.flatMap(({ type, port }) => (type === 'serial' && port !== undefined ? [port] : []));

function listPorts(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .toSorted()
      .slice(0, maxListed)
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}

function resolveDevice(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
