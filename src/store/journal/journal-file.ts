import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { fileStats, writeAll } from '../files.ts';
import { createJournal } from './create-journal.ts';
import { emptyContent, type JournalContent, readJournal, type StoredSlot } from './journal-content.ts';
import { halfAt, layout, maxSlots, slotsAt } from './journal-layout.ts';
import { encodeRecord } from './journal-record.ts';

/** An open journal file. All methods throw the file system's errors. */
export interface JournalFile {
  /** The newest complete checkpoint; null in a new file. */
  readonly checkpoint: unknown;
  /** Ended pours in their slots, oldest first. */
  readonly ended: readonly StoredSlot[];
  /** True if opening created the file. */
  readonly isNew: boolean;
  /** New name of a damaged or foreign file that was set aside; null if there was none. */
  readonly setAside: string | null;
  /** Writes the older half and syncs it. False if the value is too large. */
  writeCheckpoint(value: unknown): boolean;
  /** Writes an ended pour into a free slot and syncs it. Null if it is too large or no slot is free. */
  writeEnded(value: unknown): number | null;
  /** Clears a slot without a sync: a pour that reappears after a power cut is recognised by its pour_id. */
  clearSlot(slot: number): void;
  /** Bytes written since opening, in whole pages. */
  readonly bytesWritten: number;
  close(): void;
}

/**
 * Opens or creates the journal; an unreadable file is renamed to `<path>.damaged-N` and never overwritten.
 */
export function openJournalFile(path: string, slotLimit: number = maxSlots): JournalFile {
  const content = fileStats(path) !== null ? readJournal(path) : null;
  if (content?.isValid) return openForWriting(path, slotLimit, { ...content, isNew: false, setAside: null });
  const created = createJournal(path);
  // The slots of a file with a damaged head are still readable: they are returned, and the caller writes them
  // again.
  const ended = content?.ended ?? [];
  return openForWriting(path, slotLimit, { ...emptyContent, ...created, ended, isNew: true });
}

function openForWriting(
  path: string,
  slotLimit: number,
  content: Omit<JournalContent, 'isValid'> & {
    readonly isNew: boolean;
    readonly setAside: string | null;
    readonly bytesWritten?: number;
  },
): JournalFile {
  const fd = openSync(path, 'r+');
  const usedSlots = new Set(content.isNew ? [] : content.ended.map(({ slot }) => slot));
  let { sequence, newestHalf, bytesWritten = 0 } = content;

  function write(bytes: Buffer, at: number): void {
    writeAll(fd, bytes, at);
    bytesWritten += bytes.length;
  }

  function findFreeSlot(): number | null {
    for (let slot = 0; slot < slotLimit; slot++) if (!usedSlots.has(slot)) return slot;
    return null;
  }

  return {
    checkpoint: content.checkpoint,
    ended: content.ended,
    isNew: content.isNew,
    setAside: content.setAside,

    writeCheckpoint(value) {
      const capacityBytes = layout.halfBytes;
      const bytes = encodeRecord({ kind: 'checkpoint', sequence: sequence + 1, value, capacityBytes });
      if (bytes === null) return false;
      const half = newestHalf === 0 ? 1 : 0;
      write(bytes, halfAt[half]);
      fdatasyncSync(fd);
      sequence++;
      newestHalf = half;
      return true;
    },

    writeEnded(value) {
      const slot = findFreeSlot();
      const capacityBytes = layout.slotBytes;
      const bytes = encodeRecord({ kind: 'ended', sequence: sequence + 1, value, capacityBytes });
      if (slot === null || bytes === null) return null;
      write(bytes, slotsAt + slot * layout.slotBytes);
      fdatasyncSync(fd);
      sequence++;
      usedSlots.add(slot);
      return slot;
    },

    clearSlot(slot) {
      write(Buffer.alloc(layout.slotBytes), slotsAt + slot * layout.slotBytes);
      usedSlots.delete(slot);
    },

    get bytesWritten() {
      return bytesWritten;
    },

    close: () => closeSync(fd),
  };
}
