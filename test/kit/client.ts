import { omitUndefined } from '../../src/core/omit-undefined.ts';
import { buildRequest, type OperationArguments } from '../../src/web/api/build-request.ts';
import type { Operations } from '../../src/web/api/generated.ts';

/** The server, and the credentials: a key or a login cookie, neither for an unauthenticated client. */
export interface ClientOptions {
  /** The server's URL without a trailing slash, `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly key?: string;
  readonly cookie?: string;
}

/** A response whose type follows from the operation, or an error. */
export type Reply<O extends keyof Operations> =
  | { readonly ok: true; readonly status: number; readonly result: Operations[O]['result'] }
  | {
      readonly ok: false;
      readonly status: number;
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly fields?: Readonly<Record<string, string>>;
      };
    };

/**
 * Creates a client for tests with the page's operations and types, which sends requests to a running server.
 */
export function createClient({ url, key, cookie }: ClientOptions) {
  const headers = omitUndefined({ 'X-Kegbot-Api-Key': key, Cookie: cookie });
  async function call<O extends keyof Operations>(
    operation: O,
    ...args: OperationArguments<O>
  ): Promise<Reply<O>> {
    const { method, address, body } = buildRequest(operation, args[0]);
    const sent = body === undefined || body instanceof FormData ? body : JSON.stringify(body);
    const reply = await fetch(`${url}/api${address}`, {
      method,
      headers: typeof sent === 'string' ? { ...headers, 'Content-Type': 'application/json' } : headers,
      ...omitUndefined({ body: sent }),
    });
    const payload = (await reply.json()) as object;
    return { ok: reply.ok, status: reply.status, ...payload } as Reply<O>;
  }
  return {
    /** Sends a request; an error response is returned. */
    call,
    /** Sends a request and returns its result; throws the message of an error response. */
    async get<O extends keyof Operations>(operation: O, ...args: OperationArguments<O>) {
      const reply = await call(operation, ...args);
      if (!reply.ok) throw new Error(`${operation}: ${reply.status} ${reply.error.message}`);
      return reply.result;
    },
  };
}
