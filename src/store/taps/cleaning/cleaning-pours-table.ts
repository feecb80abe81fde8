import { type PatternPour, patternBounds } from '../../../core/cleaning/cleaning-pattern.ts';
import type { Database } from '../../database.ts';

/** A flow during a cleaning. */
export interface CleaningPour {
  readonly drinkId: number;
  /** Its end, Unix milliseconds. */
  readonly timeMs: number;
  readonly durationMs: number;
  readonly ticks: number;
  readonly volumeMl: number;
  readonly meter: string | null;
  /** The guest who poured it. */
  readonly username: string | null;
  /** True when a guest's card or name came with it. */
  readonly isGuest: boolean;
}

interface PourRow {
  id: number;
  pour_time_ms: number;
  duration_ms: number;
  ticks: number;
  volume_ml: number;
  meter: string | null;
  username: string | null;
  is_guest: number;
}

/** The beer that a cleaning lost. */
interface LostBeer {
  readonly cleaningId: number;
  readonly tapId: number;
  readonly kegId: number | null;
  readonly ticks: number;
  readonly volumeMl: number;
  readonly timeMs: number;
  readonly meter: string | null;
}

/** Pours that are read as candidates, newest first: more than any bar has in two weeks. */
const maxCandidates = 200;

/** What flowed during cleanings, and what may have been one. */
export function cleaningPoursTable(db: Database) {
  const of = db.prepare<[number], PourRow>(
    `SELECT d.id, d.pour_time_ms, d.duration_ms, d.ticks, d.volume_ml, d.meter, u.username,
       (d.user_id IS NOT NULL OR d.auth_token IS NOT NULL OR d.claimed_username IS NOT NULL) AS is_guest
     FROM drinks d LEFT JOIN users u ON u.id = d.user_id WHERE d.cleaning_id = ? ORDER BY d.pour_time_ms, d.id`,
  );
  const setLost = db
    .prepare<LostBeer, number>(
      `INSERT INTO spills (tap_id, keg_id, ticks, volume_ml, time_ms, meter, cleaning_id)
       VALUES (@tapId, @kegId, @ticks, @volumeMl, @timeMs, @meter, @cleaningId)
       ON CONFLICT (cleaning_id) DO UPDATE SET ticks = excluded.ticks, volume_ml = excluded.volume_ml,
         time_ms = excluded.time_ms, meter = excluded.meter, keg_id = excluded.keg_id RETURNING id`,
    )
    .pluck();
  const removeLost = db.prepare<[number]>('DELETE FROM spills WHERE cleaning_id = ?');
  const lostMl = db.prepare<[number], number>('SELECT volume_ml FROM spills WHERE cleaning_id = ?').pluck();
  const candidates = db.prepare<
    { sinceMs: number },
    {
      id: number;
      tap_id: number;
      pour_time_ms: number;
      duration_ms: number;
      volume_ml: number;
      series: string | null;
    }
  >(
    `SELECT id, tap_id, pour_time_ms, duration_ms, volume_ml, series FROM drinks
     WHERE pour_time_ms >= @sinceMs AND cleaning_id IS NULL AND tap_id IS NOT NULL AND time_certain = 1
       AND (volume_ml > ${patternBounds.largeMl} OR (volume_ml >= ${patternBounds.leastFastMl} AND duration_ms > 0
         AND volume_ml * 1000 > ${patternBounds.fastMlPerS} * duration_ms))
       AND id NOT IN (SELECT drink_id FROM no_cleanings)
     ORDER BY pour_time_ms DESC LIMIT ${maxCandidates}`,
  );
  const dismiss = db.prepare<[number]>('INSERT INTO no_cleanings VALUES (?) ON CONFLICT DO NOTHING');
  const undismiss = db.prepare<[number]>('DELETE FROM no_cleanings WHERE drink_id = ?');
  return {
    /** In the order in which they flowed. */
    of: (cleaningId: number): readonly CleaningPour[] =>
      of.all(cleaningId).map((row) => ({
        drinkId: row.id,
        timeMs: row.pour_time_ms,
        durationMs: row.duration_ms,
        ticks: row.ticks,
        volumeMl: row.volume_ml,
        meter: row.meter,
        username: row.username,
        isGuest: row.is_guest === 1,
      })),
    /** Stores the lost beer of a cleaning as its spill. Returns the id of the spill. */
    setLost: (lost: LostBeer): number => setLost.get(lost)!,
    removeLost: (cleaningId: number): void => void removeLost.run(cleaningId),
    lostMl: (cleaningId: number): number => lostMl.get(cleaningId) ?? 0,
    /** Large or fast pours since then that nobody has judged, held ones too. */
    candidates: (sinceMs: number): readonly PatternPour[] =>
      candidates.all({ sinceMs }).map((row) => ({
        id: row.id,
        tapId: row.tap_id,
        timeMs: row.pour_time_ms,
        durationMs: row.duration_ms,
        volumeMl: row.volume_ml,
        series: row.series,
      })),
    /** Remembers that a pour was no cleaning. */
    dismiss: (drinkId: number): void => void dismiss.run(drinkId),
    undismiss: (drinkId: number): void => void undismiss.run(drinkId),
  };
}
