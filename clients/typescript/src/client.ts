import { buildRequest, type OperationArguments } from '../../../src/web/api/build-request.ts';
import type { Files, Operations } from '../../../src/web/api/generated.ts';
import { followLive, type LiveEvent, type LiveOptions, pause } from './live.ts';
import { type ListOperation, nextPage, type Row, rowsOf } from './pages.ts';
import { TapsterError } from './tapster-error.ts';

export interface ClientOptions {
  /** Address of the daemon, `http://tapster.local:8080`; with the path of a proxy, if there is one. */
  readonly url: string;
  /** A key from `tapster key create NAME` or the page; without one only what the site shows to everybody can be read. */
  readonly key?: string;
  /** Time limit of one request, milliseconds; 10 000 by default. */
  readonly timeoutMs?: number;
  /**
   * How often a request is repeated that got no answer or 429, 502, 503 or 504; 2 by default. Only reads are repeated, and
   * writes with an `idempotencyKey`.
   */
  readonly retries?: number;
  /** Pause before the first repetition, milliseconds, unless the daemon names one; it doubles each time. 1 000 by default. */
  readonly retryPauseMs?: number;
  /** Replaces the global `fetch`, for tests or a proxy. */
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** The client's name for this write (`Idempotency-Key`), 1 to 64 characters: sent twice it is done once. */
  readonly idempotencyKey?: string;
  /** The write is refused with 412 unless the record still has this tag, the `etag` of `callWithTag`. */
  readonly ifMatch?: string;
}

interface Address {
  readonly method: string;
  readonly url: string;
  readonly body: object | undefined;
}

/** Reads what is needed of a response. */
type Read<R> = (response: Response) => R | Promise<R>;

/** Longest pause before a repetition, milliseconds. */
const maxPauseMs = 30_000;

const readResult = async <R>(response: Response): Promise<R> =>
  ((await response.json()) as { readonly result: R }).result;

/** Creates a client of one daemon. Its methods reject with a `TapsterError` when the daemon refuses. */
export function createClient(options: ClientOptions) {
  const { key, timeoutMs = 10_000, retries = 2, retryPauseMs = 1_000, fetch: send = fetch } = options;
  const base = `${options.url.replace(/\/+$/, '')}/api`;
  const authorization: Record<string, string> = key === undefined ? {} : { Authorization: `Bearer ${key}` };

  function headersOf(body: object | undefined, { idempotencyKey, ifMatch }: RequestOptions) {
    const isJson = body !== undefined && !(body instanceof FormData);
    return {
      ...authorization,
      ...(isJson ? { 'Content-Type': 'application/json' } : {}),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
    };
  }

  /** Sends a request once. The time limit ends with `read`. */
  async function sendOnce<R>(
    { method, url, body }: Address,
    settings: RequestOptions,
    read: Read<R>,
  ): Promise<R> {
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new DOMException(`No answer within ${timeoutMs} ms.`, 'TimeoutError')),
      timeoutMs,
    );
    try {
      const response = await send(url, {
        method,
        headers: headersOf(body, settings),
        signal: settings.signal ? AbortSignal.any([settings.signal, limit.signal]) : limit.signal,
        ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      });
      if (response.ok) return await read(response);
      throw new TapsterError(response, await response.json().catch(() => null));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a request until it is answered or the repetitions are used up. */
  async function sendRequest<R>(address: Address, settings: RequestOptions = {}, read: Read<R>): Promise<R> {
    const mayRepeat = address.method === 'GET' || settings.idempotencyKey !== undefined;
    for (let repeated = 0; ; repeated++) {
      try {
        return await sendOnce(address, settings, read);
      } catch (fault) {
        if (!mayRepeat || repeated >= retries || settings.signal?.aborted || !isTemporary(fault)) throw fault;
        const seconds = fault instanceof TapsterError ? fault.retryAfterSeconds : null;
        const pauseMs = seconds === null ? retryPauseMs * 2 ** repeated : seconds * 1000;
        await pause(Math.min(pauseMs, maxPauseMs), settings.signal);
      }
    }
  }

  function addressOf(operation: string, input: unknown): Address {
    const { method, address, body } = buildRequest(operation, input as never);
    return { method, url: `${base}${address}`, body };
  }

  /** Calls an operation and returns its result and its tag (`ETag`), which is null if it has none. */
  async function callWithTag<O extends keyof Operations>(
    operation: O,
    ...[input, settings]: OperationArguments<O, RequestOptions>
  ): Promise<{ readonly result: Operations[O]['result']; readonly etag: string | null }> {
    return sendRequest(addressOf(operation, input), settings, async (response) => ({
      result: await readResult(response),
      etag: response.headers.get('ETag'),
    }));
  }

  async function call<O extends keyof Operations>(
    operation: O,
    ...args: OperationArguments<O, RequestOptions>
  ): Promise<Operations[O]['result']> {
    return (await callWithTag(operation, ...args)).result;
  }

  async function* pages<O extends ListOperation>(
    operation: O,
    ...[input, settings]: OperationArguments<O, RequestOptions>
  ): AsyncGenerator<Operations[O]['result'], void> {
    let url: URL | null = new URL(addressOf(operation, input).url);
    while (url !== null) {
      const address = { method: 'GET', url: url.href, body: undefined };
      const page: Operations[O]['result'] = await sendRequest(
        address,
        settings,
        readResult<Operations[O]['result']>,
      );
      yield page;
      url = nextPage(page, url);
    }
  }

  return {
    /** Calls an operation by its method and path, `GET /drinks/{id}`, and returns its result. */
    call,
    callWithTag,
    /** Reads a list page by page, following `paging.next`. */
    pages,
    /** Reads a list row by row; each row once, also while rows are added. */
    async *rows<O extends ListOperation>(
      operation: O,
      ...args: OperationArguments<O, RequestOptions>
    ): AsyncGenerator<Row<O>, void> {
      for await (const page of pages(operation, ...args)) yield* rowsOf<O>(page);
    },
    /** Requests a file: a picture, an export, a backup. The body of the response is still to be read. */
    async file<F extends keyof Files>(
      file: F,
      ...[input, settings]: OperationArguments<F, RequestOptions>
    ): Promise<Response> {
      return sendRequest(addressOf(file, input), settings, (response) => response);
    },
    /** Follows the live stream, `for await (const { event, data } of client.live())`. */
    live(settings: LiveOptions = {}): AsyncGenerator<LiveEvent, void> {
      const open = async (signal: AbortSignal) => {
        const response = await send(`${base}/live`, { headers: authorization, signal });
        if (response.ok) return response;
        throw new TapsterError(response, await response.json().catch(() => null));
      };
      return followLive(open, settings);
    },
  };
}

/** The client of one daemon. */
export type TapsterClient = ReturnType<typeof createClient>;

/** A refusal that a repetition may cure, or no answer at all. */
const isTemporary = (fault: unknown): boolean =>
  !(fault instanceof TapsterError) || [429, 502, 503, 504].includes(fault.status);
