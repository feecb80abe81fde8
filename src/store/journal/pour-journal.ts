import type { JournaledPour, MeterPour } from '../../core/meter-pour.ts';
import type { Moment } from '../../core/moment.ts';
import type { EndedPour } from '../../core/pour.ts';
import { type JournalFile, openJournalFile } from './journal-file.ts';
import { mostSlots as usualSlots } from './journal-layout.ts';
import { journalFull, journalRefusal } from './journal-refusal.ts';
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
  keepEnded(pour: EndedPour, now: Moment): void;
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
  mostSlots = usualSlots,
}: {
  readonly path: string;
  /** Ended pours it may hold at once, at most 4096; further ones share what room the checkpoint has left. */
  readonly mostSlots?: number;
}): PourJournal {
  const kept = new Map<string, JournaledPour>();
  /** Slots of the ended pours that are safe in one. */
  const slots = new Map<string, number>();
  /** What the last checkpoint was asked to hold, null when the disk's content is in doubt. */
  let offered: readonly JournaledPour[] | null = null;
  /** Ids of what it did hold. */
  let checkpointed: ReadonlySet<string> = new Set();
  let found: readonly JournaledPour[] | null = null;
  let file: JournalFile | null = null;
  let setAside: string | null = null;
  let earlierBytes = 0;

  /** Works on the file. After a fault it is opened anew: a disk that comes back is believed. */
  function onDisk<T>(work: (file: JournalFile) => T): T {
    try {
      file ??= open();
      return work(file);
    } catch (cause) {
      giveUpFile();
      throw journalRefusal(cause);
    }
  }

  function open(): JournalFile {
    const opened = openJournalFile(path, mostSlots);
    setAside ??= opened.setAside;
    if (opened.isNew) slots.clear();
    found ??= load(opened);
    return opened;
  }

  function load({ checkpoint, ended, isNew }: JournalFile): JournaledPour[] {
    const last = areJournaledPours(checkpoint) ? checkpoint : [];
    const finished = ended.flatMap(({ value }) => (isJournaledPour(value) ? [value] : []));
    // A pour is in both when the power went between its end and the next checkpoint; the end knows more.
    const all = new Map([...last, ...finished].map((one) => [one.pour.pourId, one]));
    for (const [pourId, one] of all) kept.set(pourId, one);
    if (!isNew) {
      for (const { slot, value } of ended) if (isJournaledPour(value)) slots.set(value.pour.pourId, slot);
    }
    offered = last;
    checkpointed = idsOf(last);
    return [...all.values()].toSorted((a, b) => Number(a.kind === 'ended') - Number(b.kind === 'ended'));
  }

  function giveUpFile(): void {
    earlierBytes += file?.bytesWritten ?? 0;
    try {
      file?.close();
    } catch {
      // A file that cannot even be closed is given up all the same.
    }
    file = null;
    offered = null;
    checkpointed = new Set();
  }

  function saveEnded(one: JournaledPour): void {
    const slot = onDisk((file) => file.writeEnded(one) ?? file.writeEnded(withoutShape(one)));
    if (slot === null) throw journalFull();
    slots.set(one.pour.pourId, slot);
  }

  /** Everything that has no slot of its own. */
  function loose(): JournaledPour[] {
    return [...kept.values()].filter(({ pour }) => !slots.has(pour.pourId));
  }

  function writeCheckpoint(): void {
    if (offered !== null && areSame(offered, loose())) return;
    onDisk((file) => {
      // Asked only now: opening the file may just have found pours of a former run.
      const wanted = loose();
      for (const pours of everSmaller(wanted)) {
        if (!file.writeCheckpoint(pours)) continue;
        offered = wanted;
        checkpointed = idsOf(pours);
        return;
      }
    });
  }

  return {
    recover() {
      onDisk(() => {});
      return found ?? [];
    },

    checkpoint(pours, now) {
      for (const pour of pours) {
        // Drips are frequent on a leaking tap, and two ticks are not worth a write.
        if (pour.ticks < pour.minTicks) continue;
        const before = kept.get(pour.pourId);
        if (before?.kind === 'ended' || before?.pour.ticks === pour.ticks) continue;
        kept.set(pour.pourId, { kind: 'open', pour, at: now });
      }
      try {
        for (const one of loose()) if (one.kind === 'ended') saveEnded(one);
      } finally {
        // The two halves are reserved, so they may be written when a new slot cannot.
        writeCheckpoint();
      }
    },

    keepEnded(pour, now) {
      const one: JournaledPour = { kind: 'ended', pour, at: now };
      kept.set(pour.pourId, one);
      if (!slots.has(pour.pourId)) saveEnded(one);
    },

    waiting: () => [...kept.values()].flatMap((one) => (one.kind === 'ended' ? [one.pour] : [])),

    free(pourId) {
      kept.delete(pourId);
      const slot = slots.get(pourId);
      slots.delete(pourId);
      try {
        if (slot !== undefined) onDisk((file) => file.clearSlot(slot));
        // A pour that was cut short is still within its idle time: found open by a start a moment later it would go on,
        // and what it gained would be refused with its pour_id.
        if (checkpointed.has(pourId)) writeCheckpoint();
      } catch {
        // It comes back at the next start, where its pour_id makes it harmless.
      }
    },

    state() {
      const ended = [...kept.values()].filter(({ kind }) => kind === 'ended');
      const unsafe = ended.filter(({ pour }) => !slots.has(pour.pourId) && !checkpointed.has(pour.pourId));
      return {
        waiting: ended.length,
        onlyInMemory: unsafe.length,
        setAside,
        bytesWritten: earlierBytes + (file?.bytesWritten ?? 0),
      };
    },

    close: giveUpFile,
  };
}

function idsOf(pours: readonly JournaledPour[]): Set<string> {
  return new Set(pours.map(({ pour }) => pour.pourId));
}

/** Entries are replaced, never changed, so comparing them is comparing references. */
function areSame(a: readonly JournaledPour[], b: readonly JournaledPour[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}

/** What a checkpoint may hold when it cannot hold all: the open pours go before the ended ones, the ticks before their shape. */
function* everSmaller(pours: readonly JournaledPour[]): Generator<readonly JournaledPour[]> {
  const open = pours.filter(({ kind }) => kind === 'open');
  const ended = pours.filter(({ kind }) => kind === 'ended');
  for (let room = ended.length; room > 0; room >>= 1) yield [...open, ...ended.slice(0, room)];
  yield open;
  for (let room = open.length; room > 0; room >>= 1) yield open.slice(0, room).map(withoutShape);
}

/** The ticks matter; how they were spread is worth less than keeping them. */
function withoutShape(one: JournaledPour): JournaledPour {
  const series = `0:${one.pour.ticks}`;
  return one.kind === 'open'
    ? { ...one, pour: { ...one.pour, series } }
    : { ...one, pour: { ...one.pour, series } };
}
