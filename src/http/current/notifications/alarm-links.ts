import Type, { type Static } from 'typebox';
import type { AlarmView } from '../../../engine/engine.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, isoSeconds, Open } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { AlarmJson, type Describe, LanguageQuery } from './alarms.ts';

const LinkedAlarmJson = Closed({
  title: AlarmJson.properties.title,
  raised_time: AlarmJson.properties.raised_time,
  is_acknowledged: Type.Boolean({ description: 'True when somebody has acknowledged it.' }),
});
const LinkReply = Closed({
  alarms: Type.Array(LinkedAlarmJson, { description: 'The open alarms of the message.' }),
});
const linkParams = Open({
  secret: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The last part of the link in the message.',
  }),
});

/** Links in messages about alarms, for whoever has the message. */
export const alarmLinkRoutes = ({ outbox }: Pick<RouteServices, 'outbox'>): readonly Route[] => [
  defineRoute({
    id: 'getLinkedAlarms',
    method: 'get',
    path: '/alarm-links/{secret}',
    summary: 'Get the open alarms of a link in a message',
    description:
      'The link stands in messages about alarms if the site’s own address is set. It is valid for a day, while one of its alarms ' +
      'is open, and until it was used; otherwise 404. Reading changes nothing: programs that check links in mails open them, too.',
    access: 'open',
    attempt: 'code',
    accepts: { params: linkParams, query: LanguageQuery },
    replies: { status: 200, body: LinkReply },
    run: ({ engine, now }, { params: { secret }, query: { language } }) => ({
      alarms: engine.notifications.alarms
        .linkedAlarms(secret, now)
        .map((alarm) => linkedJson(alarm, outbox.alarms, language)),
    }),
  }),
  defineRoute({
    id: 'acknowledgeByLink',
    method: 'post',
    path: '/alarm-links/{secret}',
    summary: 'Acknowledge the alarms of a link in a message, once',
    description:
      'Needs no login: whoever has the message may acknowledge. The link cannot be used again. Wrong links are limited (429). ' +
      'Written to the audit log with the recipient of the message.',
    access: 'open',
    attempt: 'code',
    accepts: { params: linkParams, query: LanguageQuery },
    replies: { status: 200, body: LinkReply },
    run: ({ engine, now }, { params: { secret }, query: { language } }) => ({
      alarms: engine.notifications.alarms
        .acknowledgeByLink(secret, now)
        .map((alarm) => linkedJson(alarm, outbox.alarms, language)),
    }),
  }),
];

const linkedJson = (
  alarm: Pick<AlarmView, 'kind' | 'subject' | 'details' | 'raisedMs' | 'acknowledgedMs'>,
  service: Describe,
  language?: string,
): Static<typeof LinkedAlarmJson> => ({
  title: service.describe(alarm, language ?? null).title,
  raised_time: isoSeconds(alarm.raisedMs),
  is_acknowledged: alarm.acknowledgedMs !== null,
});
