import type { AlarmKind } from '../../core/rules/alarm-kinds.ts';
import type { Database } from '../database.ts';

/** Thresholds of the alarms. */
export interface AlarmSettings {
  /** A tap's thermo sensor above this raises an alarm, °C; null: never. */
  readonly tooWarmC: number | null;
  /** How long it must be too warm, minutes, so that an open cooler door raises no alarm. */
  readonly tooWarmMinutes: number;
  /** A controller that has not reported for this long is silent, minutes. */
  readonly silentMinutes: number;
}

/** Alarms that were raised and not cleared, stored so that a restart does not report them again. */
export function alarmsTable(db: Database) {
  const read = db.prepare<
    [],
    { too_warm_c: number | null; too_warm_minutes: number; silent_minutes: number }
  >('SELECT * FROM alarm_settings');
  const write = db.prepare<AlarmSettings>(
    `UPDATE alarm_settings SET too_warm_c = @tooWarmC, too_warm_minutes = @tooWarmMinutes,
       silent_minutes = @silentMinutes`,
  );
  const raised = db.prepare<[], { kind: AlarmKind; subject: string }>('SELECT kind, subject FROM alarms');
  const insert = db.prepare<{ kind: AlarmKind; subject: string; ms: number }>(
    'INSERT INTO alarms VALUES (@kind, @subject, @ms) ON CONFLICT DO NOTHING',
  );
  const remove = db.prepare<[AlarmKind, string]>('DELETE FROM alarms WHERE kind = ? AND subject = ?');
  return {
    settings(): AlarmSettings {
      const row = read.get()!;
      return {
        tooWarmC: row.too_warm_c,
        tooWarmMinutes: row.too_warm_minutes,
        silentMinutes: row.silent_minutes,
      };
    },
    changeSettings: (settings: AlarmSettings): void => void write.run(settings),
    raised: (): readonly { readonly kind: AlarmKind; readonly subject: string }[] => raised.all(),
    /** False if it was raised already. */
    raise: (kind: AlarmKind, subject: string, ms: number): boolean =>
      insert.run({ kind, subject, ms }).changes === 1,
    /** False if it was not raised. */
    clear: (kind: AlarmKind, subject: string): boolean => remove.run(kind, subject).changes === 1,
  };
}
