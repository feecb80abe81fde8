import type { Database } from '../database.ts';

/** Valid drinks of one meter; `meter` is null for those whose volume was given, and those that no meter counted. */
export interface MeterTotal {
  readonly meter: string | null;
  readonly pours: number;
  readonly volumeMl: number;
}

/** Totals of the valid drinks of a keg or session by meter. They read each of its drinks. */
export function meterTotalsTable(db: Database) {
  const of = (column: 'keg_id' | 'session_id') =>
    db.prepare<[number], MeterTotal>(
      `SELECT iif(volume_given, NULL, meter) AS meter, count(*) AS pours, total(volume_ml) AS volumeMl
       FROM drinks WHERE ${column} = ? AND +is_valid = 1 GROUP BY 1`,
    );
  const [keg, session] = [of('keg_id'), of('session_id')];
  return {
    ofKeg: (kegId: number): readonly MeterTotal[] => keg.all(kegId),
    ofSession: (sessionId: number): readonly MeterTotal[] => session.all(sessionId),
  };
}
