import type { Database } from '../../../store/database.ts';
import { type PatternPour, patternBounds } from '../core/cleaning-pattern.ts';

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

/** What lost the beer, as its spill says. */
const lossCause = 'cleaning';

/** Pours that are read as candidates, newest first: more than any bar has in two weeks. */
const maxCandidates = 200;

/** What flowed during cleanings, and what may have been one. */
export function cleaningPoursTable(db: Database) {
  const of = db.prepare<[number], PourRow>(
    `SELECT d.id, d.pour_time_ms, d.duration_ms, d.ticks, d.volume_ml, d.meter, u.username,
       (d.user_id IS NOT NULL OR d.auth_token IS NOT NULL OR d.claimed_username IS NOT NULL) AS is_guest
     FROM cleaning_pours c JOIN drinks d ON d.id = c.drink_id LEFT JOIN users u ON u.id = d.user_id
     WHERE c.cleaning_id = ?`,
  );
  const add = db.prepare<[drinkId: number, cleaningId: number]>('INSERT INTO cleaning_pours VALUES (?, ?)');
  const remove = db.prepare<[drinkId: number]>('DELETE FROM cleaning_pours WHERE drink_id = ?');
  const cleaningOf = db
    .prepare<[drinkId: number], number>('SELECT cleaning_id FROM cleaning_pours WHERE drink_id = ?')
    .pluck();
  const ofUnsetClock = db
    .prepare<[bootId: string], number>(
      `SELECT c.cleaning_id FROM drinks d JOIN cleaning_pours c ON c.drink_id = d.id
       WHERE d.time_certain = 0 AND d.boot_id = ?`,
    )
    .pluck();
  const lost = db
    .prepare<[number], number>('SELECT spill_id FROM cleaning_losses WHERE cleaning_id = ?')
    .pluck();
  const addSpill = db
    .prepare<LostBeer, number>(
      `INSERT INTO spills (tap_id, keg_id, ticks, volume_ml, time_ms, meter, cause)
       VALUES (@tapId, @kegId, @ticks, @volumeMl, @timeMs, @meter, '${lossCause}') RETURNING id`,
    )
    .pluck();
  const addLost = db.prepare<[cleaningId: number, spillId: number]>(
    'INSERT INTO cleaning_losses VALUES (?, ?)',
  );
  const changeSpill = db.prepare<LostBeer & { id: number }>(
    `UPDATE spills SET ticks = @ticks, volume_ml = @volumeMl, time_ms = @timeMs, meter = @meter, keg_id = @kegId WHERE id = @id`,
  );
  // Its row of this table goes with it.
  const removeSpill = db.prepare<[number]>('DELETE FROM spills WHERE id = ?');
  const picture = db
    .prepare<[number], number>('SELECT picture_id FROM cleaning_pictures WHERE cleaning_id = ?')
    .pluck();
  const addPicture = db.prepare<[cleaningId: number, pictureId: number]>(
    'INSERT INTO cleaning_pictures VALUES (?, ?)',
  );
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
     WHERE pour_time_ms >= @sinceMs AND is_set_aside = 0 AND tap_id IS NOT NULL AND time_certain = 1
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
      of
        .all(cleaningId)
        .sort((one, other) => one.pour_time_ms - other.pour_time_ms || one.id - other.id)
        .map((row) => ({
          drinkId: row.id,
          timeMs: row.pour_time_ms,
          durationMs: row.duration_ms,
          ticks: row.ticks,
          volumeMl: row.volume_ml,
          meter: row.meter,
          username: row.username,
          isGuest: row.is_guest === 1,
        })),
    /** Notes that a drink, which is set aside, flowed during a cleaning. */
    add: (drinkId: number, cleaningId: number): void => void add.run(drinkId, cleaningId),
    /** Notes that it is a drink. */
    remove: (drinkId: number): void => void remove.run(drinkId),
    /** The cleaning during which a drink flowed; null for others. */
    cleaningOf: (drinkId: number): number | null => cleaningOf.get(drinkId) ?? null,
    /** The cleanings of pours of that boot whose times are provisional. */
    ofUnsetClock: (bootId: string): readonly number[] => [...new Set(ofUnsetClock.all(bootId))],
    /** Stores the lost beer of a cleaning as its spill. */
    setLost(beer: LostBeer): void {
      const spill = lost.get(beer.cleaningId);
      if (spill === undefined) addLost.run(beer.cleaningId, addSpill.get(beer)!);
      else changeSpill.run({ ...beer, id: spill });
    },
    removeLost(cleaningId: number): void {
      const spill = lost.get(cleaningId);
      if (spill !== undefined) removeSpill.run(spill);
    },
    /** The id of the cleaning's picture. */
    pictureId: (cleaningId: number): number | null => picture.get(cleaningId) ?? null,
    addPicture: (cleaningId: number, pictureId: number): void => void addPicture.run(cleaningId, pictureId),
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
