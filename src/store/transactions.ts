import { type Database, toDatabaseError } from './database.ts';
import { requireOpen } from './lazy-statements.ts';
import type { createPictureTables } from './pictures/picture-tables.ts';
import type { Caches } from './shared/caches.ts';

type Pictures = Pick<ReturnType<typeof createPictureTables>, 'takeUnreferenced' | 'files'>;

/** The kinds of transactions of an open database; after a commit the pictures that nothing refers to any longer are removed. */
export function createTransactions(db: Database, caches: Caches, pictures: Pictures) {
  const run = db.transaction(<T>(work: () => T): T => work());
  const immediate = <T>(work: () => T): T => {
    let result: T;
    requireOpen(db);
    try {
      result = run.immediate(work) as T;
    } catch (fault) {
      throw toDatabaseError(fault);
    }
    // After the commit: a power cut in between leaves files, which the next sweep removes.
    if (!db.inTransaction) for (const name of pictures.takeUnreferenced()) pictures.files.removeNow(name);
    return result;
  };
  return {
    /** Runs `work` in one immediate transaction: all or nothing, and no other connection writes meanwhile. */
    transaction: <T>(work: () => T): T => caches.changing(() => immediate(work)),

    /** The same for pours and deliveries, which write no table that `cachedUntilChange` is used for: what it caches stays valid. */
    recording: <T>(work: () => T): T => caches.recording(() => immediate(work)),

    /**
     * As `recording`, without waiting for the disk: a power cut may undo it, which must do no harm. Nothing else is affected; the next
     * commit of another kind makes this one last, too.
     */
    relaxedRecording<T>(work: () => T): T {
      requireOpen(db);
      db.pragma('synchronous = NORMAL');
      try {
        return caches.recording(() => immediate(work));
      } finally {
        db.pragma('synchronous = FULL');
      }
    },

    /** As `transaction`, and overwrites the deleted values in the database file; older values stay in the log until it is emptied. */
    overwritingTransaction<T>(work: () => T): T {
      requireOpen(db);
      db.pragma('secure_delete = ON');
      try {
        return caches.changing(() => immediate(work));
      } finally {
        db.pragma('secure_delete = FAST');
      }
    },

    /** Runs `work` on one consistent state of the database; other connections may write meanwhile. */
    snapshot<T>(work: () => T): T {
      requireOpen(db);
      try {
        return caches.reading(() => run.deferred(work)) as T;
      } catch (fault) {
        throw toDatabaseError(fault);
      }
    },
  };
}
