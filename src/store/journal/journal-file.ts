import { closeSync, existsSync, fdatasyncSync, openSync } from 'node:fs';
import { writeAll } from '../write-all.ts';
import { createJournal } from './create-journal.ts';
import { emptyContent, type JournalContent, readJournal, type StoredSlot } from './journal-content.ts';
import { halfAt, layout, maxSlots, slotsAt } from './journal-layout.ts';
import { encodeRecord } from './journal-record.ts';

/** The journal's file while it is open. Everything throws what the file system throws. */
export interface JournalFile {
  /** The newest whole checkpoint; null in a file that had to be begun anew. */
  readonly checkpoint: unknown;
  /** Ended pours in their slots, oldest first. */
  readonly ended: readonly StoredSlot[];
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
export function openJournalFile(path: string, slotLimit: number = maxSlots): JournalFile {
  const content = existsSync(path) ? readJournal(path) : null;
  if (content?.isValid) return openForWriting(path, slotLimit, { ...content, isNew: false, setAside: null });
  const created = createJournal(path);
  // Slots outlive a damaged head: what they hold is carried over, and written anew by whoever asked for it.
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
