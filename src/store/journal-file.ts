import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { pageBytes, type ReadRecord, readRecord, writeRecord } from './journal-record.ts';

/*
 * The file, from its first byte:
 *
 *   1 page      what it is and how it is laid out; written once
 *   2 halves    checkpoints of all open pours, by turns: a torn one leaves the one before whole
 *   n slots     ended pours that are not in the ledger yet, a page each; more are added at the end when all are taken
 */

const layout = { halfBytes: 16 * pageBytes, slotBytes: pageBytes } as const;
const halfAt = [pageBytes, pageBytes + layout.halfBytes] as const;
const slotsAt = pageBytes + 2 * layout.halfBytes;

/** Slots written at creation, so that a bar's busy night fits even when the disk is full. One mebibyte. */
export const reservedSlots = 256;

/** More ended pours than this are not written any more: something else is badly wrong. */
export const mostSlots = 4_096;

const mostFileBytes = slotsAt + mostSlots * layout.slotBytes;

/** A record found at opening. */
export interface FoundSlot {
  readonly slot: number;
  readonly sequence: number;
  readonly value: unknown;
}

/** The journal's file while it is open. Everything throws what the file system throws. */
export interface JournalFile {
  /** The newest whole checkpoint; null in a file that had to be begun anew. */
  readonly checkpoint: unknown;
  /** Ended pours in their slots, oldest first. */
  readonly ended: readonly FoundSlot[];
  /** True when this opening created the file. */
  readonly isNew: boolean;
  /** Name under which a damaged or foreign file was put aside, null when there was none. */
  readonly setAside: string | null;
  /** Writes the half whose turn it is and waits for the disk. False when the value is too large. */
  writeCheckpoint(value: unknown): boolean;
  /** Writes an ended pour into a free slot and waits for the disk; null when it is too large or no slot is left. */
  writeEnded(value: unknown): number | null;
  /** Empties a slot. Not waited for: should it come back after a power cut, its pour_id makes it harmless. */
  clearSlot(slot: number): void;
  /** Bytes handed to the file system since opening, in whole pages. */
  readonly bytesWritten: number;
  close(): void;
}

/** Opens the journal, or begins it; what cannot be read is renamed `<path>.damaged-N` and never overwritten. */
export function openJournalFile(path: string, slotLimit: number = mostSlots): JournalFile {
  const isThere = existsSync(path);
  const read = isThere ? readFile(path) : null;
  if (read?.isSound) return writable(path, slotLimit, { ...read, isNew: false, setAside: null });
  // The new one is whole before the old one is touched: on a full disk everything stays as it was.
  const bytesWritten = writeNewFile(path);
  const setAside = isThere ? putAside(path) : null;
  renameSync(newName(path), path);
  syncFolder(path);
  const fresh = {
    sequence: 1,
    newestHalf: 1 as const,
    checkpoint: null,
    isNew: true,
    setAside,
    bytesWritten,
  };
  // Slots outlive a damaged head: what they hold is carried over, and written anew by whoever asked for it.
  return writable(path, slotLimit, { ...fresh, ended: read?.ended ?? [] });
}

interface Content {
  readonly isSound: boolean;
  readonly sequence: number;
  readonly newestHalf: 0 | 1;
  readonly checkpoint: unknown;
  readonly ended: readonly FoundSlot[];
}

const unreadable: Content = { isSound: false, sequence: 1, newestHalf: 1, checkpoint: null, ended: [] };

function readFile(path: string): Content {
  const bytes = readBounded(path);
  const file = bytes && readRecord(bytes.subarray(0, pageBytes), 'file');
  if (bytes === null || file === null || JSON.stringify(file.value) !== JSON.stringify(layout)) {
    return unreadable;
  }
  const [first, second] = [halfOf(bytes, 0), halfOf(bytes, 1)];
  const ended: FoundSlot[] = [];
  for (let at = slotsAt, slot = 0; at < bytes.length; at += layout.slotBytes, slot++) {
    const found = readRecord(bytes.subarray(at, at + layout.slotBytes), 'ended');
    if (found !== null) ended.push({ slot, ...found });
  }
  ended.sort((a, b) => a.sequence - b.sequence);
  const newestHalf = (second?.sequence ?? -1) > (first?.sequence ?? -1) ? 1 : 0;
  const newest = newestHalf === 1 ? second : first;
  // Both halves are written whole at creation and then by turns: no torn write spoils two.
  if (newest === null) return { ...unreadable, ended };
  const sequence = Math.max(newest.sequence, ended.at(-1)?.sequence ?? 0);
  return { isSound: true, sequence, newestHalf, checkpoint: newest.value, ended };
}

