import type { Database } from '../database.ts';

/** Pours of one day that are read: enough for its figures, and bounded for the busiest tap. */
const maxPours = 30;

/** A pour that a meter of this machine or of a serial board counted while it ran. */
export interface FlowPour {
  readonly kegId: number | null;
  readonly pourTimeMs: number;
  readonly durationMs: number;
  readonly series: string;
  /** Ticks of beer and their volume; null where a person changed the volume. */
  readonly ticks: number;
  readonly volumeMl: number | null;
  readonly isFoamy: boolean;
}

interface FlowPourRow {
  keg_id: number | null;
  pour_time_ms: number;
  duration_ms: number;
  series: string;
  ticks: number;
  volume_ml: number;
  volume_given: number;
  gas_onset_ms: number | null;
}

interface DayOfTap {
  readonly tapId: number;
  readonly meter: string;
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs: number;
}

/** The pours that show the flow of a tap's line on one day. */
export function tapFlowTable(db: Database) {
  const ofDay = `FROM drinks
     WHERE tap_id = @tapId AND is_valid = 1 AND pour_time_ms >= @sinceMs AND pour_time_ms < @untilMs
       AND meter = @meter AND time_certain = 1 AND recovered = 0 AND source IN ('pin', 'serial') AND series IS NOT NULL
       AND gas_ticks = 0 AND foam_ticks = 0 AND pour_time_ms > (SELECT rates_since_ms FROM taps WHERE id = @tapId)
     ORDER BY pour_time_ms DESC LIMIT ${maxPours}`;
  const select = db.prepare<DayOfTap, FlowPourRow>(
    `SELECT keg_id, pour_time_ms, duration_ms, series, ticks, volume_ml, volume_given, gas_onset_ms ${ofDay}`,
  );
  const version = db
    .prepare<DayOfTap, string>(
      `SELECT count(*) || '/' || sum(id) || '/' || sum(ticks) || '/' || sum(volume_ml) || '/' || sum(gas_onset_ms IS NULL) ||
         '/' || sum(coalesce(keg_id, 0)) || '/' || sum(volume_given)
       FROM (SELECT id, ticks, volume_ml, volume_given, gas_onset_ms, keg_id ${ofDay})`,
    )
    .pluck();
  const served = db
    .prepare<[kegId: number, untilMs: number], number>(
      'SELECT coalesce(sum(volume_ml), 0) FROM keg_drinks WHERE keg_id = ? AND pour_time_ms <= ?',
    )
    .pluck();
  return {
    /** The newest pours of the day, without gas and foam of a fresh keg, newest first. */
    pours: (day: DayOfTap): readonly FlowPour[] =>
      select.all(day).map((row) => ({
        kegId: row.keg_id,
        pourTimeMs: row.pour_time_ms,
        durationMs: row.duration_ms,
        series: row.series,
        ticks: row.ticks,
        volumeMl: row.volume_given === 1 ? null : row.volume_ml,
        isFoamy: row.gas_onset_ms !== null,
      })),
    /** Changes with each correction of these pours; null without any. Ten times as fast as reading them. */
    version: (day: DayOfTap): string | null => version.get(day) ?? null,
    /** What was poured from a keg until that time, millilitres. */
    servedMl: (kegId: number, untilMs: number): number => served.get(kegId, untilMs)!,
  };
}
