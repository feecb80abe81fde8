import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/schema.ts';
import { iButtonToken } from '../../devices/onewire/ibutton-token.ts';
import { isBusMaster } from '../../devices/onewire/w1-address.ts';
import { type Finding, fail, ok, unknown, warn } from '../../system/health/finding.ts';
import { portFinding } from './ports.ts';

type ReaderConfig = Config['readers'][number];

/** The kernel searches for new iButtons every 10 s by default, which is too long at a tap, seconds. */
const maxSearchIntervalS = 2;

/** Checks every configured reader: that it exists, may be opened, and has a tap. */
export function readerFindings(config: Config): Finding[] {
  if (config.readers.length === 0) return [unknown('No reader is configured.')];
  return config.readers.flatMap((reader) => [...portFindings(config, reader), ...tapFinding(config, reader)]);
}

function portFindings(config: Config, { type, port = '' }: ReaderConfig): Finding[] {
  switch (type) {
    case 'serial':
      return [portFinding(port)];
    case 'usb-keyboard':
      return [portFinding(port, 'input')];
    case 'onewire':
      return busFindings(config.onewire.directory, port);
  }
}

function busFindings(directory: string, port: string): Finding[] {
  let masters: readonly string[];
  try {
    masters = readdirSync(directory).filter((name) => isBusMaster(name) && (port === '' || name === port));
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'EACCES')
      return [fail(`This user may not read ${directory}.`)];
    masters = [];
  }
  if (masters.length === 0) {
    const text = `There is no 1-Wire bus ${join(directory, port)} for iButtons.`;
    return [fail(text, 'Add dtoverlay=w1-gpio to /boot/firmware/config.txt and restart the Pi.')];
  }
  return masters.flatMap((master) => [
    ...buttonFindings(directory, master),
    ...searchIntervalFinding(directory, master),
  ]);
}

function buttonFindings(directory: string, master: string): Finding[] {
  const slaves = readSmall(join(directory, master, 'w1_master_slaves'));
  if (slaves === null) return [fail(`The bus ${master} cannot be read.`)];
  const buttons = slaves.split(/\s+/).filter((name) => iButtonToken(name) !== null);
  return [ok(`${master} works; ${buttons.length} iButton${buttons.length === 1 ? '' : 's'} there now.`)];
}

function searchIntervalFinding(directory: string, master: string): Finding[] {
  const seconds = Number(readSmall(join(directory, master, 'w1_master_timeout')) ?? Number.NaN);
  if (!(seconds > maxSearchIntervalS)) return [];
  return [
    warn(
      `${master} is searched only every ${seconds} s, so a guest may wait that long at the tap.`,
      'Put "options wire timeout=1 slave_ttl=2" into /etc/modprobe.d/tapster.conf and restart the Pi.',
    ),
  ];
}

function tapFinding({ taps, controller }: Config, { type, port, tap }: ReaderConfig): Finding[] {
  const name = port ?? type;
  if (tap === undefined) {
    const own = taps.filter(({ meter, toggle }) => meter !== undefined || toggle !== undefined);
    if (own.length > 0) return [];
    return [warn(`${name} opens no tap: ${controller.name} has none.`, 'Set its tap, or declare taps.')];
  }
  const declared = taps.find((one) => one.name === tap);
  if (declared === undefined)
    return [unknown(`${name} opens the tap "${tap}", which is not in the file; it must exist on the page.`)];
  if (declared.toggle !== undefined) return [];
  return [unknown(`${name} is at "${tap}", which has no relay: pours are assigned, nothing is opened.`)];
}

function readSmall(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').slice(0, 4_096).trim();
  } catch {
    return null;
  }
}
