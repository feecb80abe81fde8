import type { Database } from '../database.ts';
import { preparePages, type Slice } from '../shared/slice.ts';

/** Thresholds of the alarms. */
export interface AlarmSettings {
  /** A tap's thermo sensor above this raises an alarm, °C; null: never. */
  readonly tooWarmC: number | null;
  /** How long it must be too warm, minutes, so that an open cooler door raises no alarm. */
  readonly tooWarmMinutes: number;
  /** A controller that has not reported for this long is silent, minutes. */
  readonly silentMinutes: number;
  /** Writes that the maker of the disk states, terabytes; null: 100 times its size. */
  readonly diskEnduranceTb: number | null;
}

/** An alarm: open until it is resolved. Times are Unix milliseconds. */
export interface AlarmRecord {
  readonly id: number;
  readonly kind: string;
  readonly subject: string;
  /** JSON: the values of its text. */
  readonly details: string;
  readonly raisedMs: number;
  readonly acknowledgedMs: number | null;
  /** Username; null for a channel and for an erased user. */
  readonly acknowledgedBy: string | null;
  /** Name of the channel whose link was used. */
  readonly acknowledgedChannel: string | null;
  readonly resolvedMs: number | null;
}

/** History: resolved alarms are kept so long, milliseconds, and so many. */
const keptMs = 365 * 86_400_000;
const maxKept = 2_000;

const columns = `a.id, a.kind, a.subject, a.details, a.raised_time_ms AS raisedMs,
  a.acknowledged_time_ms AS acknowledgedMs, u.username AS acknowledgedBy,
  a.acknowledged_channel AS acknowledgedChannel, a.resolved_time_ms AS resolvedMs`;
const from = 'FROM alarms a LEFT JOIN users u ON u.id = a.acknowledged_user_id';

/** Alarms, open and resolved, and their thresholds. */
export function alarmsTable(db: Database) {
  const read = db.prepare<
    [],
    {
      too_warm_c: number | null;
      too_warm_minutes: number;
      silent_minutes: number;
      disk_endurance_tb: number | null;
    }
  >('SELECT * FROM alarm_settings');
  const write = db.prepare<AlarmSettings>(
    `UPDATE alarm_settings SET too_warm_c = @tooWarmC, too_warm_minutes = @tooWarmMinutes,
       silent_minutes = @silentMinutes, disk_endurance_tb = @diskEnduranceTb`,
  );
  const byId = db.prepare<[number], AlarmRecord>(`SELECT ${columns} ${from} WHERE a.id = ?`);
  const open = db.prepare<[], AlarmRecord>(
    `SELECT ${columns} ${from} WHERE a.resolved_time_ms IS NULL ORDER BY a.id`,
  );
  const resolvedSince = db.prepare<[number], AlarmRecord>(
    `SELECT ${columns} ${from} WHERE a.resolved_time_ms >= ? ORDER BY a.id`,
  );
  const page = preparePages<AlarmRecord>(db, {
    select: `SELECT ${columns} ${from}`,
    where: '(@isOpen IS NULL OR (a.resolved_time_ms IS NULL) = @isOpen)',
    id: 'a.id',
  });
  const count = db
    .prepare<{ isOpen: number | null }, number>(
      'SELECT count(*) FROM alarms WHERE @isOpen IS NULL OR (resolved_time_ms IS NULL) = @isOpen',
    )
    .pluck();
  const unacknowledged = db
    .prepare<[], number>(
      'SELECT count(*) FROM alarms WHERE resolved_time_ms IS NULL AND acknowledged_time_ms IS NULL',
    )
    .pluck();
  const insert = db
    .prepare<{ kind: string; subject: string; details: string; ms: number }, number>(
      `INSERT INTO alarms (kind, subject, details, raised_time_ms) VALUES (@kind, @subject, @details, @ms)
       RETURNING id`,
    )
    .pluck();
  const acknowledge = db.prepare<{ id: number; ms: number; userId: number | null; channel: string | null }>(
    `UPDATE alarms SET acknowledged_time_ms = @ms, acknowledged_user_id = @userId, acknowledged_channel = @channel
     WHERE id = @id AND acknowledged_time_ms IS NULL AND resolved_time_ms IS NULL`,
  );
  const resolve = db.prepare<{ id: number; ms: number }>(
    'UPDATE alarms SET resolved_time_ms = max(@ms, raised_time_ms) WHERE id = @id AND resolved_time_ms IS NULL',
  );
  const removeOld = db.prepare<{ beforeMs: number; keep: number }>(
    `DELETE FROM alarms WHERE resolved_time_ms IS NOT NULL AND (resolved_time_ms < @beforeMs
       OR id <= (SELECT id FROM alarms ORDER BY id DESC LIMIT 1 OFFSET @keep))`,
  );
  return {
    settings(): AlarmSettings {
      const row = read.get()!;
      return {
        tooWarmC: row.too_warm_c,
        tooWarmMinutes: row.too_warm_minutes,
        silentMinutes: row.silent_minutes,
        diskEnduranceTb: row.disk_endurance_tb,
      };
    },
    changeSettings: (settings: AlarmSettings): void => void write.run(settings),
    byId: (id: number): AlarmRecord | null => byId.get(id) ?? null,
    /** In the order in which they were raised. */
    open: (): readonly AlarmRecord[] => open.all(),
    /** Those resolved at that time or later. */
    resolvedSince: (ms: number): readonly AlarmRecord[] => resolvedSince.all(ms),
    /** Newest first; null: open and resolved ones. */
    page: (isOpen: boolean | null, slice: Slice): readonly AlarmRecord[] =>
      page(slice, { isOpen: toFlag(isOpen) }),
    count: (isOpen: boolean | null): number => count.get({ isOpen: toFlag(isOpen) })!,
    /** Number of open alarms that nobody has acknowledged. */
    unacknowledgedCount: (): number => unacknowledged.get()!,
    /** Returns its id, null if it is open already. Deletes what is too old. */
    raise(kind: string, subject: string, details: string, ms: number): number | null {
      if (open.all().some((alarm) => alarm.kind === kind && alarm.subject === subject)) return null;
      const id = insert.get({ kind, subject, details, ms })!;
      removeOld.run({ beforeMs: ms - keptMs, keep: maxKept });
      return id;
    },
    /** False if it was acknowledged or resolved before. */
    acknowledge: (alarm: {
      id: number;
      ms: number;
      userId: number | null;
      channel: string | null;
    }): boolean => acknowledge.run(alarm).changes === 1,
    /** False if it was not open. */
    resolve: (id: number, ms: number): boolean => resolve.run({ id, ms }).changes === 1,
  };
}

const toFlag = (value: boolean | null): number | null => (value === null ? null : Number(value));
