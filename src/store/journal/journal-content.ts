import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { halfAt, layout, mostFileBytes, slotsAt } from './journal-layout.ts';
import { pageBytes, type ReadRecord, readRecord } from './journal-record.ts';

/** A slot that was not empty at opening. */
export interface FoundSlot {
  readonly slot: number;
  readonly sequence: number;
  readonly value: unknown;
}

/** What was in a journal when it was opened. */
export interface JournalContent {
  /** False when it is damaged or foreign: only its slots may be believed then. */
  readonly isSound: boolean;
  readonly sequence: number;
  readonly newestHalf: 0 | 1;
  readonly checkpoint: unknown;
  readonly ended: readonly FoundSlot[];
}

/** A journal that has just begun. */
export const emptyContent = { sequence: 1, newestHalf: 1, checkpoint: null, ended: [] } as const;

const unreadable: JournalContent = { ...emptyContent, isSound: false };

/** Reads a journal; throws what the file system throws, also when it may not be written to. */
export function readContent(path: string): JournalContent {
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
