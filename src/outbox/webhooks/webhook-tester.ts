import { AppError } from '../../core/app-error.ts';
import type { Clock, IdSource } from '../../core/clock/moment.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Engine } from '../../engine/engine.ts';
import { productVersion } from '../../system/product.ts';
import type { ResolveHost } from '../address-guard.ts';
import { httpSend } from '../http-send.ts';
import { signedHeaders, toTransportOutcome } from './webhook-transport.ts';

interface WebhookTesterParts {
  readonly engine: () => Engine;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** True if a target may be this machine itself. */
  readonly allowsLocal: boolean;
  /** Timeout while a person waits for the result on a page, milliseconds. */
  readonly timeoutMs?: number;
  readonly find?: ResolveHost;
}

/** Sends a signed test message to a webhook directly, without the outbox. */
export function createWebhookTester(parts: WebhookTesterParts) {
  const { engine: getEngine, clock, ids, allowsLocal, timeoutMs = 10_000, find } = parts;
  return {
    /** Rejects with `not_found`, or with `conflict` if the message was not accepted. */
    async sendTest(id: number): Promise<void> {
      const { users, notifications } = getEngine();
      const { webhooks } = notifications;
      const { url } = webhooks.get(id);
      const { wallMs } = clock.now();
      const time = new Date(wallMs).toISOString();
      const body = JSON.stringify({ type: 'test', data: { time, site: users.site().title } });
      const answer = await httpSend({
        url,
        headers: signedHeaders({
          message: { topic: 'test', uid: `test-${ids.next()}` },
          body,
          secret: webhooks.settings().secret,
          version: productVersion(),
          seconds: Math.floor(wallMs / 1_000),
        }),
        body,
        timeoutMs,
        signal: new AbortController().signal,
        allowsLocal,
        ...omitUndefined({ find }),
      });
      const outcome = toTransportOutcome(answer, new URL(url).host);
      if (outcome.kind === 'failed') throw new AppError('conflict', outcome.problem);
    },
  };
}
