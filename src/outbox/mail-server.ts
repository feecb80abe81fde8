import type { Transporter } from 'nodemailer';
import type { MailSettings } from '../engine/engine.ts';
import type { CarriedOutcome } from './carrier.ts';
import { headerLine, type Letter, letterHtml, letterText } from './letter.ts';

/** How long a mail server may take, milliseconds. */
export interface MailPatience {
  /** To be found and reached, and to say its greeting. */
  readonly connectMs: number;
  /** Between two words of its. */
  readonly silenceMs: number;
  /** For the whole mail. */
  readonly wholeMs: number;
}

export const usualPatience: MailPatience = { connectMs: 10_000, silenceMs: 20_000, wholeMs: 60_000 };

export interface Mailing {
  readonly settings: MailSettings;
  /** The house's name, as the sender's. */
  readonly fromName: string;
  readonly to: string;
  readonly letter: Letter;
  /** The same at every try, so that a repetition can be told. */
  readonly uid: string;
  readonly signal: AbortSignal;
  readonly patience?: MailPatience;
}

/** Hands one mail to the mail server. Never rejects; no answer of it carries the password. */
export async function mailOut(mailing: Mailing): Promise<CarriedOutcome> {
  const { settings, fromName, to, letter, uid, signal, patience = usualPatience } = mailing;

  const { createTransport } = await import('nodemailer');
  const transport: Transporter = createTransport({
    host: settings.host,
    port: settings.port,
    secure: settings.security === 'tls',
    requireTLS: settings.security === 'starttls',
    ignoreTLS: settings.security === 'none',
    ...(settings.username === '' ? {} : { auth: { user: settings.username, pass: settings.password } }),
    connectionTimeout: patience.connectMs,
    greetingTimeout: patience.connectMs,
    dnsTimeout: patience.connectMs,
    socketTimeout: patience.silenceMs,
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
      subject: headerLine(letter.subject),
      text: letterText(letter),
      html: letterHtml(letter),
      messageId: `<${uid}@${domain}>`,
      // Tells holiday notices and other machines not to answer.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience.wholeMs)]),
    } as Parameters<typeof transport.sendMail>[0]);
    return { kind: 'sent' };
  } catch (fault) {
    return judged(fault as ServerFault);
  } finally {
    transport.close();
  }
}

interface ServerFault {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

const gaveUp = (error: string): CarriedOutcome => ({
  kind: 'failed',
  error,
  isFinal: false,
  blame: 'carrier',
});

/** What the mail server said, in a sentence of ours: its own words may repeat what it was told. */
function judged({ code = 'an unknown fault', command = '', responseCode = 0 }: ServerFault): CarriedOutcome {
  if (code === 'EABORT') return gaveUp('The mail server took too long.');
  const isRefusal = responseCode >= 500;
  if (command === 'RCPT TO') {
    const error = `The mail server does not take mail for this address${isRefusal ? '' : ' now'} (${responseCode}).`;
    return { kind: 'failed', error, isFinal: isRefusal, blame: 'message' };
  }
  if (command === 'DATA') {
    const error = `The mail server does not take this mail${isRefusal ? '' : ' now'} (${responseCode}).`;
    return { kind: 'failed', error, isFinal: isRefusal, blame: 'message' };
  }
  const spoken = responseCode === 0 ? code : `${code}, ${responseCode}`;
  if (code === 'EAUTH')
    return gaveUp(`The mail server refuses the login (${spoken}): check user and password.`);
  if (code === 'ETLS')
    return gaveUp(`No protected connection to the mail server (${spoken}): check security and port.`);
  if (command === 'MAIL FROM')
    return gaveUp(`The mail server refuses the sender (${spoken}): check the from address.`);
  return gaveUp(`The mail server cannot be reached or does not answer as it should (${spoken}).`);
}
