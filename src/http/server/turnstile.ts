import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ipKeyGenerator } from 'express-rate-limit';

/** Work taken on between two looks at pins, doors and timers, milliseconds: less than the eye sees of an odometer. */
const sliceMs = 5;

/** What a turnstile asks of its machine. */
export interface Turns {
  /** A clock that only goes forward, milliseconds. */
  nowMs(): number;
  /** Calls when everything that is ready has been looked at once: a newcomer, a timer, a pin. */
  later(work: () => void): void;
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Lets requests through to `listener` as they come while there is time, and one party after the other when there are
 * too many. The machine takes one newcomer in for each time that it has served everybody inside: without a turnstile a
 * hundred restless guests keep the next one at the door for many seconds.
 */
export function inTurn(listener: RequestListener, { nowMs, later }: Turns): RequestListener {
  /** Those who wait, by their party; the party whose turn is next comes first. */
  const parties = new Map<string, Waiting[]>();
  let beganMs: number | null = null;

  function hasTime(): boolean {
    if (beganMs !== null) return nowMs() - beganMs < sliceMs;
    beganMs = nowMs();
    later(() => {
      beganMs = null;
    });
    return true;
  }

  function serveOne(): void {
    if (!hasTime()) {
      later(serveOne);
      return;
    }
    const [party, waiting] = parties.entries().next().value!;
    const { request, response } = waiting.shift()!;
    parties.delete(party);
    if (waiting.length > 0) parties.set(party, waiting);
    // Whoever has left in the meantime is not served.
    if (!response.destroyed) listener(request, response as Parameters<RequestListener>[1]);
  }

  return (request, response) => {
    if (parties.size === 0 && hasTime()) {
      listener(request, response);
      return;
    }
    const party = ipKeyGenerator(request.socket.remoteAddress ?? '');
    const waiting = parties.get(party);
    if (waiting) waiting.push({ request, response });
    else parties.set(party, [{ request, response }]);
    later(serveOne);
  };
}
