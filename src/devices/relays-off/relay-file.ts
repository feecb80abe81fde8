import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

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
 * Path of the file with the relays: in systemd's state directory (`STATE_DIRECTORY`, its first entry), which
 * the service and its stop program share whatever the settings say; without systemd beside the database.
 */
export function relayFilePath(stateDirectory: string | undefined, database: string): string {
  const [first = ''] = (stateDirectory ?? '').split(':');
  return join(first === '' ? dirname(database) : first, 'relays.json');
}

/**
 * Writes the relays so that they survive a power cut (write, fsync, rename, fsync of the folder); does
 * nothing when the file lists exactly these relays already. Throws the file system's error.
 */
export function writeRelayFile(path: string, relays: readonly StoredRelay[]): void {
  const text = `${JSON.stringify({ version: 1, relays: relays.map(toEntry) }, null, 2)}\n`;
  if (readText(path) === text) return;
  const newPath = `${path}.new`;
  try {
    writeFileSync(newPath, text, { mode: 0o600, flush: true });
    renameSync(newPath, path);
  } catch (cause) {
    rmSync(newPath, { force: true });
    throw cause;
  }
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Reads the relays; never throws. A missing file lists none, and a damaged entry hides no other. */
export function readRelayFile(path: string): RelayList {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return { relays: [], problems: [] };
  const entries = size <= maxBytes ? parseEntries(readText(path)) : null;
  if (entries === null) {
    return {
      relays: [],
      problems: [`The list of relays ${path} is damaged; the next start writes it again.`],
    };
  }
  const relays: StoredRelay[] = [];
  const problems: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const relay = parseEntry(entry);
    if (relay === null) problems.push(`Entry ${index + 1} of the list of relays ${path} is damaged.`);
    else relays.push(relay);
  }
  return { relays, problems };
}

function toEntry({ name, chip, pin, activeLow }: StoredRelay) {
  return { name, chip, pin, off_level: activeLow ? 'high' : 'low' };
}

function parseEntries(text: string | null): readonly unknown[] | null {
  try {
    const { relays } = JSON.parse(text ?? '') as { relays?: unknown };
    return Array.isArray(relays) ? relays : null;
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
