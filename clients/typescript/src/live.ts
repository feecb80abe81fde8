import type { LivePour, LiveSnapshot } from '../../../src/web/api/generated.ts';
import { TapsterError } from './tapster-error.ts';

/**
 * An event of the live stream: the complete state at first and after each change, and the odometer of a running
 * pour.
 */
export type LiveEvent =
  | { readonly event: 'snapshot'; readonly data: LiveSnapshot }
  | { readonly event: 'pour'; readonly data: LivePour };

export interface LiveOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal;
  /** Pause before the stream is opened again, milliseconds, until the server names one; 2 000 by default. */
  readonly retryMs?: number;
  /** The stream is opened again after a silence of so many milliseconds; 45 000 by default, three heartbeats. */
  readonly silenceMs?: number;
}

/** Opens the stream once. */
type Open = (signal: AbortSignal) => Promise<Response>;

/** Sent every 15 s by the daemon, as a comment. */
const heartbeatMs = 15_000;

/**
 * Yields the events of the live stream and opens it again whenever it ends; each connection starts with a `snapshot`. Ends
 * when `signal` is aborted. Throws a `TapsterError` if the daemon refuses the stream for another reason than load.
 */
export async function* followLive(open: Open, options: LiveOptions): AsyncGenerator<LiveEvent, void> {
  const { signal, silenceMs = 3 * heartbeatMs } = options;
  let retryMs = options.retryMs ?? 2_000;
  while (!signal?.aborted) {
    const connection = new AbortController();
    const end = () => connection.abort();
    signal?.addEventListener('abort', end, { once: true });
    let silence = setTimeout(end, silenceMs);
    try {
      const response = await open(connection.signal);
      for await (const frame of readFrames(response)) {
        clearTimeout(silence);
        silence = setTimeout(end, silenceMs);
        if (frame.retry !== null) retryMs = frame.retry;
        if (frame.data === '') continue;
        yield { event: frame.event, data: JSON.parse(frame.data) } as LiveEvent;
      }
    } catch (fault) {
      if (signal?.aborted) return;
      if (fault instanceof TapsterError && fault.status !== 429 && fault.status < 500) throw fault;
      if (fault instanceof TapsterError && fault.retryAfterSeconds !== null) {
        retryMs = Math.max(retryMs, fault.retryAfterSeconds * 1000);
      }
    } finally {
      clearTimeout(silence);
      signal?.removeEventListener('abort', end);
      connection.abort();
    }
    await pause(retryMs, signal);
  }
}

/** One block of an event stream; `data` is empty for comments and for a block that sets the pause only. */
interface Frame {
  readonly event: string;
  readonly data: string;
  readonly retry: number | null;
}

/** Largest accepted block, characters: a snapshot of a large bar is below 100 000. */
const maxFrameLength = 4_000_000;

async function* readFrames({ body }: Response): AsyncGenerator<Frame, void> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let rest = '';
  const reader = body.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      if (rest.length > maxFrameLength) throw new Error('The live stream sends no end of an event.');
      yield* blocks.map(parseFrame);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function parseFrame(block: string): Frame {
  let event = 'message';
  let retry: number | null = null;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
    else if (name === 'retry' && /^\d+$/.test(value)) retry = Number(value);
  }
  return { event, data: data.join('\n'), retry };
}

/** Waits; returns at once when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done) => {
    if (signal?.aborted) return done();
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      done();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener('abort', finish, { once: true });
  });
}
