import { createHmac } from 'node:crypto';
import type { Clock } from '../../core/clock/moment.ts';
import { createProblem } from '../../core/health/problems.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Engine, OutboxMessage } from '../../engine/engine.ts';
import { productVersion } from '../../system/product.ts';
import type { ResolveHost } from '../address-guard.ts';
import { type HttpSendResult, httpSend } from '../http-send.ts';
import type { Transport, TransportOutcome } from '../transport.ts';
import { type EventNote, renderWebhookBody } from './webhook-body.ts';

interface WebhookTransportParts {
  readonly engine: () => Engine;
  readonly clock: Clock;
  /** True if a target may be this machine itself. */
  readonly allowsLocal: boolean;
  /** Timeout for a receiver, milliseconds. */
  readonly timeoutMs?: number;
  readonly find?: ResolveHost;
}

/** Each receiver has its own queue, and there are at most this many receivers. */
const maxConcurrent = 10;

/** Posts every event to the enabled webhooks. */
export function createWebhookTransport({
  engine,
  clock,
  allowsLocal,
  timeoutMs = 10_000,
  find,
}: WebhookTransportParts): Transport {
  const version = productVersion();
  return {
    kind: 'webhook',
    maxConcurrent,
    async send(message, signal) {
      const now = clock.now();
      const {
        notifications: { webhooks },
      } = engine();
      const target = webhooks.list().find(({ url }) => url === message.target);
      if (target === undefined) return { kind: 'skipped', problem: createProblem('webhook_removed') };
      if (!target.isEnabled) return { kind: 'skipped', problem: createProblem('webhook_switched_off') };
      const { secret } = webhooks.settings();
      const body = renderWebhookBody(engine(), JSON.parse(message.payload) as EventNote, now.wallMs);
      const answer = await httpSend({
        url: message.target,
        headers: signedHeaders({ message, body, secret, version, seconds: Math.floor(now.wallMs / 1_000) }),
        body,
        timeoutMs,
        signal,
        allowsLocal,
        ...omitUndefined({ find }),
      });
      return toTransportOutcome(answer, new URL(message.target).host);
    },
  };
}

/** Input for headers and signature. */
interface SignatureInput {
  readonly message: Pick<OutboxMessage, 'topic' | 'uid'>;
  readonly body: string;
  readonly secret: string | null;
  readonly version: string;
  readonly seconds: number;
}

/** The headers with the signature, which includes the time to prevent replays of old messages. */
export function signedHeaders({
  message,
  body,
  secret,
  version,
  seconds,
}: SignatureInput): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': `Tapster/${version}`,
    'tapster-event': message.topic,
    'tapster-delivery': message.uid,
    'tapster-timestamp': String(seconds),
    ...(secret === null ? {} : { 'tapster-signature': signBody(secret, seconds, body) }),
  };
}

/** HMAC-SHA256 of `<timestamp>.<body>`, hexadecimal. */
export function signBody(secret: string, seconds: number, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

/** Converts the result of a post to an outcome with a problem without secrets. */
export function toTransportOutcome(answer: HttpSendResult, host: string): TransportOutcome {
  if (answer.kind === 'forbidden') {
    const problem = createProblem('message_address_blocked', { host, reason: answer.reason });
    return { kind: 'failed', problem, isFinal: true, scope: 'message' };
  }
  if (answer.kind === 'failed') {
    const { code, wasReached } = answer;
    const problem = createProblem(wasReached ? 'message_unanswered' : 'message_receiver_unreachable', {
      host,
      code,
    });
    return { kind: 'failed', problem, isFinal: false, scope: wasReached ? 'message' : 'receiver' };
  }
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status >= 300 && status < 400) {
    const problem = createProblem('message_redirected', { host, status });
    return { kind: 'failed', problem, isFinal: true, scope: 'message' };
  }
  // 408, 425 and 429 (too slow, too early, too many) invite a retry.
  const isTemporary = status >= 500 || status === 408 || status === 425 || status === 429;
  return {
    kind: 'failed',
    problem: createProblem('message_refused', { host, status }),
    isFinal: !isTemporary,
    scope: 'message',
    ...retryAfter(answer.retryAfter),
  };
}

/** Parses Retry-After in seconds only; a date would need synchronised clocks. */
function retryAfter(text: string | undefined): { readonly retryAfterMs?: number } {
  return text !== undefined && /^\d{1,6}$/.test(text) ? { retryAfterMs: Number(text) * 1_000 } : {};
}
