import type { Database } from '../database.ts';

/** Where alarms are sent. */
export interface AlarmChannelRecord {
  readonly id: number;
  readonly kind: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  /** By name; for the transport, never for a page. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The person who reads it. */
  readonly userId: number | null;
  readonly language: string | null;
  /** True: only urgent alarms. */
  readonly onlyUrgent: boolean;
  /** Null: all kinds. */
  readonly alarmKinds: readonly string[] | null;
  /** 1 to 3. */
  readonly step: number;
  readonly isEnabled: boolean;
}

interface Row {
  id: number;
  kind: string;
  name: string;
  settings: string;
  secrets: string;
  user_id: number | null;
  language: string | null;
  only_urgent: number;
  alarm_kinds: string | null;
  step: number;
  is_enabled: number;
}

/** Alarm channels; a deleted one is kept for a while, so that its deletion can be undone. */
export function alarmChannelsTable(db: Database) {
  const all = db.prepare<[], Row>('SELECT * FROM alarm_channels WHERE deleted_time_ms IS NULL ORDER BY id');
  const byId = db.prepare<[number], Row>(
    'SELECT * FROM alarm_channels WHERE id = ? AND deleted_time_ms IS NULL',
  );
  const withDeleted = db.prepare<[number], Row>('SELECT * FROM alarm_channels WHERE id = ?');
  const insert = db
    .prepare<Omit<Row, 'id'>, number>(
      `INSERT INTO alarm_channels (kind, name, settings, secrets, user_id, language, only_urgent, alarm_kinds, step,
         is_enabled)
       VALUES (@kind, @name, @settings, @secrets, @user_id, @language, @only_urgent, @alarm_kinds, @step, @is_enabled)
       RETURNING id`,
    )
    .pluck();
  const update = db.prepare<Row>(
    `UPDATE alarm_channels SET name = @name, settings = @settings, secrets = @secrets, user_id = @user_id,
       language = @language, only_urgent = @only_urgent, alarm_kinds = @alarm_kinds, step = @step,
       is_enabled = @is_enabled WHERE id = @id`,
  );
  const markDeleted = db.prepare<[number, number]>(
    'UPDATE alarm_channels SET deleted_time_ms = ? WHERE id = ? AND deleted_time_ms IS NULL',
  );
  const restore = db.prepare<[number]>(
    'UPDATE alarm_channels SET deleted_time_ms = NULL WHERE id = ? AND deleted_time_ms IS NOT NULL',
  );
  const purge = db.prepare<[number]>('DELETE FROM alarm_channels WHERE deleted_time_ms < ?');
  return {
    /** In the order in which they were added. */
    all: (): readonly AlarmChannelRecord[] => all.all().map(toChannel),
    byId(id: number): AlarmChannelRecord | null {
      const row = byId.get(id);
      return row === undefined ? null : toChannel(row);
    },
    /** Also one that was deleted lately. */
    withDeleted(id: number): AlarmChannelRecord | null {
      const row = withDeleted.get(id);
      return row === undefined ? null : toChannel(row);
    },
    /** Returns its id. */
    add: (channel: Omit<AlarmChannelRecord, 'id'>): number => insert.get(toRow(channel))!,
    change: (channel: AlarmChannelRecord): void => void update.run({ ...toRow(channel), id: channel.id }),
    /** False if there is none. */
    markDeleted: (id: number, ms: number): boolean => markDeleted.run(ms, id).changes === 1,
    /** False unless it is a deleted one. */
    restore: (id: number): boolean => restore.run(id).changes === 1,
    /** Removes those that were deleted before that time. */
    purge: (beforeMs: number): void => void purge.run(beforeMs),
  };
}

const toRow = (channel: Omit<AlarmChannelRecord, 'id'>): Omit<Row, 'id'> => ({
  kind: channel.kind,
  name: channel.name,
  settings: JSON.stringify(channel.settings),
  secrets: JSON.stringify(channel.secrets),
  user_id: channel.userId,
  language: channel.language,
  only_urgent: Number(channel.onlyUrgent),
  alarm_kinds: channel.alarmKinds && JSON.stringify(channel.alarmKinds),
  step: channel.step,
  is_enabled: Number(channel.isEnabled),
});

const toChannel = (row: Row): AlarmChannelRecord => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  settings: JSON.parse(row.settings) as AlarmChannelRecord['settings'],
  secrets: JSON.parse(row.secrets) as AlarmChannelRecord['secrets'],
  userId: row.user_id,
  language: row.language,
  onlyUrgent: row.only_urgent === 1,
  alarmKinds: row.alarm_kinds === null ? null : (JSON.parse(row.alarm_kinds) as readonly string[]),
  step: row.step,
  isEnabled: row.is_enabled === 1,
});