function halfOf(bytes: Buffer, half: 0 | 1): ReadRecord | null {
  return readRecord(bytes.subarray(halfAt[half], halfAt[half] + layout.halfBytes), 'checkpoint');
}

/** The whole file, or null when it is none or larger than a journal can be. */
function readBounded(path: string): Buffer | null {
  const fd = openSync(path, 'r+');
  try {
    const { size } = fstatSync(fd);
    if (!fstatSync(fd).isFile() || size > mostFileBytes) return null;
    const bytes = Buffer.alloc(size);
    let read = 0;
    while (read < size) {
      const count = readSync(fd, bytes, read, size - read, read);
      if (count === 0) break;
      read += count;
    }
    return bytes;
  } finally {
    closeSync(fd);
  }
}

function putAside(path: string): string {
  let n = 1;
  while (existsSync(`${path}.damaged-${n}`)) n++;
  renameSync(path, `${path}.damaged-${n}`);
  return basename(`${path}.damaged-${n}`);
}

/** Begun under another name and renamed when it is whole on the disk, so that there is never half a journal. */
function newName(path: string): string {
  return `${path}.new`;
}

function writeNewFile(path: string): number {
  const bytes = Buffer.alloc(slotsAt + reservedSlots * layout.slotBytes);
  wholeRecord('file', 0, layout).copy(bytes);
  for (const half of [0, 1] as const) wholeRecord('checkpoint', half, []).copy(bytes, halfAt[half]);
  const fd = openSync(newName(path), 'w', 0o600);
  try {
    writeWhole(fd, bytes, 0);
    fsyncSync(fd);
  } catch (cause) {
    // A full disk needs the room more than half a journal does.
    rmSync(newName(path), { force: true });
    throw cause;
  } finally {
    closeSync(fd);
  }
  return bytes.length;
}

function wholeRecord(kind: 'file' | 'checkpoint', sequence: number, value: unknown): Buffer {
  const record = writeRecord({ kind, sequence, value, capacityBytes: pageBytes });
  if (record === null) throw new RangeError('an empty record must fit in a page');
  return record;
}

function writable(
  path: string,
  slotLimit: number,
  content: Omit<Content, 'isSound'> & {
    readonly isNew: boolean;
    readonly setAside: string | null;
    readonly bytesWritten?: number;
  },
): JournalFile {
  const fd = openSync(path, 'r+');
  const taken = new Set(content.isNew ? [] : content.ended.map(({ slot }) => slot));
  let { sequence, newestHalf, bytesWritten = 0 } = content;

  function write(bytes: Buffer, at: number): void {
    writeWhole(fd, bytes, at);
    bytesWritten += bytes.length;
  }

  function freeSlot(): number | null {
    for (let slot = 0; slot < slotLimit; slot++) if (!taken.has(slot)) return slot;
    return null;
  }

  return {
    checkpoint: content.checkpoint,
    ended: content.ended,
    isNew: content.isNew,
    setAside: content.setAside,

    writeCheckpoint(value) {
      const capacityBytes = layout.halfBytes;
      const bytes = writeRecord({ kind: 'checkpoint', sequence: sequence + 1, value, capacityBytes });
      if (bytes === null) return false;
      const half = newestHalf === 0 ? 1 : 0;
      write(bytes, halfAt[half]);
      fdatasyncSync(fd);
      sequence++;
      newestHalf = half;
      return true;
    },

    writeEnded(value) {
      const slot = freeSlot();
      const capacityBytes = layout.slotBytes;
      const bytes = writeRecord({ kind: 'ended', sequence: sequence + 1, value, capacityBytes });
      if (slot === null || bytes === null) return null;
      write(bytes, slotsAt + slot * layout.slotBytes);
      fdatasyncSync(fd);
      sequence++;
      taken.add(slot);
      return slot;
    },

    clearSlot(slot) {
      write(Buffer.alloc(layout.slotBytes), slotsAt + slot * layout.slotBytes);
      taken.delete(slot);
    },

    get bytesWritten() {
      return bytesWritten;
    },

    close: () => closeSync(fd),
  };
}

/** A nearly full disk may take only a part at once. */
function writeWhole(fd: number, bytes: Buffer, at: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, at + written);
  }
}

/** A new name is safe only when its folder is. */
function syncFolder(path: string): void {
  const fd = openSync(dirname(path), 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
