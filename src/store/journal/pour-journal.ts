import type { JournaledPour, MeterPour } from '../../core/meter-pour.ts';
import type { Moment } from '../../core/moment.ts';
import type { EndedPour } from '../../core/pour.ts';
import { journalFullError, journalWriteError } from './journal-errors.ts';
import { type JournalFile, openJournalFile } from './journal-file.ts';
import { maxSlots as defaultMaxSlots } from './journal-layout.ts';
import { areJournaledPours, isJournaledPour } from './journal-shape.ts';

/** How the journal fares, for health and doctor. */
export interface JournalState {
  /** Ended pours that are not in the ledger yet. */
  readonly waiting: number;
  /** Those among them that a power cut would lose, because the file cannot take them. */
  readonly onlyInMemory: number;
  /** Name of a damaged or foreign file put aside at opening, beside the database. */
  readonly setAside: string | null;
  /** Bytes given to the disk since start: cards wear out. */
  readonly bytesWritten: number;
}

/**
 * Where a pour is safe until the ledger has it. The journal keeps whatever it was given until that is freed, and while
 * the disk refuses it keeps it in memory. Methods that write throw `unavailable` when the disk refuses.
 */
export interface PourJournal {
  /**
   * What a former run left, open pours first, then ended ones as they ended; the same answer however often it is
   * asked. When it throws, ask again later: nothing on the disk is overwritten before it has been read.
   */
  recover(): readonly JournaledPour[];
  /** Keeps the open pours; about once a second. One write for all of them, none when nothing changed since the last. */
  checkpoint(open: readonly MeterPour[], now: Moment): void;
  /** Keeps a pour whose recording failed. When it throws, the pour is in memory, and every checkpoint tries again. */
  addEnded(pour: EndedPour, now: Moment): void;
  /** The ended pours kept, oldest first, to be recorded again and freed. */
  waiting(): readonly EndedPour[];
  /** The ledger has it, or it was a drip. Never throws; harmless for a pour that is not kept. */
  free(pourId: string): void;
  state(): JournalState;
  close(): void;
}

/** The journal in the file `path`, which is opened or begun when it is first needed. */
export function createPourJournal({
  path,
  maxSlots = defaultMaxSlots,
}: {
  readonly path: string;
  /** Ended pours it may hold at once, at most 4096; further ones share what room the checkpoint has left. */
  readonly maxSlots?: number;
}): PourJournal {
  const entries = new Map<string, JournaledPour>();
  /** Slots of the ended pours that are safe in one. */
  const slots = new Map<string, number>();
  /** What the last checkpoint was asked to hold, null when the disk's content is in doubt. */
  let lastCheckpoint: readonly JournaledPour[] | null = null;
  /** Ids of what it did hold. */
  let checkpointed: ReadonlySet<string> = new Set();
  let recovered: readonly JournaledPour[] | null = null;
  let file: JournalFile | null = null;
  let setAside: string | null = null;
  let earlierBytes = 0;

  /** Works on the file. After a fault it is opened anew: a disk that comes back is believed. */
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
    // A pour is in both when the power went between its end and the next checkpoint; the end knows more.
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
      // A file that cannot even be closed is given up all the same.
    }
    file = null;
    lastCheckpoint = null;
    checkpointed = new Set();
  }

  function saveEnded(entry: JournaledPour): void {
    const slot = withFile((file) => file.writeEnded(entry) ?? file.writeEnded(withoutSeries(entry)));
    if (slot === null) throw journalFullError();
    slots.set(entry.pour.pourId, slot);
  }

  /** Everything that has no slot of its own. */
  function entriesWithoutSlot(): JournaledPour[] {
    return [...entries.values()].filter(({ pour }) => !slots.has(pour.pourId));
  }

  function writeCheckpoint(): void {
    if (lastCheckpoint !== null && areSameEntries(lastCheckpoint, entriesWithoutSlot())) return;
    withFile((file) => {
      // Asked only now: opening the file may just have found pours of a former run.
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
        // Drips are frequent on a leaking tap, and two ticks are not worth a write.
        if (pour.ticks < pour.minTicks) continue;
        const previous = entries.get(pour.pourId);
        if (previous?.kind === 'ended' || previous?.pour.ticks === pour.ticks) continue;
        entries.set(pour.pourId, { kind: 'open', pour, at: now });
      }
      try {
        for (const entry of entriesWithoutSlot()) if (entry.kind === 'ended') saveEnded(entry);
      } finally {
        // The two halves are reserved, so they may be written when a new slot cannot.
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
        // A pour that was cut short is still within its idle time: found open by a start a moment later it would go on,
        // and what it gained would be refused with its pour_id.
        if (checkpointed.has(pourId)) writeCheckpoint();
      } catch {
        // It comes back at the next start, where its pour_id makes it harmless.
      }
    },

    state() {
      const ended = [...entries.values()].filter(({ kind }) => kind === 'ended');
      const inMemory = ended.filter(({ pour }) => !slots.has(pour.pourId) && !checkpointed.has(pour.pourId));
      return {
        waiting: ended.length,
        onlyInMemory: inMemory.length,
        setAside,
        bytesWritten: earlierBytes + (file?.bytesWritten ?? 0),
      };
    },

    close: closeFile,
  };
}

function toPourIds(pours: readonly JournaledPour[]): Set<string> {
  return new Set(pours.map(({ pour }) => pour.pourId));
}

/** Entries are replaced, never changed, so comparing them is comparing references. */
function areSameEntries(a: readonly JournaledPour[], b: readonly JournaledPour[]): boolean {
  return a.length === b.length && a.every((entry, i) => entry === b[i]);
}

/** What a checkpoint may hold when it cannot hold all: the open pours go before the ended ones, the ticks before their shape. */
function* checkpointVariants(pours: readonly JournaledPour[]): Generator<readonly JournaledPour[]> {
  const open = pours.filter(({ kind }) => kind === 'open');
  const ended = pours.filter(({ kind }) => kind === 'ended');
  for (let count = ended.length; count > 0; count >>= 1) yield [...open, ...ended.slice(0, count)];
  yield open;
  for (let count = open.length; count > 0; count >>= 1) yield open.slice(0, count).map(withoutSeries);
}

/** The ticks matter; how they were spread is worth less than keeping them. */
function withoutSeries(entry: JournaledPour): JournaledPour {
  const series = `0:${entry.pour.ticks}`;
  return entry.kind === 'open'
    ? { ...entry, pour: { ...entry.pour, series } }
    : { ...entry, pour: { ...entry.pour, series } };
}
