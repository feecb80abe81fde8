import { maxPinEntries, type PinEntry } from '../../core/taps/pin-entries.ts';
import { readTextFile, readTextIfAny, writeDurably } from '../../system/small-files.ts';

/**
 * A copy of the meters and relays of the database beside it. It is read at the start, so that their ticks are counted before
 * the database is open, and while it cannot be opened. The database wins once it is open.
 */
const pinEntriesPath = (database: string): string => `${database}.pins.json`;

/** Reads the copy; never throws. A missing or damaged one has no entries. */
export const readPinEntries = (database: string): readonly PinEntry[] =>
  parsePinEntries(readTextFile(pinEntriesPath(database)));

/** Reads the copy for a command of another user. A missing or damaged one has no entries; throws when it may not be read. */
export const readPermittedPinEntries = (database: string): readonly PinEntry[] =>
  parsePinEntries(readTextIfAny(pinEntriesPath(database)));

function parsePinEntries(text: string | null): readonly PinEntry[] {
  if (text === null) return [];
  try {
    const { entries } = JSON.parse(text) as { entries?: unknown };
    return Array.isArray(entries) ? entries.filter(isEntry).slice(0, 2 * maxPinEntries) : [];
  } catch {
    return [];
  }
}

/** Writes the copy so that it survives a power cut. Throws the file system's error. */
export function writePinEntries(database: string, entries: readonly PinEntry[]): void {
  const path = pinEntriesPath(database);
  const text = `${JSON.stringify({ version: 1, entries }, null, 2)}\n`;
  const before = readTextFile(path);
  if (before === text || (before === null && entries.length === 0)) return;
  writeDurably(path, text);
}

function isEntry(value: unknown): value is PinEntry {
  const { kind, port, pin, ...rest } = (value ?? {}) as Record<string, unknown>;
  if (typeof port !== 'string' || !Number.isInteger(pin)) return false;
  if (kind === 'relay') {
    const { activeLow, machine } = rest;
    return typeof activeLow === 'boolean' && (machine === null || typeof machine === 'string');
  }
  return (
    kind === 'meter' &&
    (rest.minGapMs === null || typeof rest.minGapMs === 'number') &&
    ['pull-up', 'pull-down', 'none'].includes(rest.bias as string) &&
    ['falling', 'rising'].includes(rest.edge as string) &&
    (rest.model === null || typeof rest.model === 'string') &&
    (rest.ticksPerMl === null || typeof rest.ticksPerMl === 'number')
  );
}
