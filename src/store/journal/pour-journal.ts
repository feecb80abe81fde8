import type { Moment } from '../../core/clock/moment.ts';
import type { JournaledPour, MeterPour } from '../../core/pours/meter-pour.ts';
import type { EndedPour } from '../../core/pours/pour.ts';
import { journalFullError, journalWriteError } from './journal-errors.ts';
import { type JournalFile, openJournalFile } from './journal-file.ts';
import { maxSlots as defaultMaxSlots } from './journal-layout.ts';
import { areJournaledPours, isJournaledPour } from './journal-shape.ts';

/** State of the journal, for health and doctor. */
interface JournalState {
  /** Number of ended pours that are not in the database yet. */
  readonly waiting: number;
  /** Number of those that are not in the file either, so that a power cut would lose them. */
  readonly onlyInMemory: number;
  /** Name of a damaged or foreign file that was set aside at opening, beside the database. */
  readonly setAside: string | null;
  /** Bytes written since start, a measure of card wear. */
  readonly bytesWritten: number;
}

/**
 * Stores pours until they are recorded in the database. A pour stays in the journal until it is freed, and in
 * memory while the file cannot be written. Methods that write throw `unavailable` if the disk fails.
 */
export interface PourJournal {
  /**
   * Returns the pours of the previous run: open ones first, then ended ones in order. Repeated calls return
   * the same. If it throws, call it again later: nothing on the disk is overwritten before it was read.
   */
  recover(): readonly JournaledPour[];
  /** Stores the open pours, about once a second: one write for all of them, none if nothing changed. */
  checkpoint(open: readonly MeterPour[], now: Moment): void;
  /** Stores a pour that could not be recorded. If it throws, the pour is in memory; checkpoints try again. */
  addEnded(pour: EndedPour, now: Moment): void;
  /** The stored ended pours, oldest first, to be recorded again and freed. */
  waiting(): readonly EndedPour[];
  /** Removes a pour that was recorded or was a drip. Never throws; does nothing for an unknown pour. */
  free(pourId: string): void;
  state(): JournalState;
  /** Bytes written since start. */
  bytesWritten(): number;
  close(): void;
}

