import type { Instant } from '../../../core/clock/instant.ts';
import type { Database } from '../../../store/database.ts';
import type { Caches } from '../../../store/shared/caches.ts';
import type { StartedStep } from '../core/cleaning-mode.ts';
import type { CleaningEnd, CleaningKind, CleaningOrigin, CleaningStep } from '../core/cleaning-terms.ts';

/** A cleaning of a tap's line, also one that runs. */
export interface Cleaning {
  readonly id: number;
  readonly tapId: number;
  /** The keg whose beer was in the line. */
  readonly kegId: number | null;
  readonly kind: CleaningKind;
  readonly origin: CleaningOrigin;
  /** False when the line held water before. */
  readonly hasBeer: boolean;
  /** Null where it is not known. */
  readonly lineVolumeMl: number | null;
  /** Lost beer that a person stated; null: what follows from the pours. */
  readonly beerGivenMl: number | null;
  readonly contactMinutes: number;
  readonly startedMs: number;
  readonly bootId: string;
  readonly startMonoMs: number;
  /** Null while it runs. */
  readonly endedMs: number | null;
  readonly endReason: CleaningEnd | null;
  /** Null while it runs, and for those that were not run at the tap. */
  readonly endBootId: string | null;
  readonly endMonoMs: number | null;
}

type NewCleaning = Omit<Cleaning, 'id' | 'endBootId' | 'endMonoMs'>;

interface StoredStep extends StartedStep {
  readonly bootId: string;
  readonly sinceMonoMs: number;
}

interface CleaningRow {
  id: number;
  tap_id: number;
  keg_id: number | null;
  kind: CleaningKind;
  origin: CleaningOrigin;
  has_beer: number;
  line_volume_ml: number | null;
  beer_given_ml: number | null;
  contact_minutes: number;
  started_time_ms: number;
  boot_id: string;
  start_mono_ms: number;
  ended_time_ms: number | null;
  end_reason: CleaningEnd | null;
  end_boot_id: string | null;
  end_mono_ms: number | null;
}

/** A pour may be recorded after its cleaning has ended, from a journal or a kegboard; older cleanings take none. */
const recentCleanings = 64;

/** Cleanings that nobody completed and nobody dismissed, at most. */
const maxUnfinished = 100;

