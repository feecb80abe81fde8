import type { Database } from '../database.ts';

/** Kinds of notifications a user may choose. */
export const notificationKinds = [
  'keg_tapped',
  'session_started',
  'keg_volume_low',
  'keg_ended',
  'too_warm',
  'controller_silent',
  'system_problem',
] as const;

export type NotificationKind = (typeof notificationKinds)[number];

/** The notifications that a user wants through one channel. */
export interface NotificationSettings {
  readonly id: number;
  readonly userId: number;
  /** Name of the channel. */
  readonly backend: string;
  readonly wants: Readonly<Record<NotificationKind, boolean>>;
}

type Flags = Record<NotificationKind, number>;
type Row = { id: number; user_id: number; backend: string } & Flags;

const columns = notificationKinds.join(', ');
const values = notificationKinds.map((kind) => `@${kind}`).join(', ');

/** Notification settings; a trigger on events reads them too. */
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
  const staffRecipients = Object.fromEntries(
    (['too_warm', 'controller_silent', 'system_problem'] as const).map((kind) => [
      kind,
      db
        .prepare<[], number>(
          `SELECT DISTINCT u.id FROM notification_settings n JOIN users u ON u.id = n.user_id
           WHERE n.${kind} = 1 AND u.is_active = 1 AND u.email <> '' AND (u.is_staff = 1 OR u.is_superuser = 1)
           ORDER BY u.id`,
        )
        .pluck(),
    ]),
  );
  return {
    byId: (id: number): NotificationSettings | null => toSettings(byId.get(id)),
    /** Newest first; one for each channel. */
    byUser: (userId: number): readonly NotificationSettings[] =>
      byUser.all(userId).map((row) => toSettings(row)!),
    /** Returns its id. */
    add: ({ userId, backend, wants }: Omit<NotificationSettings, 'id'>): number =>
      insert.get({ userId, backend, ...flags(wants) })!,
    change: ({ id, backend, wants }: Omit<NotificationSettings, 'userId'>): void =>
      void update.run({ id, backend, ...flags(wants) }),
    remove: (id: number): void => void remove.run(id),
    /** Ids of active staff with an address who want this kind. */
    staffRecipients: (kind: 'too_warm' | 'controller_silent' | 'system_problem'): readonly number[] =>
      staffRecipients[kind]!.all(),
  };
}

function flags(wants: Readonly<Record<NotificationKind, boolean>>): Flags {
  return Object.fromEntries(notificationKinds.map((kind) => [kind, Number(wants[kind])])) as Flags;
}

function toSettings(row: Row | undefined): NotificationSettings | null {
  if (row === undefined) return null;
  const wants = Object.fromEntries(notificationKinds.map((kind) => [kind, row[kind] === 1]));
  return {
    id: row.id,
    userId: row.user_id,
    backend: row.backend,
    wants: wants as NotificationSettings['wants'],
  };
}
