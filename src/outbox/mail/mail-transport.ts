import { createProblem } from '../../core/health/problems.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Engine, OutboxMessage } from '../../engine/engine.ts';
import { isAlarmNote, renderAlarmEmail } from '../alarms/alarm-message.ts';
import type { Transport, TransportOutcome } from '../transport.ts';
import type { EventNote } from '../webhooks/webhook-body.ts';
import type { Email } from './email.ts';
import { renderEmailTemplate } from './email-templates.ts';
import { type MailedEvent, renderEventEmail } from './event-emails.ts';
import { chooseMailTexts } from './mail-language.ts';
import { type MailTimeouts, sendMail } from './mail-server.ts';
import type { ExtensionMail } from './own-mails.ts';

/** Mails sent at the same time, so that one slow connection does not block all others. */
const maxConcurrent = 2;

const mailedEvents: readonly string[] = [
  'keg_tapped',
  'session_started',
  'keg_volume_low',
  'keg_ended',
] satisfies MailedEvent[];

interface MailTransportParts {
  readonly engine: () => Engine;
  /** The mails of all extensions. */
  readonly ownMails?: readonly ExtensionMail[];
  readonly timeouts?: MailTimeouts;
}

/** Sends emails through the configured mail server. */
export function createMailTransport({
  engine: getEngine,
  ownMails = [],
  timeouts,
}: MailTransportParts): Transport {
  return {
    kind: 'mail',
    maxConcurrent,
    async send(message, signal): Promise<TransportOutcome> {
      const engine = getEngine();
      const settings = engine.notifications.mail.settings();
      if (settings.host === '') return { kind: 'skipped', problem: createProblem('mail_server_missing') };
      const recipient = engine.notifications.outbox.mailRecipient(message.target);
      if (recipient === null) return { kind: 'skipped', problem: createProblem('mail_without_recipient') };
      const email = await renderEmail(engine, ownMails, message, {
        baseUrl: settings.baseUrl,
        recipientLanguage: recipient.language,
      });
      if (email === null) {
        const isAlarm = isAlarmNote(JSON.parse(message.payload) as object);
        return {
          kind: 'skipped',
          problem: createProblem(isAlarm ? 'message_alarm_over' : 'mail_subject_gone'),
        };
      }
      const { title } = engine.users.site();
      return sendMail({
        settings,
        fromName: title,
        to: recipient.address,
        email: { ...email, subject: `[${title}] ${email.subject}` },
        uid: message.uid,
        signal,
        ...omitUndefined({ timeouts }),
      });
    },
  };
}

async function renderEmail(
  engine: Engine,
  ownMails: readonly ExtensionMail[],
  { topic, target, payload }: OutboxMessage,
  { baseUrl, recipientLanguage }: { readonly baseUrl: string; readonly recipientLanguage: string | null },
): Promise<Email | null> {
  const values = JSON.parse(payload) as { readonly language?: string };
  const site = engine.users.site();
  const context = { site, texts: chooseMailTexts(recipientLanguage ?? values.language, site) };
  if (isAlarmNote(values)) return renderAlarmEmail(engine, { target, note: values }, { ...context, baseUrl });
  const own = ownMails.find(({ template }) => template === topic);
  if (own !== undefined) return { ...(await own.load())(values, context), language: context.texts.language };
  return mailedEvents.includes(topic)
    ? renderEventEmail(engine, topic as MailedEvent, values as unknown as EventNote, { ...context, baseUrl })
    : renderEmailTemplate(topic, values, context);
}
