import type { AlarmChannelKind } from '../../core/alarms/alarm-channels.ts';
import { createProblem } from '../../core/health/problems.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { AlarmChannelRecord, Engine } from '../../engine/engine.ts';
import type { DaemonTexts } from '../../system/catalogues.ts';
import { productVersion } from '../../system/product.ts';
import type { ResolveHost } from '../address-guard.ts';
import { type HttpSendResult, httpSend } from '../http-send.ts';
import { type MailTimeouts, sendMail } from '../mail/mail-server.ts';
import type { TransportOutcome } from '../transport.ts';
import { toTransportOutcome } from '../webhooks/webhook-transport.ts';
import { type AlarmMessage, toEmail } from './alarm-message.ts';
import { toChannelRequest } from './channel-requests.ts';

export interface ChannelSenderParts {
  readonly engine: () => Engine;
  /** True if a service may be on this machine itself. */
  readonly allowsLocal: boolean;
  /** Timeout for a service, milliseconds. */
  readonly timeoutMs?: number;
  readonly find?: ResolveHost;
  readonly mailTimeouts?: MailTimeouts;
}

interface Sending {
  readonly channel: AlarmChannelRecord;
  readonly message: Omit<AlarmMessage, 'alarms'> & Partial<Pick<AlarmMessage, 'alarms'>>;
  readonly texts: DaemonTexts;
  readonly uid: string;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** An answer is read so far, for the reason of a refusal, bytes. */
const maxAnswerBytes = 4_096;
/** Of the reason so many characters are shown. */
const maxReason = 200;

/** Returns a function that sends a message through a channel and tells what happened, without secrets. */
export function createChannelSender(parts: ChannelSenderParts) {
  const { engine: getEngine, allowsLocal, timeoutMs = 10_000, find, mailTimeouts } = parts;
  const userAgent = `Tapster/${productVersion()}`;
  return async (sending: Sending): Promise<TransportOutcome> => {
    const { channel, message, uid, nowMs, signal } = sending;
    const kind = channel.kind as AlarmChannelKind;
    const { title } = getEngine().users.site();
    if (kind === 'mail') {
      const settings = getEngine().notifications.mail.settings();
      if (settings.host === '') return { kind: 'skipped', problem: createProblem('mail_server_missing') };
      const email = toEmail(message, sending.texts);
      return sendMail({
        settings,
        fromName: title,
        to: channel.settings.address!,
        email: { ...email, subject: `[${title}] ${email.subject}` },
        uid,
        signal,
        ...omitUndefined({ timeouts: mailTimeouts }),
      });
    }
    const request = toChannelRequest({ ...channel, kind }, { message, siteTitle: title, nowMs });
    const answer = await httpSend({
      ...request,
      headers: { 'user-agent': userAgent, ...request.headers },
      timeoutMs,
      signal,
      allowsLocal,
      maxAnswerBytes,
      ...omitUndefined({ find }),
    });
    const outcome = toTransportOutcome(answer, new URL(request.url).host);
    const receipt = kind === 'pushover' && answer.kind === 'answered' ? parseReceipt(answer.text) : null;
    if (outcome.kind === 'sent') return receipt === null ? outcome : { ...outcome, receipt };
    return withReason(outcome, answer, channel);
  };
}

/** The outcome with what the service says about a refusal, and how long it asks to wait. */
function withReason(
  outcome: TransportOutcome,
  answer: HttpSendResult,
  { kind, secrets, settings }: AlarmChannelRecord,
): TransportOutcome {
  // What a server of one's own answers may be anything.
  if (outcome.kind !== 'failed' || answer.kind !== 'answered' || kind === 'http') return outcome;
  const reply = parseReply(answer.text);
  const retryAfterS = Number(reply.parameters?.retry_after ?? Number.NaN);
  const reason = [reply.description, reply.errorDescription, reply.errors?.[0], reply.error].find(
    (text) => typeof text === 'string' && text !== '',
  );
  const shown = Object.values({ ...secrets, user_key: settings.user_key ?? '' })
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '***'), String(reason ?? ''))
    .replace(/\s+/g, ' ')
    .slice(0, maxReason);
  return {
    ...outcome,
    ...(shown !== '' && {
      problem: createProblem('message_refused_because', {
        host: new URL(settings.url!).host,
        status: answer.status,
        reason: shown,
      }),
    }),
    ...(retryAfterS > 0 && { retryAfterMs: retryAfterS * 1_000 }),
  };
}

/** The receipt of an emergency; null for other messages. */
function parseReceipt(text: string): string | null {
  const { receipt } = parseReply(text);
  return typeof receipt === 'string' && /^[A-Za-z0-9]{1,64}$/.test(receipt) ? receipt : null;
}

interface Reply {
  /** Telegram. */
  readonly description?: unknown;
  readonly parameters?: { readonly retry_after?: unknown } | null;
  /** Gotify. */
  readonly errorDescription?: unknown;
  /** Pushover. */
  readonly errors?: readonly unknown[] | null;
  readonly receipt?: unknown;
  readonly acknowledged?: unknown;
  /** ntfy. */
  readonly error?: unknown;
}

export function parseReply(text: string): Reply {
  try {
    const reply: unknown = JSON.parse(text);
    return typeof reply === 'object' && reply !== null ? reply : {};
  } catch {
    return {};
  }
}
