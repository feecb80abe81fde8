import type { AlarmKinds } from '../../core/alarms/alarm-kinds.ts';
import type { AlarmEvent } from '../../core/alarms/alarm-policy.ts';
import type { Site } from '../../core/records.ts';
import type { AlarmNote, AlarmView, Engine, OutboxMessage } from '../../engine/engine.ts';
import type { DaemonTexts } from '../../system/catalogues.ts';
import type { Email, MailContext } from '../mail/email.ts';
import { chooseMailTexts } from '../mail/mail-language.ts';
import { formatAlarm } from './alarm-texts.ts';

/** The text of a message about alarms, for every channel. */
export interface AlarmMessage {
  readonly event: AlarmEvent;
  readonly urgency: 'high' | 'low';
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly alarms: readonly AlarmView[];
  /** Page and API address by which the alarms are acknowledged; null without the site's address. */
  readonly acknowledge: { readonly page: string; readonly action: string; readonly text: string } | null;
}

/** Alarms that one message names; of the others only the number. */
const maxNamed = 20;

/** True for the values of a message about alarms. */
export const isAlarmNote = (values: object): values is AlarmNote => 'alarm_event' in values;

/** Renders a message as its alarms are now; null when nothing is left to say. */
export function renderAlarmMessage(
  engine: Engine,
  { target, note }: { readonly target: string; readonly note: AlarmNote },
  { site, texts, baseUrl }: MailContext & { readonly baseUrl: string },
): AlarmMessage | null {
  const event = note.alarm_event;
  const alarms = note.alarms
    .flatMap((id) => engine.notifications.alarms.find(id) ?? [])
    .filter((alarm) => isCurrent(engine, alarm, { event, target }));
  const [first] = alarms;
  if (first === undefined) return null;
  const { t } = texts;
  const { kinds } = engine.notifications.alarms;
  const title =
    alarms.length === 1
      ? describeAlarm(kinds, first, site, texts).title
      : t('mails.alarm.several', { count: alarms.length });
  const link = note.link ?? '';
  return {
    event,
    urgency: alarms.some(({ urgency }) => urgency === 'high') ? 'high' : 'low',
    title: t(`mails.alarm.${event}`, { title }),
    paragraphs:
      alarms.length === 1
        ? describeOne(kinds, first, site, texts)
        : describeSeveral(kinds, alarms, site, texts),
    alarms,
    acknowledge:
      link === '' || baseUrl === '' || alarms.every(({ resolvedMs }) => resolvedMs !== null)
        ? null
        : {
            page: `${baseUrl}/alarm-links/${link}`,
            action: `${baseUrl}/api/alarm-links/${link}`,
            text: t('mails.alarm.acknowledge'),
          },
  };
}

/** Renders the e-mail to a user who chose alarms; null when nothing is left to say. */
export function renderAlarmEmail(
  engine: Engine,
  message: Pick<OutboxMessage, 'target'> & { readonly note: AlarmNote },
  context: MailContext & { readonly baseUrl: string },
): Email | null {
  const rendered = renderAlarmMessage(engine, message, context);
  if (rendered === null) return null;
  return { ...toEmail(rendered, context.texts), footer: context.texts.t('mails.staff') };
}

/** The message as an e-mail. */
export const toEmail = (
  { title, paragraphs, acknowledge }: Pick<AlarmMessage, 'title' | 'paragraphs' | 'acknowledge'>,
  { language }: DaemonTexts,
): Email => ({
  language,
  subject: title,
  paragraphs,
  ...(acknowledge && { link: { text: acknowledge.text, href: acknowledge.page } }),
});

/** Title and text of an alarm of any kind. */
export function describeAlarm(
  kinds: AlarmKinds,
  { kind, subject, details }: Pick<AlarmView, 'kind' | 'subject' | 'details'>,
  site: Site,
  texts: DaemonTexts,
): { readonly title: string; readonly paragraphs: readonly string[] } {
  if (kind === 'test_alarm')
    return { title: texts.t('mails.test_alarm.subject'), paragraphs: [texts.t('mails.test_alarm.text')] };
  const declaration = kinds.find(kind);
  // A kind of another program version has no texts.
  if (declaration === null) return { title: `${kind}: ${subject}`, paragraphs: [] };
  const values = JSON.parse(details) as Readonly<Record<string, unknown>>;
  return formatAlarm({ kind, declaration, values }, site, texts);
}

/** Title and text of an alarm for the page, in a language, else in the site's. */
export const createAlarmDescriber =
  (engine: () => Engine) =>
  (alarm: Pick<AlarmView, 'kind' | 'subject' | 'details'>, language: string | null) => {
    const {
      users,
      notifications: { alarms },
    } = engine();
    const site = users.site();
    return describeAlarm(alarms.kinds, alarm, site, chooseMailTexts(language, site));
  };

/** Whether the alarm still belongs into the message: it may have changed since the message was queued. */
function isCurrent(
  engine: Engine,
  { id, acknowledgedMs, resolvedMs }: AlarmView,
  { event, target }: { readonly event: AlarmEvent; readonly target: string },
): boolean {
  if (event === 'resolved') return engine.notifications.alarms.wasTold(id, target);
  if (resolvedMs !== null) return event === 'digest';
  return acknowledgedMs === null;
}

function describeOne(kinds: AlarmKinds, alarm: AlarmView, site: Site, texts: DaemonTexts): readonly string[] {
  if (alarm.resolvedMs !== null) return [formatSpan(alarm, site, texts)];
  const { paragraphs } = describeAlarm(kinds, alarm, site, texts);
  return [...paragraphs.filter((text) => text !== ''), formatSpan(alarm, site, texts)];
}

function describeSeveral(
  kinds: AlarmKinds,
  alarms: readonly AlarmView[],
  site: Site,
  texts: DaemonTexts,
): readonly string[] {
  const lines = alarms.slice(0, maxNamed).map((alarm) => {
    const { title, paragraphs } = describeAlarm(kinds, alarm, site, texts);
    const [text] = alarm.resolvedMs === null ? paragraphs : [];
    return [`${title}.`, text, formatSpan(alarm, site, texts)].filter(Boolean).join(' ');
  });
  const left = alarms.length - lines.length;
  return left > 0 ? [...lines, texts.t('mails.alarm.more', { count: left })] : lines;
}

/** Since when, or from when to when. */
function formatSpan(
  { raisedMs, resolvedMs }: AlarmView,
  { timeZone }: Site,
  { language, t }: DaemonTexts,
): string {
  const format = new Intl.DateTimeFormat(language, { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  return resolvedMs === null
    ? t('mails.alarm.since', { time: format.format(raisedMs) })
    : t('mails.alarm.lasted', { from: format.format(raisedMs), until: format.format(resolvedMs) });
}
