import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scheduler } from '../../../src/http/ports.ts';
import { createHttpServer, type HttpServer } from '../../../src/http/server/http-server.ts';

/** One server-sent event; comments have the event `comment`. */
export interface SentEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Starts a real server on a free port. */
export async function listen(listener: RequestListener): Promise<HttpServer & { readonly url: string }> {
  const http = createHttpServer(listener);
  await new Promise<void>((resolve) => http.server.listen(0, '127.0.0.1', resolve));
  return { ...http, url: `http://127.0.0.1:${(http.server.address() as AddressInfo).port}` };
}

/** Opens a reader of one event stream. */
export async function watch(url: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(url, { signal: abort.signal, headers });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    /** Waits for the next event; null when the stream has ended. */
    async next(): Promise<SentEvent | null> {
      while (!text.includes('\n\n')) {
        const { value, done } = await reader.read();
        if (done) return null;
        text += value;
      }
      const end = text.indexOf('\n\n');
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      return parse(block) ?? this.next();
    },
    close: () => abort.abort(),
  };
}

/** Parses a block; null for one without an event, such as `retry:`. */
function parse(block: string): SentEvent | null {
  if (block.startsWith(':')) return { event: 'comment', data: null };
  const fields = new Map(
    block.split('\n').map((line) => [line.split(': ', 1)[0]!, line.slice(line.indexOf(':') + 2)]),
  );
  const event = fields.get('event');
  return event === undefined ? null : { event, data: JSON.parse(fields.get('data')!) };
}

/** Timers that a test advances. */
export interface ManualScheduler extends Scheduler {
  /** Advances the time and runs the due timers. */
  advance(ms: number): void;
  readonly waiting: number;
}

export function manualScheduler(): ManualScheduler {
  let now = 0;
  const timers = new Set<{ due: number; readonly everyMs: number | null; readonly run: () => void }>();
  const add = (ms: number, everyMs: number | null, run: () => void) => {
    const timer = { due: now + ms, everyMs, run };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  return {
    after: (ms, run) => add(ms, null, run),
    every: (ms, run) => add(ms, ms, run),
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
        if (!next) break;
        now = next.due;
        if (next.everyMs === null) timers.delete(next);
        else next.due += next.everyMs;
        next.run();
      }
      now = end;
    },
    get waiting() {
      return timers.size;
    },
  };
}
