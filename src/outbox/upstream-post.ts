import { type ClientRequest, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';

/** A batch on its way. */
export interface UpstreamRequest {
  readonly body: string;
  /** Null: none was given yet, and then no header is sent. */
  readonly token: string | null;
  readonly signal: AbortSignal;
}

/** What came back. */
export type UpstreamAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** What was said, as far as it is JSON; undefined where it is not. */
      readonly body: unknown;
      readonly retryAfter: string | undefined;
    }
  | { readonly kind: 'failed'; readonly code: string };

/** Carries a batch to the other house. Never rejects. */
export type UpstreamPost = (upstreamRequest: UpstreamRequest) => Promise<UpstreamAnswer>;

/** From the first name looked up to the last byte of the answer; an SD card may be slow at the other end. */
const timeoutMs = 15_000;
/** No answer of the protocol is a tenth of this, bytes. */
const maxAnswerBytes = 65_536;

/** Posts over one connection that is kept open while there is something to send. No redirect is followed. */
export function createUpstreamPost(address: string): UpstreamPost {
  const url = new URL(address);
  const isTls = url.protocol === 'https:';
  const agent = isTls
    ? new TlsAgent({ keepAlive: true, maxSockets: 1 })
    : new PlainAgent({ keepAlive: true, maxSockets: 1 });

  const once = ({ body, token, signal }: UpstreamRequest): Promise<UpstreamAnswer | 'stale'> =>
    new Promise((resolve) => {
      const timeout = AbortSignal.timeout(timeoutMs);
      const headers = {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      };
      const options = { method: 'POST', headers, agent, signal: AbortSignal.any([signal, timeout]) };
      const request: ClientRequest = (isTls ? tlsRequest : plainRequest)(url, options);
      const failed = (fault: NodeJS.ErrnoException) => {
        // The other end had closed the line while nobody spoke; a new one is asked at once.
        if (request.reusedSocket && fault.code === 'ECONNRESET') resolve('stale');
        else resolve({ kind: 'failed', code: timeout.aborted ? 'ETIMEDOUT' : (fault.code ?? fault.name) });
      };
      request.on('error', failed);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > maxAnswerBytes) response.destroy(new Error('too long'));
          else chunks.push(chunk);
        });
        response.on('error', failed);
        response.on('end', () =>
          resolve({
            kind: 'answered',
            status: response.statusCode ?? 0,
            body: parseJson(Buffer.concat(chunks).toString()),
            retryAfter: response.headers['retry-after'],
          }),
        );
      });
      request.end(body);
    });

  return async (upstreamRequest) => {
    const first = await once(upstreamRequest);
    if (first !== 'stale') return first;
    const second = await once(upstreamRequest);
    return second === 'stale' ? { kind: 'failed', code: 'ECONNRESET' } : second;
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
