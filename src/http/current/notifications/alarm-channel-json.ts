import Type, { type Static } from 'typebox';
import {
  alarmChannelKinds,
  type ChannelFieldName,
  channelFields,
  isAlarmChannelKind,
  maxFieldLength,
} from '../../../core/alarms/alarm-channels.ts';
import type { AlarmKinds } from '../../../core/alarms/alarm-kinds.ts';
import type { AlarmChannelView } from '../../../engine/engine.ts';
import { Closed, errorWords, Id, Maybe, Nullable, named } from '../../routes/schemas.ts';

const descriptions: Readonly<Record<ChannelFieldName, string>> = {
  url: 'Address of the server; of `http` the whole address, which may contain `{secret}`.',
  topic: 'ntfy: the topic.',
  username: 'ntfy: username, if the token is a password.',
  chat: 'Telegram: id of the chat or group.',
  user_key: 'Pushover: key of the user or group.',
  priority:
    'Pushover: priority of urgent alarms, `high` or `emergency`, which rings every minute for an hour until it is acknowledged.',
  method: '`http`: `POST` or `PUT`.',
  headers: '`http`: one header per line, `Name: value`; may contain `{secret}`.',
  body: '`http`: template of the body, with placeholders such as `{title}` and `{message}`.',
  address: '`mail`: the e-mail address.',
  token: 'Access token or password; never shown again.',
  secret: '`http`: what stands for `{secret}`; never shown again.',
};

const toChangeSchema = (name: ChannelFieldName) =>
  Maybe(Nullable(Type.String({ maxLength: maxFieldLength[name], description: descriptions[name] })));

const toShownSchema = (name: ChannelFieldName) =>
  Nullable(Type.String({ description: `${descriptions[name]} Null where the service has none.` }));

const shownFields = {
  url: toShownSchema('url'),
  topic: toShownSchema('topic'),
  username: toShownSchema('username'),
  chat: toShownSchema('chat'),
  user_key: toShownSchema('user_key'),
  priority: toShownSchema('priority'),
  method: toShownSchema('method'),
  headers: toShownSchema('headers'),
  body: toShownSchema('body'),
  address: toShownSchema('address'),
};
const changedFields = {
  url: toChangeSchema('url'),
  topic: toChangeSchema('topic'),
  username: toChangeSchema('username'),
  chat: toChangeSchema('chat'),
  user_key: toChangeSchema('user_key'),
  priority: toChangeSchema('priority'),
  method: toChangeSchema('method'),
  headers: toChangeSchema('headers'),
  body: toChangeSchema('body'),
  address: toChangeSchema('address'),
  token: toChangeSchema('token'),
  secret: toChangeSchema('secret'),
};

export const Kind = Type.Enum([...alarmChannelKinds], {
  description:
    'The service: ntfy, Telegram, Pushover or Gotify; `http` for any other with a template; `mail` for an address without account.',
});
export const Name = Type.String({ minLength: 1, maxLength: 64, description: 'Name of the channel.' });
const Step = Type.Integer({
  minimum: 1,
  maximum: 3,
  description: '1: told at once; 2 and 3: when nobody has acknowledged an urgent alarm.',
});
const Username = Nullable(
  Type.String({
    maxLength: 150,
    description:
      'Username of the member of staff who reads it, who acknowledges by its links; null: nobody in particular.',
  }),
);
const Language = Nullable(
  Type.String({
    pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$',
    ...errorWords('must be a language tag such as de', { name: 'language_tag' }),
    maxLength: 35,
    description: 'Language of the messages; null: that of the person, else of the site.',
  }),
);
const OnlyUrgent = Type.Boolean({ description: 'True: only urgent alarms.' });
const IsEnabled = Type.Boolean({ description: 'False: nothing is sent to it.' });

/** Channels as the API shows and takes them, with these kinds of alarms. */
export function createChannelJson(kinds: AlarmKinds) {
  const ChosenKinds = Nullable(
    Type.Array(Type.Enum([...kinds.names], { description: 'Kind of alarm.' }), {
      maxItems: 64,
      description: 'The kinds of alarms that are sent; null: all.',
    }),
  );

  const ChannelJson = named(
    'AlarmChannel',
    Closed(
      {
        id: Id,
        kind: Kind,
        name: Name,
        ...shownFields,
        has_token: Type.Boolean({ description: 'True when a token is set; it is never shown.' }),
        has_secret: Type.Boolean({ description: 'True when a secret is set; it is never shown.' }),
        user_id: Username,
        language: Language,
        only_urgent: OnlyUrgent,
        alarm_kinds: ChosenKinds,
        step: Step,
        is_enabled: IsEnabled,
        num_waiting: Type.Integer({ minimum: 0, description: 'Messages that wait to be sent.' }),
        num_dead: Type.Integer({
          minimum: 0,
          description: 'Messages that were given up; see `/admin/outbox`.',
        }),
      },
      { description: 'Where alarms are sent.' },
    ),
  );

  /** Fields that a change may have, besides the name. */
  const changeableFields = {
    ...changedFields,
    user_id: Maybe(Username),
    language: Maybe(Language),
    only_urgent: Maybe(OnlyUrgent),
    alarm_kinds: Maybe(ChosenKinds),
    step: Maybe(Step),
    is_enabled: Maybe(IsEnabled),
  };

  const channelJson = (channel: AlarmChannelView): Static<typeof ChannelJson> => ({
    id: channel.id,
    // Another one comes from another program version.
    kind: isAlarmChannelKind(channel.kind) ? channel.kind : 'http',
    name: channel.name,
    url: shownField(channel, 'url'),
    topic: shownField(channel, 'topic'),
    username: shownField(channel, 'username'),
    chat: shownField(channel, 'chat'),
    user_key: shownField(channel, 'user_key'),
    priority: shownField(channel, 'priority'),
    method: shownField(channel, 'method'),
    headers: shownField(channel, 'headers'),
    body: shownField(channel, 'body'),
    address: shownField(channel, 'address'),
    has_token: channel.secrets.token !== undefined,
    has_secret: channel.secrets.secret !== undefined,
    user_id: channel.username,
    language: channel.language,
    only_urgent: channel.onlyUrgent,
    alarm_kinds:
      channel.alarmKinds === null ? null : kinds.names.filter((kind) => channel.alarmKinds!.includes(kind)),
    step: channel.step,
    is_enabled: channel.isEnabled,
    num_waiting: channel.waiting,
    num_dead: channel.dead,
  });

  return { ChannelJson, changeableFields, channelJson };
}

/** Null where the service has no such field. */
function shownField({ kind, settings }: AlarmChannelView, name: ChannelFieldName): string | null {
  const hasField = isAlarmChannelKind(kind) && channelFields[kind].some((field) => field.name === name);
  return hasField ? (settings[name] ?? '') : null;
}
