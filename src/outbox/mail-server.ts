import type { Transporter } from 'nodemailer';
import type { MailSettings } from '../engine/engine.ts';
import { type Email, formatEmailHtml, formatEmailText, headerLine } from './email.ts';
import type { TransportOutcome } from './transport.ts';

/** How long a mail server may take, milliseconds. */
export interface MailTimeouts {
  /** To be found and reached, and to say its greeting. */
  readonly connectMs: number;
  /** Between two words of its. */
  readonly idleMs: number;
  /** For the whole mail. */
  readonly totalMs: number;
}

export const defaultTimeouts: MailTimeouts = { connectMs: 10_000, idleMs: 20_000, totalMs: 60_000 };

export interface OutgoingMail {
  readonly settings: MailSettings;
  /** The house's name, as the sender's. */
  readonly fromName: string;
  readonly to: string;
  readonly email: Email;
  /** The same at every try, so that a repetition can be told. */
  readonly uid: string;
  readonly signal: AbortSignal;
  readonly timeouts?: MailTimeouts;
}

/** Hands one mail to the mail server. Never rejects; no answer of it carries the password. */
export async function sendMail(mail: OutgoingMail): Promise<TransportOutcome> {
  const { settings, fromName, to, email, uid, signal, timeouts = defaultTimeouts } = mail;

  const { createTransport } = await import('nodemailer');
  const transport: Transporter = createTransport({
    host: settings.host,
    port: settings.port,
    secure: settings.security === 'tls',
    requireTLS: settings.security === 'starttls',
    ignoreTLS: settings.security === 'none',
    ...(settings.username === '' ? {} : { auth: { user: settings.username, pass: settings.password } }),
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.connectMs,
    dnsTimeout: timeouts.connectMs,
    socketTimeout: timeouts.idleMs,
    logger: false,
    // A letter is what we wrote: no value in it can make the mail fetch a file or a page.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as never);
  const domain = settings.fromAddress.split('@').at(-1)!;
  try {
    await transport.sendMail({
      from: { name: headerLine(fromName), address: settings.fromAddress },
      to: { name: '', address: to },
      subject: headerLine(email.subject),
      text: formatEmailText(email),
      html: formatEmailHtml(email),
      messageId: `<${uid}@${domain}>`,
      // Tells holiday notices and other machines not to answer.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeouts.totalMs)]),
    } as Parameters<typeof transport.sendMail>[0]);
    return { kind: 'sent' };
  } catch (fault) {
    return toOutcome(fault as ServerFault);
  } finally {
    transport.close();
  }
}

interface ServerFault {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

const serverFailure = (error: string): TransportOutcome => ({
  kind: 'failed',
  error,
  isFinal: false,
  blame: 'transport',
});

/** What the mail server said, in a sentence of ours: its own words may repeat what it was told. */
function toOutcome({
  code = 'an unknown fault',
  command = '',
  responseCode = 0,
}: ServerFault): TransportOutcome {
  if (code === 'EABORT') return serverFailure('The mail server took too long.');
  const isRefusal = responseCode >= 500;
  if (command === 'RCPT TO') {
    const error = `The mail server does not take mail for this address${isRefusal ? '' : ' now'} (${responseCode}).`;
    return { kind: 'failed', error, isFinal: isRefusal, blame: 'message' };
  }
  if (command === 'DATA') {
    const error = `The mail server does not take this mail${isRefusal ? '' : ' now'} (${responseCode}).`;
    return { kind: 'failed', error, isFinal: isRefusal, blame: 'message' };
  }
  const details = responseCode === 0 ? code : `${code}, ${responseCode}`;
  if (code === 'EAUTH')
    return serverFailure(`The mail server refuses the login (${details}): check user and password.`);
  if (code === 'ETLS')
    return serverFailure(`No protected connection to the mail server (${details}): check security and port.`);
  if (command === 'MAIL FROM')
    return serverFailure(`The mail server refuses the sender (${details}): check the from address.`);
  return serverFailure(`The mail server cannot be reached or does not answer as it should (${details}).`);
}
