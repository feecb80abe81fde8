import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { halfAt, layout, maxFileBytes, slotsAt } from './journal-layout.ts';
import { type DecodedRecord, decodeRecord, pageBytes } from './journal-record.ts';

/** A slot that contained a pour when the journal was opened. */
export interface StoredSlot {
  readonly slot: number;
  readonly sequence: number;
  readonly value: unknown;
}

/** Content of a journal when it was opened. */
export interface JournalContent {
  /** False if the file is damaged or not a journal; only its slots are usable then. */
  readonly isValid: boolean;
  readonly sequence: number;
  readonly newestHalf: 0 | 1;
  readonly checkpoint: unknown;
  readonly ended: readonly StoredSlot[];
}

/** Content of a new journal. */
export const emptyContent = { sequence: 1, newestHalf: 1, checkpoint: null, ended: [] } as const;

const unreadable: JournalContent = { ...emptyContent, isValid: false };

/** Reads a journal. Throws the file system's error, also if the file is not writable. */
export function readJournal(path: string): JournalContent {
  const bytes = readFile(path);
  const file = bytes && decodeRecord(bytes.subarray(0, pageBytes), 'file');
  if (bytes === null || file === null || JSON.stringify(file.value) !== JSON.stringify(layout)) {
    return unreadable;
  }
  const [first, second] = [readHalf(bytes, 0), readHalf(bytes, 1)];
  const ended: StoredSlot[] = [];
  for (let at = slotsAt, slot = 0; at < bytes.length; at += layout.slotBytes, slot++) {
    const record = decodeRecord(bytes.subarray(at, at + layout.slotBytes), 'ended');
    if (record !== null) ended.push({ slot, ...record });
  }
  ended.sort((a, b) => a.sequence - b.sequence);
  const newestHalf = (second?.sequence ?? -1) > (first?.sequence ?? -1) ? 1 : 0;
  const newest = newestHalf === 1 ? second : first;
  // Both halves are written at creation and then alternately, so that one torn write damages only one of
  // them.
  if (newest === null) return { ...unreadable, ended };
  const sequence = Math.max(newest.sequence, ended.at(-1)?.sequence ?? 0);
  return { isValid: true, sequence, newestHalf, checkpoint: newest.value, ended };
}

function readHalf(bytes: Buffer, half: 0 | 1): DecodedRecord | null {
  return decodeRecord(bytes.subarray(halfAt[half], halfAt[half] + layout.halfBytes), 'checkpoint');
}

/** Reads the whole file; null if it is not a regular file or larger than any journal. */
function readFile(path: string): Buffer | null {
  const fd = openSync(path, 'r+');
  try {
    const { size } = fstatSync(fd);
    if (!fstatSync(fd).isFile() || size > maxFileBytes) return null;
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
