import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { writeAll } from '../files.ts';
import { halfAt, layout, reservedSlots, slotsAt } from './journal-layout.ts';
import { encodeRecord, pageBytes } from './journal-record.ts';

/** Creates an empty journal; an existing file is renamed to `<path>.damaged-N` and never overwritten. */
export function createJournal(path: string): {
  readonly setAside: string | null;
  readonly bytesWritten: number;
} {
  // The new file is complete before the old one is renamed: on a full disk nothing changes.
  const bytesWritten = writeNewFile(path);
  const setAside = existsSync(path) ? moveAside(path) : null;
  renameSync(newFilePath(path), path);
  syncFolder(path);
  return { setAside, bytesWritten };
}

/** Path of a new journal until it is complete and synced, so that no partial journal exists. */
function newFilePath(path: string): string {
  return `${path}.new`;
}

function writeNewFile(path: string): number {
  const bytes = Buffer.alloc(slotsAt + reservedSlots * layout.slotBytes);
  emptyRecord('file', 0, layout).copy(bytes);
  for (const half of [0, 1] as const) emptyRecord('checkpoint', half, []).copy(bytes, halfAt[half]);
  const fd = openSync(newFilePath(path), 'w', 0o600);
  try {
    writeAll(fd, bytes, 0);
    fsyncSync(fd);
  } catch (cause) {
    // A partial journal is useless and would take space on a full disk.
    rmSync(newFilePath(path), { force: true });
    throw cause;
  } finally {
    closeSync(fd);
  }
  return bytes.length;
}

function emptyRecord(kind: 'file' | 'checkpoint', sequence: number, value: unknown): Buffer {
  const record = encodeRecord({ kind, sequence, value, capacityBytes: pageBytes });
  if (record === null) throw new RangeError('An empty record does not fit in a page.');
  return record;
}

function moveAside(path: string): string {
  let n = 1;
  while (existsSync(`${path}.damaged-${n}`)) n++;
  renameSync(path, `${path}.damaged-${n}`);
  return basename(`${path}.damaged-${n}`);
}

/** Syncs the folder: only then does the new name survive a power cut. */
function syncFolder(path: string): void {
  const fd = openSync(dirname(path), 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
