import type { StartedStep } from '../../../core/cleaning/cleaning-mode.ts';
import type {
  CleaningEnd,
  CleaningKind,
  CleaningOrigin,
  CleaningStep,
} from '../../../core/cleaning/cleaning-terms.ts';
import type { Database } from '../../database.ts';
import type { Caches } from '../../shared/caches.ts';

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
}

/** A pour may be recorded after its cleaning has ended, from a journal or a kegboard; older cleanings take none. */
const recentCleanings = 64;

/** Cleanings that nobody completed and nobody dismissed, at most. */
const maxUnfinished = 100;

export function cleaningsTable(db: Database, caches: Caches) {
  const byId = db.prepare<[number], CleaningRow>('SELECT * FROM cleanings WHERE id = ?');
  const insert = db
    .prepare<Omit<Cleaning, 'id' | 'hasBeer'> & { hasBeer: number }, number>(
      `INSERT INTO cleanings (tap_id, keg_id, kind, origin, has_beer, line_volume_ml, beer_given_ml, contact_minutes,
         started_time_ms, boot_id, start_mono_ms, ended_time_ms, end_reason)
       VALUES (@tapId, @kegId, @kind, @origin, @hasBeer, @lineVolumeMl, @beerGivenMl, @contactMinutes, @startedMs, @bootId,
         @startMonoMs, @endedMs, @endReason) RETURNING id`,
    )
    .pluck();
  const end = db.prepare<{ id: number; ms: number; reason: CleaningEnd }>(
    'UPDATE cleanings SET ended_time_ms = @ms, end_reason = @reason WHERE id = @id',
  );
  const setEndReason = db.prepare<{ id: number; reason: CleaningEnd }>(
    'UPDATE cleanings SET end_reason = @reason WHERE id = @id',
  );
  const setBeerGiven = db.prepare<{ id: number; ml: number | null }>(
    'UPDATE cleanings SET beer_given_ml = @ml WHERE id = @id',
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
  const steps = db.prepare<[number], { step: CleaningStep; since_time_ms: number }>(
    'SELECT step, since_time_ms FROM cleaning_steps WHERE cleaning_id = ? ORDER BY id',
  );
  const addStep = db
    .prepare<{ id: number; step: CleaningStep; ms: number }, number>(
      'INSERT INTO cleaning_steps (cleaning_id, step, since_time_ms) VALUES (@id, @step, @ms) RETURNING id',
    )
    .pluck();
  const cachedRecent = caches.untilChange(() => recent.all().map(toCleaning));
  return {
    byId(id: number): Cleaning | null {
      const row = byId.get(id);
      return row === undefined ? null : toCleaning(row);
    },
    add: ({ hasBeer, ...cleaning }: Omit<Cleaning, 'id'>): number =>
      insert.get({ ...cleaning, hasBeer: Number(hasBeer) })!,
    end: (id: number, ms: number, reason: CleaningEnd): void => void end.run({ id, ms, reason }),
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
    steps: (id: number): readonly StartedStep[] =>
      steps.all(id).map((row) => ({ step: row.step, sinceMs: row.since_time_ms })),
    /** Returns the id of the row. */
    addStep: (id: number, step: CleaningStep, ms: number): number => addStep.get({ id, step, ms })!,
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
});
