import Type from 'typebox';
import { type ChannelFieldName, channelFieldNames } from '../../../core/alarms/alarm-channels.ts';
import type { AlarmKinds } from '../../../core/alarms/alarm-kinds.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, Id, Maybe, Open } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { PagingJson, wholeListPaging } from '../shared/paging.ts';
import { createChannelJson, Kind, Name } from './alarm-channel-json.ts';

const params = Open({ id: Id });
const staff = { access: 'staff' } as const;
const confirmedSuperuser = { access: 'confirmed-superuser' } as const;
const confirmed =
  'Needs a login whose password was confirmed within five minutes; keys are refused with 403. Written to the audit log without ' +
  'secrets and addresses.';

/** Channels of alarms, for staff; superusers change them. */
export function alarmChannelRoutes(
  { outbox }: Pick<RouteServices, 'outbox'>,
  kinds: AlarmKinds,
): readonly Route[] {
  const { ChannelJson, changeableFields, channelJson } = createChannelJson(kinds);
  const ChannelReply = Closed({ channel: ChannelJson });
  return [
    defineRoute({
      ...staff,
      id: 'listAlarmChannels',
      method: 'get',
      path: '/admin/alarm-channels',
      summary: 'List the channels of alarms in the order they were added',
      description:
        'Besides them, users choose alarms by mail (`/api/notification-settings`), and MQTT and webhooks have their own settings. ' +
        'Secrets are never shown.',
      accepts: {},
      replies: {
        status: 200,
        body: Closed({
          paging: PagingJson,
          channels: Type.Array(ChannelJson, { description: 'In the order they were added.' }),
        }),
      },
      run({ engine }) {
        const channels = engine.notifications.alarmChannels.list().map(channelJson);
        return { paging: wholeListPaging(channels), channels };
      },
    }),
    defineRoute({
      ...confirmedSuperuser,
      id: 'addAlarmChannel',
      method: 'post',
      path: '/admin/alarm-channels',
      summary: 'Add a channel for alarms. Twenty at most',
      description: `Each kind has its own fields, see docs/alarms.md; a field of another kind is a 400. ${confirmed}`,
      accepts: { body: Closed({ kind: Kind, name: Name, ...changeableFields }) },
      replies: { status: 201, body: ChannelReply },
      run: (context, { body: { kind, name, ...body } }) => ({
        channel: channelJson(
          context.engine.notifications.alarmChannels.add(
            { kind, name, ...toChange(body) },
            actorContext(context),
          ),
        ),
      }),
    }),
    defineRoute({
      ...confirmedSuperuser,
      id: 'changeAlarmChannel',
      method: 'patch',
      path: '/admin/alarm-channels/{id}',
      summary: 'Change a channel, or switch it on or off',
      description:
        'Fields left out and empty secrets keep their values; null removes a value. Another server or account removes the stored ' +
        `secrets, which must be sent again. ${confirmed}`,
      accepts: { params, body: Closed({ name: Maybe(Name), ...changeableFields }) },
      replies: { status: 200, body: ChannelReply },
      run: (context, { params: { id }, body: { name, ...body } }) => ({
        channel: channelJson(
          context.engine.notifications.alarmChannels.edit(
            id,
            { ...omitUndefined({ name }), ...toChange(body) },
            actorContext(context),
          ),
        ),
      }),
    }),
    defineRoute({
      ...confirmedSuperuser,
      id: 'deleteAlarmChannel',
      method: 'delete',
      path: '/admin/alarm-channels/{id}',
      summary: 'Delete a channel. It can be restored for a day',
      description: `Its waiting messages are not sent. ${confirmed}`,
      accepts: { params },
      replies: { status: 200, body: Closed({}) },
      run(context, { params: { id } }) {
        context.engine.notifications.alarmChannels.remove(id, actorContext(context));
        return {};
      },
    }),
    defineRoute({
      ...confirmedSuperuser,
      id: 'restoreAlarmChannel',
      method: 'post',
      path: '/admin/alarm-channels/{id}/restore',
      summary: 'Restore a channel that was deleted within a day',
      description: `With its settings and secrets. ${confirmed}`,
      accepts: { params },
      replies: { status: 200, body: ChannelReply },
      run: (context, { params: { id } }) => ({
        channel: channelJson(context.engine.notifications.alarmChannels.restore(id, actorContext(context))),
      }),
    }),
    defineRoute({
      ...staff,
      id: 'testAlarmChannel',
      method: 'post',
      path: '/admin/alarm-channels/{id}/test',
      summary:
        'Send a test message through a channel and wait for the answer; 409 with the reason if it fails',
      description: 'Also when it is switched off. Nothing is queued.',
      accepts: { params },
      errors: { conflict: [], unavailable: [] },
      replies: { status: 200, body: Closed({}) },
      async run(_context, { params: { id } }) {
        await outbox.alarms.sendTest(id);
        return {};
      },
    }),
  ];
}

interface ChangeBody {
  readonly user_id?: string | null;
  readonly language?: string | null;
  readonly only_urgent?: boolean;
  readonly alarm_kinds?: readonly string[] | null;
  readonly step?: number;
  readonly is_enabled?: boolean;
}

function toChange(body: ChangeBody & Readonly<Partial<Record<ChannelFieldName, unknown>>>) {
  const fields = Object.fromEntries(
    channelFieldNames.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  ) as Partial<Record<ChannelFieldName, string | null>>;
  return {
    fields,
    ...omitUndefined({
      username: body.user_id,
      language: body.language,
      onlyUrgent: body.only_urgent,
      alarmKinds: body.alarm_kinds,
      step: body.step,
      isEnabled: body.is_enabled,
    }),
  };
}
