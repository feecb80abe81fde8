import type { LazyDatabase as Database } from '../lazy-statements.ts';

/** Returns a function that caches the result of `read`. The value is shared, so callers must not change it. */
type Cache = <T>(read: () => T) => () => T;

/**
 * Caches of values that are read far more often than they change. Every write is detected by two counters of SQLite: rows
 * changed by this connection, and commits of other connections. Both only grow, so equal counters mean that a cached
 * value is still valid.
 */
export function createCaches(db: Database) {
  const changedRows = db.prepare<[], number>('SELECT total_changes()').pluck();
  const foreignCommits = db.prepare<[], number>('PRAGMA data_version').pluck();
  /** Rows changed by all recordings so far, which do not clear `untilChange`. */
  let recordedRows = 0;
  /** Rows changed before the current recording. */
  let rowsBeforeRecording: number | null = null;
  let isSnapshot = false;
  /** Commits of other connections before the current transaction: they cannot become visible within it. */
  let foreignBefore: number | null = null;

  function countForeign(): number {
    if (!isSnapshot && rowsBeforeRecording === null) return foreignCommits.get()!;
    foreignBefore ??= foreignCommits.get()!;
    return foreignBefore;
  }

  function createCache(isReadable: () => boolean, countRows: () => number): Cache {
    return <T>(read: () => T) => {
      let cached: { readonly value: T; readonly own: number; readonly foreign: number } | undefined;
      return () => {
        // A transaction may read its own uncommitted rows, which may still be rolled back.
        if (db.inTransaction && !isReadable()) return read();
        const own = countRows();
        const foreign = countForeign();
        if (cached === undefined || cached.own !== own || cached.foreign !== foreign) {
          cached = { value: read(), own, foreign };
        }
        return cached.value;
      };
    };
  }

  return {
    /** Until anything is written to the database. */
    untilWrite: createCache(
      () => isSnapshot,
      () => changedRows.get()!,
    ),
    /**
     * Until anything but a recording is written. For values of the set-up that every pour needs: settings, taps, meters,
     * beverages, accounts. A `Map` may be filled with further values read from these tables.
     */
    untilChange: createCache(
      () => isSnapshot || rowsBeforeRecording !== null,
      () => (rowsBeforeRecording ?? changedRows.get()!) - recordedRows,
    ),
    /** Runs a transaction that changes nothing of the set-up: it clears none of the values cached `untilChange`. */
    recording<T>(transaction: () => T): T {
      if (db.inTransaction) return transaction();
      rowsBeforeRecording = changedRows.get()!;
      try {
        return transaction();
      } finally {
        recordedRows += rowsBeforeRecording === null ? 0 : changedRows.get()! - rowsBeforeRecording;
        rowsBeforeRecording = null;
        foreignBefore = null;
      }
    },
    /** Runs a transaction that may change anything. Within a recording, the whole recording counts as such. */
    changing<T>(transaction: () => T): T {
      rowsBeforeRecording = null;
      return transaction();
    },
    /** Runs a transaction that only reads: cached values may be used in it. */
    reading<T>(transaction: () => T): T {
      if (db.inTransaction) return transaction();
      isSnapshot = true;
      try {
        return transaction();
      } finally {
        isSnapshot = false;
        foreignBefore = null;
      }
    },
  };
}

export type Caches = ReturnType<typeof createCaches>;
