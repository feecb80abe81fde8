import type { Database } from '../database.ts';

/** Kinds of events a user may choose; each has a column of its name. */
export const eventKinds = ['keg_tapped', 'session_started', 'keg_volume_low', 'keg_ended'] as const;

export type EventKind = (typeof eventKinds)[number];

/** Which kinds are wanted: of events, each with an answer, and of alarms, where an absent one is not wanted. */
export type WantedKinds = Readonly<Record<EventKind, boolean>> & Readonly<Record<string, boolean>>;

/** The notifications that a user wants through one channel. */
export interface NotificationSettings {
  readonly id: number;
  readonly userId: number;
  /** Name of the channel. */
  readonly backend: string;
  readonly wants: WantedKinds;
}

type Flags = Record<EventKind, number> & { alarm_kinds: string };
type Row = { id: number; user_id: number; backend: string } & Flags;

const columnNames = [...eventKinds, 'alarm_kinds'];
const columns = columnNames.join(', ');
const values = columnNames.map((name) => `@${name}`).join(', ');

/** Who wants which notifications. */
export function notificationSettingsTable(db: Database) {
  const byId = db.prepare<[number], Row>('SELECT * FROM notification_settings WHERE id = ?');
  const byUser = db.prepare<[number], Row>(
    'SELECT * FROM notification_settings WHERE user_id = ? ORDER BY id DESC',
  );
  const insert = db
    .prepare<{ userId: number; backend: string } & Flags, number>(
      `INSERT INTO notification_settings (user_id, backend, ${columns}) VALUES (@userId, @backend, ${values}) RETURNING id`,
    )
    .pluck();
  const update = db.prepare<{ id: number; backend: string } & Flags>(
    `UPDATE notification_settings SET backend = @backend, (${columns}) = (${values}) WHERE id = @id`,
  );
  const remove = db.prepare<[number]>('DELETE FROM notification_settings WHERE id = ?');
  const staffRecipients = db
    .prepare<[string], number>(
      `SELECT DISTINCT u.id FROM notification_settings n JOIN users u ON u.id = n.user_id
       WHERE EXISTS (SELECT 1 FROM json_each(n.alarm_kinds) WHERE value = ?)
         AND u.is_active = 1 AND u.email <> '' AND (u.is_staff = 1 OR u.is_superuser = 1)
       ORDER BY u.id`,
    )
    .pluck();
  return {
    byId: (id: number): NotificationSettings | null => toSettings(byId.get(id)),
    /** Newest first; one for each channel. */
    byUser: (userId: number): readonly NotificationSettings[] =>
      byUser.all(userId).map((row) => toSettings(row)!),
    /** Returns its id. */
    add: ({ userId, backend, wants }: Omit<NotificationSettings, 'id'>): number =>
      insert.get({ userId, backend, ...toFlags(wants) })!,
    change: ({ id, backend, wants }: Omit<NotificationSettings, 'userId'>): void =>
      void update.run({ id, backend, ...toFlags(wants) }),
    remove: (id: number): void => void remove.run(id),
    /** Ids of active staff with an address who want this kind. */
    staffRecipients: (kind: string): readonly number[] => staffRecipients.all(kind),
  };
}

function toFlags(wants: WantedKinds): Flags {
  const flags = Object.fromEntries(eventKinds.map((kind) => [kind, Number(wants[kind])]));
  const isEvent = (kind: string) => (eventKinds as readonly string[]).includes(kind);
  const alarms = Object.keys(wants).filter((kind) => wants[kind] && !isEvent(kind));
  return { ...flags, alarm_kinds: JSON.stringify(alarms) } as Flags;
}

function toSettings(row: Row | undefined): NotificationSettings | null {
  if (row === undefined) return null;
  const alarms = JSON.parse(row.alarm_kinds) as readonly string[];
  const wants = Object.fromEntries([
    ...eventKinds.map((kind) => [kind, row[kind] === 1]),
    ...alarms.map((kind) => [kind, true]),
  ]);
  return { id: row.id, userId: row.user_id, backend: row.backend, wants: wants as WantedKinds };
}
