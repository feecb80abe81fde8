import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Store } from '../../store/store.ts';
import { validationError } from './bounds.ts';
import type { EmailTemplateName, EmailTemplates, OwnMail } from './email-templates.ts';

/** Maximum length of a mail's values as JSON, ten times the report of a day with fifty taps. */
const maxPayloadLength = 60_000;

/** One email to one receiver. */
interface NewMail<Values> {
  /**
   * Id of a user, whose address is read when the mail is sent (an inactive user gets none), or an address.
   */
  readonly to: number | string;
  readonly values: Values;
  /** Id of the user whom a mail to somebody else names; it is removed with that user. */
  readonly sender?: number;
  /** Language of a mail to an address; a mail to a user has the user's. */
  readonly language?: string | null;
}

/**
 * Writes a mail into the outbox; must be called in the transaction that causes it. The mail is sent after the
 * commit. Returns false and writes nothing if no mail server is set. Throws `invalid_request` for an invalid
 * address.
 */
export const queueMail = <L extends EmailTemplateName>(
  store: Store,
  { template, ...mail }: NewMail<EmailTemplates[L]> & { readonly template: L },
  now: Moment,
): boolean => writeMail(store, template, mail, now);

/** The same for a mail of an extension. */
export const queueOwnMail = <Values extends object>(
  store: Store,
  { template }: OwnMail<Values>,
  mail: NewMail<Values>,
  now: Moment,
): boolean => writeMail(store, template, mail, now);

function writeMail(store: Store, topic: string, mail: NewMail<object>, now: Moment): boolean {
  if (store.notifications.mailSettings.read().host === '') return false;
  const { values, language, sender } = mail;
  const payload = JSON.stringify({
    ...values,
    ...(language && { language }),
    ...omitUndefined({ sender_id: sender }),
  });
  if (payload.length > maxPayloadLength) throw new AppError('too_large', 'The mail is too long to be sent.');
  store.notifications.outbox.add({
    kind: 'mail',
    target: typeof mail.to === 'number' ? `user:${mail.to}` : parseMailAddress('email', mail.to),
    topic,
    payload,
    createdTimeMs: Math.max(0, Math.round(now.wallMs)),
  });
  return true;
}

/**
 * Parses one plain mail address, `name@host`, without display name, list, spaces or line breaks, so that it
 * cannot inject anything into a header.
 */
export function parseMailAddress(field: string, text: string): string {
  const address = text.trim();
  const isValid =
    address.length <= 254 &&
    /^[^\s@<>(),;:"\\[\]\p{C}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u.test(address);
  if (!isValid)
    throw validationError(field, 'must be a mail address such as anna@example.org', { name: 'mail_address' });
  return address;
}
