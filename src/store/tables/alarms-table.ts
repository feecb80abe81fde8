import type { Database } from '../database.ts';

export type AlarmKind = 'too_warm' | 'controller_silent' | 'house_trouble';

/** When somebody is told that the house needs them. */
export interface AlarmSettings {
  /** A tap's thermometer above this is too warm, °C; null: nobody is told. */
  readonly tooWarmC: number | null;
  /** For so long, minutes: a door that stands open is no alarm. */
  readonly tooWarmMinutes: number;
  /** A board is silent that has not been heard of for so long, minutes. */
  readonly silentMinutes: number;
}

/** What has been told and is not over yet, so that nobody is told twice, not even after a restart. */
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
    /** False when it has been told already. */
    raise: (kind: AlarmKind, subject: string, ms: number): boolean =>
      insert.run({ kind, subject, ms }).changes === 1,
    /** False when it was not told. */
    clear: (kind: AlarmKind, subject: string): boolean => remove.run(kind, subject).changes === 1,
  };
}
