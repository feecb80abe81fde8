import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { portFinding, resolveDevice } from '../../../cli/doctor/ports.ts';
import type { Config } from '../../../config/schema.ts';
import { type Finding, unknown, warn } from '../../../system/health/finding.ts';
import type { SerialSettings } from '../config/settings-group.ts';

/** Bound of the listed serial ports. */
const maxListed = 16;

/**
 * Checks the port of every configured serial board, and with `auto` every port that would be tried. Opens
 * none of them.
 */
export function serialFindings(
  { boards, auto, directory }: SerialSettings,
  config: Pick<Config, 'readers'>,
): Finding[] {
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

/** Warns about a device name that depends on the USB socket and may change at the next start. */
function nameFinding(path: string, directory: string): Finding[] {
  if (!/^\/dev\/tty(USB|ACM)\d+$/.test(path)) return [];
  const stableName = listPorts(directory).find((other) => resolveDevice(other) === resolveDevice(path));
  const advice = stableName === undefined ? `Use a name from ${directory}.` : `Use ${stableName} instead.`;
  return [warn(`${path} may be another device after the next start.`, advice)];
}

const readerPorts = ({ readers }: Pick<Config, 'readers'>): readonly string[] =>
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
