import { AppError } from '../../core/app-error.ts';
import type { User } from '../../core/records.ts';
import {
  eventKinds,
  type NotificationSettings,
  type WantedKinds,
} from '../../store/notifications/notification-settings-table.ts';
import { validationError } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';

export {
  type EventKind,
  eventKinds,
  type NotificationSettings,
} from '../../store/notifications/notification-settings-table.ts';

/** The only channel, by the name that the legacy API uses. */
const mailBackend = 'pykeg.notification.backends.email.EmailNotificationBackend';

/** Defaults of new settings; no alarms. */
const defaults: WantedKinds = {
  keg_tapped: true,
  session_started: false,
  keg_volume_low: false,
  keg_ended: false,
};

interface NotificationChange {
  readonly backend?: string;
  /** By kind of event or of alarm. */
  readonly wants?: Readonly<Record<string, boolean | undefined>>;
}

/**
 * Notification settings of users. Without settings a user gets no notifications. Users see their own settings
 * only.
 */
export function createNotifications(parts: EngineParts) {
  const { store } = parts;

  const get = (user: User, id: number): NotificationSettings => {
    const settings = Number.isSafeInteger(id) ? store.notifications.settings.byId(id) : null;
    if (settings?.userId === user.id) return settings;
    throw new AppError('not_found', `You have no notification settings ${id}.`);
  };
  const update = (
    before: NotificationSettings,
    user: User,
    requested: NotificationChange,
    from: WantedKinds,
  ) => {
    const settings = {
      ...before,
      ...parseSettings(store.notifications.alarmKinds.names, user, requested, from),
    };
    store.notifications.settings.change(settings);
    return settings;
  };

  return {
    list: (user: User): readonly NotificationSettings[] => store.notifications.settings.byUser(user.id),

    /** Throws `not_found`, also for settings of another user. */
    get,

    /** Throws `conflict` if there are settings for that channel, `invalid_request`. */
    add: (user: User, requested: NotificationChange): NotificationSettings =>
      change(parts, () => {
        const parsed = parseSettings(store.notifications.alarmKinds.names, user, requested, defaults);
        if (store.notifications.settings.byUser(user.id).some(({ backend }) => backend === parsed.backend)) {
          throw new AppError('conflict', 'You have settings for this channel already: change those.', {
            fields: { backend: 'has settings already' },
            rules: { backend: { name: 'already_exists' } },
          });
        }
        return get(user, store.notifications.settings.add({ userId: user.id, ...parsed }));
      }),
    change: (user: User, id: number, requested: NotificationChange): NotificationSettings =>
      change(parts, () => {
        const before = get(user, id);
        return update(before, user, requested, before.wants);
      }),

    /** Absent kinds get their default. */
    replace: (user: User, id: number, requested: NotificationChange): NotificationSettings =>
      change(parts, () => update(get(user, id), user, requested, defaults)),
    remove: (user: User, id: number): void =>
      change(parts, () => store.notifications.settings.remove(get(user, id).id), 'removal'),
  };
}

function parseSettings(
  alarmKinds: readonly string[],
  user: User,
  { backend = mailBackend, wants = {} }: NotificationChange,
  from: WantedKinds,
) {
  if (backend !== mailBackend) throw validationError('backend', `must be ${mailBackend}`);
  // Alarms are about the operation of the bar.
  for (const kind of alarmKinds) {
    if (wants[kind] && !user.isStaff && !user.isSuperuser)
      throw validationError(kind, 'is for staff only', { name: 'staff_only' });
  }
  const merged = [...eventKinds, ...alarmKinds].map((kind) => [kind, wants[kind] ?? from[kind] ?? false]);
  // With kinds of an extension that was deleted, which may come back.
  return { backend, wants: { ...from, ...(Object.fromEntries(merged) as Record<string, boolean>) } };
}
