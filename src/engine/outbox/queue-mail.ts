import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/moment.ts';
import type { Store } from '../../store/store.ts';
import { validationError } from '../bounds.ts';
import type { EmailTemplateName, EmailTemplates } from './email-templates.ts';

/** A mail's values take no more than this as JSON; a report of a day with fifty taps is a tenth of it. */
const maxPayloadLength = 60_000;

/** One letter to one person. */
export interface NewMail<L extends EmailTemplateName> {
  /** Id of an account, whose address is looked up when the mail leaves (an inactive one gets none); or an address. */
  readonly to: number | string;
  readonly template: L;
  readonly values: EmailTemplates[L];
}

/**
 * Writes a mail into the outbox; to be called inside the transaction that causes it. It leaves after the commit.
 * Gives false, and writes nothing, while no mail server is set. Throws `invalid_request` for what is no address.
 */
export function queueMail<L extends EmailTemplateName>(store: Store, mail: NewMail<L>, now: Moment): boolean {
  if (store.mailSettings.read().host === '') return false;
  const payload = JSON.stringify(mail.values);
  if (payload.length > maxPayloadLength)
    throw new AppError('too_large', 'A mail of this length is not sent.');
  store.outbox.add({
    kind: 'mail',
    target: typeof mail.to === 'number' ? `user:${mail.to}` : parseMailAddress('email', mail.to),
    topic: mail.template,
    payload,
    createdTimeMs: Math.max(0, Math.round(now.wallMs)),
  });
  return true;
}

/**
 * One plain mail address, `name@host`: no display name, no list, no blank, no line end, so that nothing else can ride
 * along in a header.
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
