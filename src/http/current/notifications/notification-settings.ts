import Type, { type Static } from 'typebox';
import type { AlarmKinds } from '../../../core/alarms/alarm-kinds.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { paginate } from '../../../engine/engine.ts';
import { eventKinds, type NotificationSettings } from '../../../engine/notifications/notifications.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Id, Maybe, named, Open } from '../../routes/schemas.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest } from '../shared/paging.ts';

const eventFields = {
  keg_tapped: Type.Boolean({ description: 'A keg was put on a tap.' }),
  session_started: Type.Boolean({ description: 'The first drink of a session was poured.' }),
  keg_volume_low: Type.Boolean({ description: 'A keg fell below the threshold of the site.' }),
  keg_ended: Type.Boolean({ description: 'A keg was finished.' }),
};

const backend = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The channel. Mail is the only one, under the name that existing clients use.',
});

/** Notification settings as the API shows and takes them. */
export type NotificationJson = ReturnType<typeof createNotificationJson>;

/** One field for each kind of alarm, on or off. */
export function createNotificationJson(kinds: AlarmKinds) {
  const alarmFields: Readonly<Record<string, Type.TBoolean>> = Object.fromEntries(
    kinds.names.map((kind) => [
      kind,
      Type.Boolean({ description: `${kinds.find(kind)!.description} Staff only.` }),
    ]),
  );
  const maybe = ([kind, field]: [string, Type.TBoolean]) => [kind, Maybe(field)] as const;
  const SettingsJson = named(
    'NotificationSettings',
    Closed(
      {
        id: Id,
        user_id: Type.String({ description: 'Username.' }),
        backend,
        ...eventFields,
        ...alarmFields,
      },
      { description: 'What a user is notified of.' },
    ),
  );
  return {
    SettingsJson,
    ChangeBody: Closed({
      backend: Maybe(backend),
      keg_tapped: Maybe(eventFields.keg_tapped),
      session_started: Maybe(eventFields.session_started),
      keg_volume_low: Maybe(eventFields.keg_volume_low),
      keg_ended: Maybe(eventFields.keg_ended),
      ...Object.fromEntries(Object.entries(alarmFields).map(maybe)),
    }),
    toJson({ id, backend: channel, wants }: NotificationSettings, username: string) {
      const flags = [...eventKinds, ...kinds.names].map((kind) => [kind, wants[kind] ?? false]);
      return {
        id,
        user_id: username,
        backend: channel,
        ...Object.fromEntries(flags),
      } as Static<typeof SettingsJson>;
    },
  };
}

const params = Open({ id: Id });
const member = { access: 'member' } as const;

/** Notifications that a user receives by mail; users read and change only their own. */
export function notificationSettingsRoutes({
  SettingsJson,
  ChangeBody,
  toJson,
}: NotificationJson): readonly Route[] {
  const SettingsReply = Closed({ notification_setting: SettingsJson });
  return [
    defineRoute({
      ...member,
      id: 'listNotificationSettings',
      method: 'get',
      path: '/notification-settings',
      summary: 'List your own notification settings; empty by default',
      description: 'A user has at most one entry for each channel, and mail is the only one.',
      accepts: { query: PageQuery },
      replies: {
        status: 200,
        body: Closed({
          paging: PagingJson,
          notification_settings: Type.Array(SettingsJson, {
            description: 'The notification settings of this page.',
          }),
        }),
      },
      run({ engine, user, addressWith }, { query }) {
        const page = paginate(engine.notifications.list(user!), toPageRequest(query));
        const items = page.items.map((settings) => toJson(settings, user!.username));
        return { paging: pagingJson(page, addressWith), notification_settings: items };
      },
    }),
    defineRoute({
      ...member,
      id: 'addNotificationSettings',
      method: 'post',
      path: '/notification-settings',
      summary:
        'Create your notification settings. Fields left out take their defaults: only `keg_tapped` is on',
      description:
        '409 when you already have settings for the channel. Alarms are for staff: others who switch them on get a 400. ' +
        'Mails need a mail server and an e-mail address of yours.',
      accepts: { body: ChangeBody },
      errors: { conflict: [] },
      replies: { status: 201, body: SettingsReply },
      run: ({ engine, user }, { body }) => ({
        notification_setting: toJson(engine.notifications.add(user!, toChanges(body)), user!.username),
      }),
    }),
    defineRoute({
      ...member,
      id: 'getNotificationSettings',
      method: 'get',
      path: '/notification-settings/{id}',
      summary: 'Get one of your own notification settings',
      description: '404 also for settings of somebody else.',
      accepts: { params },
      replies: { status: 200, body: SettingsReply },
      run: ({ engine, user }, { params: { id } }) => ({
        notification_setting: toJson(engine.notifications.get(user!, id), user!.username),
      }),
    }),
    ...(['put', 'patch'] as const).map((method) =>
      defineRoute({
        ...member,
        id: method === 'put' ? 'replaceNotificationSettings' : 'changeNotificationSettings',
        method,
        path: '/notification-settings/{id}',
        summary:
          method === 'put'
            ? 'Replace notification settings. Fields left out take their defaults'
            : 'Change notification settings. Fields left out keep their values',
        description: '404 also for settings of somebody else, and 409 when you have others for the channel.',
        accepts: { params, body: ChangeBody },
        errors: { conflict: [] },
        replies: { status: 200, body: SettingsReply },
        run({ engine, user }, { params: { id }, body }) {
          const changes = toChanges(body);
          const settings =
            method === 'put'
              ? engine.notifications.replace(user!, id, changes)
              : engine.notifications.change(user!, id, changes);
          return { notification_setting: toJson(settings, user!.username) };
        },
      }),
    ),
    defineRoute({
      ...member,
      id: 'deleteNotificationSettings',
      method: 'delete',
      path: '/notification-settings/{id}',
      summary: 'Delete notification settings: no notifications are sent any more',
      description: '404 also for settings of somebody else.',
      accepts: { params },
      replies: { status: 200, body: Closed({}) },
      run({ engine, user }, { params: { id } }) {
        engine.notifications.remove(user!, id);
        return {};
      },
    }),
  ];
}

/** The kinds of a body, which are all its fields but the channel. */
function toChanges({ backend: channel, ...body }: { readonly backend?: string | undefined }) {
  return {
    ...omitUndefined({ backend: channel }),
    wants: body as Readonly<Record<string, boolean | undefined>>,
  };
}
