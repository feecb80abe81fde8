import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MachineIdentity } from '../../system/machine-identity.ts';
import { writeDurably } from '../../system/small-files.ts';

/** Larger than any list of relays: 64 of them take about 10 KiB. */
const maxBytes = 65_536;
const highestPin = 1_023;

/** A relay on a pin of this machine, as the program that switches relays off needs it. */
export interface StoredRelay {
  /** Full name, `<controller>.<port>`. */
  readonly name: string;
  /** Label or path of its chip; null for the chip of the Pi's header. */
  readonly chip: string | null;
  /** Line offset on the chip. */
  readonly pin: number;
  /** True when the relay is on at low level. */
  readonly activeLow: boolean;
}

/** The relays of the file, and one sentence about each entry that cannot be used. */
export interface RelayList {
  readonly relays: readonly StoredRelay[];
  readonly problems: readonly string[];
}

/**
 * The folder of files that other programs of the service read whatever the settings say: systemd's state directory
 * (`STATE_DIRECTORY`, its first entry); without systemd that of the database.
 */
export function stateFolder(stateDirectory: string | undefined, database: string): string {
  const [first = ''] = (stateDirectory ?? '').split(':');
  return first === '' ? dirname(database) : first;
}

/** Path of the file with the relays, which the service and its stop program share. */
export const relayFilePath = (stateDirectory: string | undefined, database: string): string =>
  join(stateFolder(stateDirectory, database), 'relays.json');

/**
 * Writes the relays so that they survive a power cut, with a mark of this machine; does nothing when its file lists exactly
 * these relays already. Throws the file system's error.
 */
export function writeRelayFile(path: string, relays: readonly StoredRelay[], machine: MachineIdentity): void {
  const entries = relays.map(toEntry);
  const stored = parseList(readText(path));
  const isSame = stored !== null && JSON.stringify(stored.relays) === JSON.stringify(entries);
  if (isSame && !machine.isOther(stored.machine)) return;
  const list = { version: 1, machine: machine.createMark(), relays: entries };
  writeDurably(path, `${JSON.stringify(list, null, 2)}\n`);
}

/**
 * Reads the relays; never throws. A missing file lists none, and a damaged entry hides no other. A list that came from another
 * machine, with a copy of its files, lists none: something else may be wired to these pins here.
 */
export function readRelayFile(path: string, machine: Pick<MachineIdentity, 'isOther'>): RelayList {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return { relays: [], problems: [] };
  const list = size <= maxBytes ? parseList(readText(path)) : null;
  if (list === null) {
    return {
      relays: [],
      problems: [`The list of relays ${path} is damaged; the next start writes it again.`],
    };
  }
  if (list.relays.length > 0 && machine.isOther(list.machine)) {
    return {
      relays: [],
      problems: [
        `The list of relays ${path} is of another machine; no pin is driven, and the next start writes it again.`,
      ],
    };
  }
  const relays: StoredRelay[] = [];
  const problems: string[] = [];
  for (const [index, entry] of list.relays.entries()) {
    const relay = parseEntry(entry);
    if (relay === null) problems.push(`Entry ${index + 1} of the list of relays ${path} is damaged.`);
    else relays.push(relay);
  }
  return { relays, problems };
}

function toEntry({ name, chip, pin, activeLow }: StoredRelay) {
  return { name, chip, pin, off_level: activeLow ? 'high' : 'low' };
}

interface ParsedList {
  /** Mark of the machine that wrote it; null without one. */
  readonly machine: string | null;
  readonly relays: readonly unknown[];
}

function parseList(text: string | null): ParsedList | null {
  try {
    const { machine, relays } = JSON.parse(text ?? '') as { machine?: unknown; relays?: unknown };
    if (!Array.isArray(relays)) return null;
    return { machine: typeof machine === 'string' ? machine : null, relays };
  } catch {
    return null;
  }
}

function parseEntry(entry: unknown): StoredRelay | null {
  const { name, chip, pin, off_level: offLevel } = (entry ?? {}) as Record<string, unknown>;
  const isValid =
    typeof name === 'string' &&
    (chip === null || typeof chip === 'string') &&
    Number.isInteger(pin) &&
    (pin as number) >= 0 &&
    (pin as number) <= highestPin &&
    (offLevel === 'low' || offLevel === 'high');
  return isValid ? { name, chip, pin: pin as number, activeLow: offLevel === 'high' } : null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