/** Creates the journal in the file `path`, which is opened or created when first needed. */
export function createPourJournal({
  path,
  maxSlots = defaultMaxSlots,
}: {
  readonly path: string;
  /** Maximum number of slots, at most 4096; further ended pours go into the free part of the checkpoint. */
  readonly maxSlots?: number;
}): PourJournal {
  const entries = new Map<string, JournaledPour>();
  /** Slots of the ended pours that are in one. */
  const slots = new Map<string, number>();
  /** Entries passed to the last checkpoint; null if the content of the disk is unknown. */
  let lastCheckpoint: readonly JournaledPour[] | null = null;
  /** Ids of the pours that the last checkpoint contains. */
  let checkpointed: ReadonlySet<string> = new Set();
  let recovered: readonly JournaledPour[] | null = null;
  let file: JournalFile | null = null;
  let setAside: string | null = null;
  let earlierBytes = 0;

  /** Runs `work` on the file. After an error the next call opens the file again. */
  function withFile<T>(work: (file: JournalFile) => T): T {
    try {
      file ??= open();
      return work(file);
    } catch (cause) {
      closeFile();
      throw journalWriteError(cause);
    }
  }

  function open(): JournalFile {
    const opened = openJournalFile(path, maxSlots);
    setAside ??= opened.setAside;
    if (opened.isNew) slots.clear();
    recovered ??= load(opened);
    return opened;
  }

  function load({ checkpoint, ended, isNew }: JournalFile): JournaledPour[] {
    const last = areJournaledPours(checkpoint) ? checkpoint : [];
    const finished = ended.flatMap(({ value }) => (isJournaledPour(value) ? [value] : []));
    // After a power cut between a pour's end and the next checkpoint it is in both; the ended entry is more
    // complete.
    const byPourId = new Map([...last, ...finished].map((entry) => [entry.pour.pourId, entry]));
    for (const [pourId, entry] of byPourId) entries.set(pourId, entry);
    if (!isNew) {
      for (const { slot, value } of ended) if (isJournaledPour(value)) slots.set(value.pour.pourId, slot);
    }
    lastCheckpoint = last;
    checkpointed = toPourIds(last);
    return [...byPourId.values()].toSorted((a, b) => Number(a.kind === 'ended') - Number(b.kind === 'ended'));
  }

  function closeFile(): void {
    earlierBytes += file?.bytesWritten ?? 0;
    try {
      file?.close();
    } catch {
      // The file is dropped even if it cannot be closed.
    }
    file = null;
    lastCheckpoint = null;
    checkpointed = new Set();
  }

  function bytesWritten(): number {
    return earlierBytes + (file?.bytesWritten ?? 0);
  }

  function saveEnded(entry: JournaledPour): void {
    const slot = withFile((file) => file.writeEnded(entry) ?? file.writeEnded(withoutSeries(entry)));
    if (slot === null) throw journalFullError();
    slots.set(entry.pour.pourId, slot);
  }

  /** Entries that are not in a slot. */
  function entriesWithoutSlot(): JournaledPour[] {
    return [...entries.values()].filter(({ pour }) => !slots.has(pour.pourId));
  }

  function writeCheckpoint(): void {
    if (lastCheckpoint !== null && areSameEntries(lastCheckpoint, entriesWithoutSlot())) return;
    withFile((file) => {
      // Read here, because opening the file may just have added pours of the previous run.
      const content = entriesWithoutSlot();
      for (const pours of checkpointVariants(content)) {
        if (!file.writeCheckpoint(pours)) continue;
        lastCheckpoint = content;
        checkpointed = toPourIds(pours);
        return;
      }
    });
  }

  return {
    recover() {
      withFile(() => {});
      return recovered ?? [];
    },

    checkpoint(pours, now) {
      for (const pour of pours) {
        // Drips are frequent on a leaking tap; two ticks do not justify a write.
        if (pour.ticks < pour.minTicks) continue;
        const previous = entries.get(pour.pourId);
        if (previous?.kind === 'ended' || previous?.pour.ticks === pour.ticks) continue;
        entries.set(pour.pourId, { kind: 'open', pour, at: now });
      }
      try {
        for (const entry of entriesWithoutSlot()) if (entry.kind === 'ended') saveEnded(entry);
      } finally {
        // The halves are preallocated, so writing them may succeed where a new slot fails.
        writeCheckpoint();
      }
    },

    addEnded(pour, now) {
      const entry: JournaledPour = { kind: 'ended', pour, at: now };
      entries.set(pour.pourId, entry);
      if (!slots.has(pour.pourId)) saveEnded(entry);
    },

    waiting: () => [...entries.values()].flatMap((entry) => (entry.kind === 'ended' ? [entry.pour] : [])),

    free(pourId) {
      entries.delete(pourId);
      const slot = slots.get(pourId);
      slots.delete(pourId);
      try {
        if (slot !== undefined) withFile((file) => file.clearSlot(slot));
        // An interrupted pour may still be within its idle time: if the next start found it open it would
        // continue, and the additional ticks would be rejected because the pour_id is already recorded.
        if (checkpointed.has(pourId)) writeCheckpoint();
      } catch {
        // It reappears at the next start, where its pour_id shows that it is recorded.
      }
    },

    state() {
      const ended = [...entries.values()].filter(({ kind }) => kind === 'ended');
      const inMemory = ended.filter(({ pour }) => !slots.has(pour.pourId) && !checkpointed.has(pour.pourId));
      return {
        waiting: ended.length,
        onlyInMemory: inMemory.length,
        setAside,
        bytesWritten: bytesWritten(),
      };
    },

    bytesWritten,

    close: closeFile,
  };
}

function toPourIds(pours: readonly JournaledPour[]): Set<string> {
  return new Set(pours.map(({ pour }) => pour.pourId));
}

/** Compares by reference: entries are replaced, never mutated. */
function areSameEntries(a: readonly JournaledPour[], b: readonly JournaledPour[]): boolean {
  return a.length === b.length && a.every((entry, i) => entry === b[i]);
}

/** Ever smaller contents for a full checkpoint: open pours before ended ones, ticks before their series. */
function* checkpointVariants(pours: readonly JournaledPour[]): Generator<readonly JournaledPour[]> {
  const open = pours.filter(({ kind }) => kind === 'open');
  const ended = pours.filter(({ kind }) => kind === 'ended');
  for (let count = ended.length; count > 0; count >>= 1) yield [...open, ...ended.slice(0, count)];
  yield open;
  for (let count = open.length; count > 0; count >>= 1) yield open.slice(0, count).map(withoutSeries);
}

/** Reduces the tick series to one group: the number of ticks matters more than their distribution. */
function withoutSeries(entry: JournaledPour): JournaledPour {
  const series = `0:${entry.pour.ticks}`;
  return entry.kind === 'open'
    ? { ...entry, pour: { ...entry.pour, series } }
    : { ...entry, pour: { ...entry.pour, series } };
}
