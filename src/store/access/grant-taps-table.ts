import type { Database } from '../database.ts';

/** One tap of a grant at the local taps. */
export interface GrantTapRow {
  readonly grantId: string;
  /** Null once the tap was deleted. */
  readonly tapId: number | null;
  /** Full name. */
  readonly meter: string | null;
  readonly toggle: string | null;
  /** True until the grant releases this tap. */
  readonly isOpen: boolean;
}

interface Row {
  grant_id: string;
  tap_id: number | null;
  meter: string | null;
  toggle: string | null;
  ended_mono_ms: number | null;
}

/** The taps that a grant opened, with start and end. */
export function grantTapsTable(db: Database) {
  const insert = db.prepare<{
    grantId: string;
    tapId: number;
    meter: string | null;
    toggle: string | null;
    bootId: string;
    monoMs: number;
  }>(
    `INSERT INTO grant_taps (grant_id, tap_id, meter, toggle, boot_id, granted_mono_ms)
     VALUES (@grantId, @tapId, @meter, @toggle, @bootId, @monoMs)`,
  );
  const byGrant = db.prepare<[string], Row>('SELECT * FROM grant_taps WHERE grant_id = ? ORDER BY id');
  const release = db.prepare<{ grantId: string; tapId: number; monoMs: number }>(
    `UPDATE grant_taps SET ended_mono_ms = @monoMs
     WHERE grant_id = @grantId AND tap_id = @tapId AND ended_mono_ms IS NULL`,
  );
  const releaseAll = db.prepare<{ grantId: string; bootId: string; monoMs: number }>(
    `UPDATE grant_taps SET ended_mono_ms = @monoMs
     WHERE grant_id = @grantId AND boot_id = @bootId AND ended_mono_ms IS NULL`,
  );
  const openByTap = db
    .prepare<[number], string>(
      `SELECT t.grant_id FROM grant_taps t JOIN grants g ON g.id = t.grant_id
       WHERE t.tap_id = ? AND t.ended_mono_ms IS NULL AND g.ended_reason IS NULL`,
    )
    .pluck();
  const removeTap = db.prepare<[number]>('UPDATE grant_taps SET tap_id = NULL WHERE tap_id = ?');
  const covering = db
    .prepare<{ meter: string; bootId: string; startMonoMs: number; endMonoMs: number }, string>(
      `SELECT grant_id FROM grant_taps
       WHERE meter = @meter AND boot_id = @bootId AND granted_mono_ms <= @endMonoMs
         AND (ended_mono_ms IS NULL OR ended_mono_ms >= @startMonoMs)
       ORDER BY granted_mono_ms DESC, id DESC LIMIT 1`,
    )
    .pluck();
  return {
    add: (tap: {
      grantId: string;
      tapId: number;
      meter: string | null;
      toggle: string | null;
      bootId: string;
      monoMs: number;
    }): void => void insert.run(tap),
    byGrant: (grantId: string): readonly GrantTapRow[] =>
      byGrant.all(grantId).map((row) => ({
        grantId: row.grant_id,
        tapId: row.tap_id,
        meter: row.meter,
        toggle: row.toggle,
        isOpen: row.ended_mono_ms === null,
      })),
    /** Ends the grant at this tap. */
    release: (grantId: string, tapId: number, monoMs: number): void =>
      void release.run({ grantId, tapId, monoMs }),
    /**
     * Ends the grant at all its taps. Taps of another boot stay without an end, as their end time is unknown.
     */
    releaseAll: (grantId: string, bootId: string, monoMs: number): void =>
      void releaseAll.run({ grantId, bootId, monoMs }),
    /** Ids of the grants that open this tap now. */
    openByTap: (tapId: number): readonly string[] => openByTap.all(tapId),
    /** Call it when a tap is deleted: no grant opens it any more. */
    removeTap: (tapId: number): void => void removeTap.run(tapId),
    /** The grant of a pour on that meter, the newest of several; null if there is none. */
    covering: (pour: {
      meter: string;
      bootId: string;
      startMonoMs: number;
      endMonoMs: number;
    }): string | null => covering.get(pour) ?? null,
  };
}
