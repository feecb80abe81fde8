import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ipKeyGenerator } from 'express-rate-limit';

/** Work taken on between two looks at pins, doors and timers, milliseconds: less than the eye sees of an odometer. */
const sliceMs = 5;

/** What a turnstile asks of its machine. */
export interface QueueTimers {
  /** A clock that only goes forward, milliseconds. */
  nowMs(): number;
  /** Calls when everything that is ready has been looked at once: a newcomer, a timer, a pin. */
  defer(work: () => void): void;
}

interface PendingRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Lets requests through to `listener` as they come while there is time, and one party after the other when there are
 * too many. The machine takes one newcomer in for each time that it has served everybody inside: without a turnstile a
 * hundred restless guests keep the next one at the door for many seconds.
 */
export function createFairQueue(listener: RequestListener, { nowMs, defer }: QueueTimers): RequestListener {
  /** Those who wait, by their party; the party whose turn is next comes first. */
  const queues = new Map<string, PendingRequest[]>();
  let sliceStartMs: number | null = null;

  function hasTimeLeft(): boolean {
    if (sliceStartMs !== null) return nowMs() - sliceStartMs < sliceMs;
    sliceStartMs = nowMs();
    defer(() => {
      sliceStartMs = null;
    });
    return true;
  }

  function serveNext(): void {
    if (!hasTimeLeft()) {
      defer(serveNext);
      return;
    }
    const [address, pending] = queues.entries().next().value!;
    const { request, response } = pending.shift()!;
    queues.delete(address);
    if (pending.length > 0) queues.set(address, pending);
    // Whoever has left in the meantime is not served.
    if (!response.destroyed) listener(request, response as Parameters<RequestListener>[1]);
  }

  return (request, response) => {
    if (queues.size === 0 && hasTimeLeft()) {
      listener(request, response);
      return;
    }
    const address = ipKeyGenerator(request.socket.remoteAddress ?? '');
    const pending = queues.get(address);
    if (pending) pending.push({ request, response });
    else queues.set(address, [{ request, response }]);
    defer(serveNext);
  };
}
