import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ipKeyGenerator } from 'express-rate-limit';

/** Time spent on requests before the event loop runs again, milliseconds: shorter than a visible pause of the odometer. */
const sliceMs = 5;

/** Clock and deferral used by the queue. */
export interface QueueTimers {
  /** Monotonic clock, milliseconds. */
  nowMs(): number;
  /** Calls `work` after one pass of the event loop, so that new connections, timers and pins come first. */
  defer(work: () => void): void;
}

interface PendingRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Passes requests to `listener` at once while the time slice lasts; beyond that it serves addresses in turn. Without
 * it, 100 clients that retry at once delay the next client by many seconds, because Node accepts one new connection for
 * each pass over the open ones.
 */
export function createFairQueue(listener: RequestListener, { nowMs, defer }: QueueTimers): RequestListener {
  /** Pending requests by address; the address to be served next comes first. */
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
    // The client may have disconnected in the meantime.
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
