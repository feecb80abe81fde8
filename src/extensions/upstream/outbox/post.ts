import { type ClientRequest, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';

/** A batch to post. */
export interface UpstreamRequest {
  readonly body: string;
  /** Null before pairing; then no header is sent. */
  readonly token: string | null;
  readonly signal: AbortSignal;
}

/** Response of the upstream server, or a connection error. */
export type UpstreamAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Parsed JSON; undefined if the body is not JSON. */
      readonly body: unknown;
      readonly retryAfter: string | undefined;
    }
  | { readonly kind: 'failed'; readonly code: string };

/** Posts a batch to the upstream server. Never rejects. */
export type UpstreamPost = (upstreamRequest: UpstreamRequest) => Promise<UpstreamAnswer>;

/** From the DNS lookup to the last byte of the response; the receiver's SD card may be slow. */
const timeoutMs = 15_000;
/** Ten times the longest answer of the protocol, bytes. */
const maxAnswerBytes = 65_536;

/** Posts over one keep-alive connection. Follows no redirect. */
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
        // The server closed the idle connection: the request is repeated at once on a new one.
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
