import Type, { type Static } from 'typebox';
import type { AlarmView } from '../../../engine/engine.ts';
import type { AlarmService } from '../../ports.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest } from '../shared/paging.ts';

const Language = Maybe(
  Type.String({
    maxLength: 35,
    description: 'Language of title and text, such as `de`; absent or unknown: that of the site.',
  }),
);
export const LanguageQuery = Open({ language: Language });

export const AlarmJson = named(
  'Alarm',
  Closed(
    {
      id: Id,
      kind: Type.String({ description: 'Kind of the alarm, such as `too_warm`; `test_alarm` for a test.' }),
      subject: Type.String({
        description: 'What it is about: a sensor, a controller, a part of the machine.',
      }),
      title: Type.String({ description: 'The alarm in a few words.' }),
      text: Type.String({ description: 'What happened and what to do.' }),
      urgency: Type.Enum(['high', 'low'], {
        description: '`high`: beer or safety is at stake now; `low`: it can wait.',
      }),
      raised_time: { ...IsoSeconds, description: 'UTC time at which it was raised.' },
      acknowledged_time: Nullable({
        ...IsoSeconds,
        description: 'UTC time at which somebody acknowledged it; null before.',
      }),
      acknowledged_by: Nullable(
        Type.String({
          description: 'Who acknowledged it: a username, or the name of the channel whose link was used.',
        }),
      ),
      resolved_time: Nullable({
        ...IsoSeconds,
        description: 'UTC time at which it was over; null while it is open.',
      }),
      told: Type.Array(
        Closed({
          recipient: Nullable(
            Type.String({ description: 'A username, or the name of a channel; null when it was deleted.' }),
          ),
          round: Type.Integer({
            minimum: 0,
            description: '1 for the first message, 2 and 3 for repetitions, 0 for the one about the end.',
          }),
          time: { ...IsoSeconds, description: 'UTC time at which the message was due.' },
          is_sent: Type.Boolean({ description: 'True once the message was accepted.' }),
        }),
        { description: 'Who was told of it.' },
      ),
    },
    {
      description:
        'An alarm: raised while its condition lasts, acknowledged by a person, resolved with the condition.',
    },
  ),
);

const AlarmReply = Closed({ alarm: AlarmJson });

const params = Open({ id: Id });
const staff = { access: 'staff' } as const;
const staffOrPin = { ...staff, byPin: true } as const;

/** Alarms, for staff. */
export const alarmRoutes = ({ outbox }: Pick<RouteServices, 'outbox'>): readonly Route[] => [
  defineRoute({
    ...staffOrPin,
    id: 'listAlarms',
    method: 'get',
    path: '/alarms',
    summary: 'List alarms, newest first',
    description:
      'Open alarms, and those of the past year. Texts are in the requested language. MQTT and webhooks have their own settings.',
    accepts: {
      query: Open({
        ...PageQuery.properties,
        language: Language,
        state: Maybe(
          Type.Enum(['open', 'resolved'], { description: 'Only open ones, or only those that are over.' }),
        ),
      }),
    },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        alarms: Type.Array(AlarmJson, { description: 'The alarms of this page.' }),
      }),
    },
    run({ engine, addressWith }, { query: { state, language, ...query } }) {
      const page = engine.notifications.alarms.list({
        ...toPageRequest(query),
        ...(state !== undefined && { isOpen: state === 'open' }),
      });
      return {
        paging: pagingJson(page, addressWith),
        alarms: page.items.map((alarm) => alarmJson(alarm, outbox.alarms, language)),
      };
    },
  }),
  defineRoute({
    ...staffOrPin,
    id: 'acknowledgeAlarm',
    method: 'post',
    path: '/alarms/{id}/acknowledge',
    summary: 'Acknowledge an alarm: it is not repeated, and goes to nobody else',
    description:
      'For whoever takes care of it. The alarm stays open until its condition is over. Without effect on an alarm that is ' +
      'acknowledged or over. Written to the audit log.',
    accepts: { params, query: LanguageQuery },
    replies: { status: 200, body: AlarmReply },
    run: (context, { params: { id }, query: { language } }) => ({
      alarm: alarmJson(
        context.engine.notifications.alarms.acknowledge(id, actorContext(context)),
        outbox.alarms,
        language,
      ),
    }),
  }),
  defineRoute({
    ...staff,
    id: 'raiseTestAlarm',
    method: 'post',
    path: '/admin/alarm-test',
    summary: 'Raise a test alarm, which goes through all channels like a real one',
    description:
      'Also to everybody who gets alarms by mail. It can be acknowledged, is repeated until then, and ends after an hour ' +
      'or with `POST /api/alarms/<id>/resolve`. While one is open, that one is answered. Written to the audit log.',
    accepts: { query: LanguageQuery },
    replies: { status: 201, body: AlarmReply },
    run: (context, { query: { language } }) => ({
      alarm: alarmJson(
        context.engine.notifications.alarms.raiseTest(actorContext(context)),
        outbox.alarms,
        language,
      ),
    }),
  }),
  defineRoute({
    ...staff,
    id: 'resolveTestAlarm',
    method: 'post',
    path: '/alarms/{id}/resolve',
    summary: 'End a test alarm; 409 for another, which ends with its condition',
    description: 'Those who were told of it are told of its end. Written to the audit log.',
    accepts: { params, query: LanguageQuery },
    errors: { conflict: [] },
    replies: { status: 200, body: AlarmReply },
    run: (context, { params: { id }, query: { language } }) => ({
      alarm: alarmJson(
        context.engine.notifications.alarms.resolveTest(id, actorContext(context)),
        outbox.alarms,
        language,
      ),
    }),
  }),
];

export type Describe = Pick<AlarmService, 'describe'>;

function alarmJson(alarm: AlarmView, service: Describe, language?: string): Static<typeof AlarmJson> {
  const { title, paragraphs } = service.describe(alarm, language ?? null);
  return {
    id: alarm.id,
    kind: alarm.kind,
    subject: alarm.subject,
    title,
    text: paragraphs.filter((text) => text !== '').join(' '),
    urgency: alarm.urgency,
    raised_time: isoSeconds(alarm.raisedMs),
    acknowledged_time: alarm.acknowledgedMs === null ? null : isoSeconds(alarm.acknowledgedMs),
    acknowledged_by: alarm.acknowledgedBy ?? alarm.acknowledgedChannel,
    resolved_time: alarm.resolvedMs === null ? null : isoSeconds(alarm.resolvedMs),
    told: alarm.told.map(({ recipient, round, timeMs, isSent }) => ({
      recipient,
      round,
      time: isoSeconds(timeMs),
      is_sent: isSent,
    })),
  };
}
