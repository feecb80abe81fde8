import type { PourMessage, SnapshotMessage } from '../../src/http/live/shapes.ts';

type LiveMessage =
  | { readonly event: 'snapshot'; readonly data: SnapshotMessage }
  | { readonly event: 'pour'; readonly data: PourMessage };

/** The live stream of the page. */
export interface LiveStream {
  /** Resolves to the next matching message; rejects when the stream ends first. */
  until(matches: (message: LiveMessage) => boolean): Promise<LiveMessage>;
  close(): void;
}

/** Opens `GET /api/live` of a daemon, as staff with an API key of staff. */
export async function openLiveStream(url: string, key?: string): Promise<LiveStream> {
  const abort = new AbortController();
  const response = await fetch(`${url}/api/live`, {
    signal: abort.signal,
    headers: key === undefined ? {} : { 'X-Kegbot-Api-Key': key },
  });
  if (!response.ok || !response.body) {
    throw new Error(`No live stream: ${response.status} ${await response.text()}`);
  }
  // Takes the reader now, because Node.js cancels an unread body when its Response is garbage collected.
  const messages = readMessages(response.body[Symbol.asyncIterator]());
  return {
    async until(matches) {
      for (;;) {
        const { value, done } = await messages.next();
        if (done) throw new Error('The live stream ended.');
        if (matches(value)) return value;
      }
    },
    close: () => abort.abort(),
  };
}

async function* readMessages(chunks: AsyncIterableIterator<Uint8Array>): AsyncGenerator<LiveMessage> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (event && data) yield { event, data: JSON.parse(data) } as LiveMessage;
    }
  }
}