export function cleaningsTable(db: Database, caches: Caches) {
  const byId = db.prepare<[number], CleaningRow>('SELECT * FROM cleanings WHERE id = ?');
  const insert = db
    .prepare<Omit<NewCleaning, 'hasBeer'> & { hasBeer: number }, number>(
      `INSERT INTO cleanings (tap_id, keg_id, kind, origin, has_beer, line_volume_ml, beer_given_ml, contact_minutes,
         started_time_ms, boot_id, start_mono_ms, ended_time_ms, end_reason)
       VALUES (@tapId, @kegId, @kind, @origin, @hasBeer, @lineVolumeMl, @beerGivenMl, @contactMinutes, @startedMs, @bootId,
         @startMonoMs, @endedMs, @endReason) RETURNING id`,
    )
    .pluck();
  const end = db.prepare<Instant & { id: number; reason: CleaningEnd }>(
    `UPDATE cleanings SET ended_time_ms = @wallMs, end_boot_id = @bootId, end_mono_ms = @monoMs, end_reason = @reason
     WHERE id = @id`,
  );
  const setEndReason = db.prepare<{ id: number; reason: CleaningEnd }>(
    'UPDATE cleanings SET end_reason = @reason WHERE id = @id',
  );
  const setBeerGiven = db.prepare<{ id: number; ml: number | null }>(
    'UPDATE cleanings SET beer_given_ml = @ml WHERE id = @id',
  );
  const sinceAtTap = db.prepare<[tapId: number, sinceMs: number], CleaningRow>(
    `SELECT * FROM cleanings WHERE tap_id = ? AND started_time_ms >= ? AND origin <> 'pours'`,
  );
  const setKeg = db.prepare<{ id: number; kegId: number | null }>(
    'UPDATE cleanings SET keg_id = @kegId WHERE id = @id',
  );
  const setKegOfLost = db.prepare<{ id: number; kegId: number | null }>(
    'UPDATE spills SET keg_id = @kegId WHERE id = (SELECT spill_id FROM cleaning_losses WHERE cleaning_id = @id)',
  );
  const recent = db.prepare<[], CleaningRow>(
    `SELECT * FROM cleanings WHERE ended_time_ms IS NULL
     UNION SELECT * FROM (SELECT * FROM cleanings WHERE origin = 'mode' ORDER BY id DESC LIMIT ${recentCleanings})
     ORDER BY id DESC`,
  );
  const newest = db.prepare<[number], CleaningRow>(
    `SELECT * FROM cleanings WHERE tap_id = ? AND origin = 'mode' ORDER BY id DESC LIMIT 1`,
  );
  const unfinished = db.prepare<[], CleaningRow>(
    `SELECT * FROM cleanings WHERE end_reason = 'expired' ORDER BY id DESC LIMIT ${maxUnfinished}`,
  );
  const lastLineVolume = db
    .prepare<[number], number>(
      'SELECT line_volume_ml FROM cleanings WHERE tap_id = ? AND line_volume_ml IS NOT NULL ORDER BY id DESC LIMIT 1',
    )
    .pluck();
  const steps = db.prepare<
    [number],
    { step: CleaningStep; since_time_ms: number; boot_id: string; since_mono_ms: number }
  >(
    'SELECT step, since_time_ms, boot_id, since_mono_ms FROM cleaning_steps WHERE cleaning_id = ? ORDER BY id',
  );
  const addStep = db
    .prepare<Instant & { id: number; step: CleaningStep }, number>(
      `INSERT INTO cleaning_steps (cleaning_id, step, since_time_ms, boot_id, since_mono_ms)
       VALUES (@id, @step, @wallMs, @bootId, @monoMs) RETURNING id`,
    )
    .pluck();
  const cachedRecent = caches.untilChange(() => recent.all().map(toCleaning));
  return {
    /** Those of a tap that began since then; without those that were made of pours. */
    sinceAtTap: (tapId: number, sinceMs: number): readonly Cleaning[] =>
      sinceAtTap.all(tapId, sinceMs).map((row) => toCleaning(row)!),
    /** Sets the keg from which the beer was lost. */
    setKeg(id: number, kegId: number | null): void {
      setKeg.run({ id, kegId });
      setKegOfLost.run({ id, kegId });
    },
    byId(id: number): Cleaning | null {
      const row = byId.get(id);
      return row === undefined ? null : toCleaning(row);
    },
    add: ({ hasBeer, ...cleaning }: NewCleaning): number =>
      insert.get({ ...cleaning, hasBeer: Number(hasBeer) })!,
    end: (id: number, at: Instant, reason: CleaningEnd): void => void end.run({ id, ...at, reason }),
    setEndReason: (id: number, reason: CleaningEnd): void => void setEndReason.run({ id, reason }),
    setBeerGiven: (id: number, ml: number | null): void => void setBeerGiven.run({ id, ml }),
    /** The running cleanings and the newest that were run at taps, newest first; in memory, for each pour. */
    recent: (): readonly Cleaning[] => cachedRecent(),
    /** The last one that was run at the tap. */
    newest(tapId: number): Cleaning | null {
      const row = newest.get(tapId);
      return row === undefined ? null : toCleaning(row);
    },
    /** Those that ended by themselves, newest first. */
    unfinished: (): readonly Cleaning[] => unfinished.all().map(toCleaning),
    /** The volume of the line at its last cleaning; null where nobody stated it. */
    lastLineVolumeMl: (tapId: number): number | null => lastLineVolume.get(tapId) ?? null,
    /** In the order in which they were started. */
    steps: (id: number): readonly StoredStep[] =>
      steps.all(id).map((row) => ({
        step: row.step,
        sinceMs: row.since_time_ms,
        bootId: row.boot_id,
        sinceMonoMs: row.since_mono_ms,
      })),
    /** Returns the id of the row. */
    addStep: (id: number, step: CleaningStep, at: Instant): number => addStep.get({ id, step, ...at })!,
  };
}

const toCleaning = (row: CleaningRow): Cleaning => ({
  id: row.id,
  tapId: row.tap_id,
  kegId: row.keg_id,
  kind: row.kind,
  origin: row.origin,
  hasBeer: row.has_beer === 1,
  lineVolumeMl: row.line_volume_ml,
  beerGivenMl: row.beer_given_ml,
  contactMinutes: row.contact_minutes,
  startedMs: row.started_time_ms,
  bootId: row.boot_id,
  startMonoMs: row.start_mono_ms,
  endedMs: row.ended_time_ms,
  endReason: row.end_reason,
  endBootId: row.end_boot_id,
  endMonoMs: row.end_mono_ms,
});
