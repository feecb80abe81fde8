import type { Transporter } from 'nodemailer';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import type { MailSettings } from '../../engine/engine.ts';
import type { TransportOutcome } from '../transport.ts';
import { type Email, formatEmailHtml, formatEmailText, headerLine } from './email.ts';

/** Timeouts for a mail server, milliseconds. */
export interface MailTimeouts {
  /** For DNS, connecting and the server's greeting, each. */
  readonly connectMs: number;
  /** Between two responses. */
  readonly idleMs: number;
  /** For the whole mail. */
  readonly totalMs: number;
}

const defaultTimeouts: MailTimeouts = { connectMs: 10_000, idleMs: 20_000, totalMs: 60_000 };

interface OutgoingMail {
  readonly settings: MailSettings;
  /** The site's title, as the sender's name. */
  readonly fromName: string;
  readonly to: string;
  readonly email: Email;
  /** The same for every attempt, so that duplicates can be recognised. */
  readonly uid: string;
  readonly signal: AbortSignal;
  readonly timeouts?: MailTimeouts;
}

/** Sends one mail to the mail server. Never rejects; the outcome never contains the password. */
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
    // No value in an email may make nodemailer read a file or a URL.
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
      // Suppresses out-of-office and other automatic replies.
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

const serverFailure = (problem: Problem): TransportOutcome => ({
  kind: 'failed',
  problem,
  isFinal: false,
  scope: 'transport',
});

/** Converts an SMTP error to an outcome with a text of our own, since the server's text may repeat secrets. */
function toOutcome({ code = 'EUNKNOWN', command = '', responseCode = 0 }: ServerFault): TransportOutcome {
  if (code === 'EABORT') return serverFailure(createProblem('mail_server_slow'));
  const isFinal = responseCode >= 500;
  if (command === 'RCPT TO') {
    const name = isFinal ? 'mail_address_refused' : 'mail_address_refused_now';
    const problem = createProblem(name, { code: responseCode });
    return { kind: 'failed', problem, isFinal, scope: 'message' };
  }
  if (command === 'DATA') {
    const problem = createProblem(isFinal ? 'mail_refused' : 'mail_refused_now', { code: responseCode });
    return { kind: 'failed', problem, isFinal, scope: 'message' };
  }
  const details = { code: responseCode === 0 ? code : `${code}, ${responseCode}` };
  if (code === 'EAUTH') return serverFailure(createProblem('mail_login_refused', details));
  if (code === 'ETLS') return serverFailure(createProblem('mail_not_encrypted', details));
  if (command === 'MAIL FROM') return serverFailure(createProblem('mail_sender_refused', details));
  return serverFailure(createProblem('mail_server_failing', details));
}
