import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../../core/app-error.ts';
import { productVersion } from '../../../../system/product.ts';

/** From the connection to the end of an answer, milliseconds: an old Pi may compute a page for many seconds. */
const timeoutMs = 120_000;

/** Largest answer, bytes: a page of a hundred drinks with all details has about half a megabyte. */
const maxAnswerBytes = 32 * 1024 * 1024;

/** Attempts for one address, and the first delay between two, milliseconds; it doubles. */
const maxAttempts = 6;
const firstDelayMs = 1_000;

/** Longest wait that a server can ask for, milliseconds. */
const maxDelayMs = 300_000;

const maxRedirects = 5;

/** Answers that may be another one in a moment. */
const passingStatuses = [408, 425, 429, 500, 502, 503, 504];

/** An answer of the server. */
export interface RemoteAnswer {
  readonly status: number;
  /** The parsed JSON; undefined when the body is none. */
  readonly body: unknown;
}

export interface RemoteClient {
  /** Address of the server without the path of its API, which names it. */
  readonly base: string;
  /** Requests a path below the base; follows no redirect to another host. Throws `unavailable`. */
  get(path: string, options?: { readonly isFirst?: boolean }): Promise<RemoteAnswer>;
}

/** The address of a server without `/api/`, `/api/v1/` and everything behind. Throws `invalid_request`. */
export function readServerAddress(text: string): string {
  const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(written) ? new URL(written) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new AppError(
      'invalid_request',
      `URL must be an address such as http://kegbot.local:8000, not “${text.slice(0, 80)}”.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError('invalid_request', 'URL must have no user and password: give the key with --key.');
  }
  const path = url.pathname.replace(/\/api(\/.*)?$/, '').replace(/\/+$/, '');
  return `${url.origin}${path}`;
}

/** Reads JSON from a server, one request at a time. */
export function createRemoteClient({
  base,
  key,
  onWait,
  wait = async (ms) => void (await sleep(ms)),
}: {
  readonly base: string;
  /** Null: without a key. */
  readonly key: string | null;
  /** Called before a longer wait, with its reason and seconds. */
  readonly onWait: (reason: string, seconds: number) => void;
  readonly wait?: (ms: number) => Promise<void>;
}): RemoteClient {
  const headers = {
    Accept: 'application/json',
    'User-Agent': `tapster/${productVersion()} (import)`,
    // The first is read by the legacy API, the second by the current one.
    ...(key === null
      ? {}
      : {
          'X-Kegbot-Api-Key': key,
          Authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}`,
        }),
  };

  const request = async (path: string): Promise<RemoteAnswer & { readonly retryAfter: string | null }> => {
    let url = new URL(`${base}${path}`);
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(url, {
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const location = response.headers.get('location');
      if (response.status >= 300 && response.status < 400 && location !== null) {
        await response.body?.cancel();
        url = followRedirect(url, location, redirects);
        continue;
      }
      const body = parseJson(await readBounded(response));
      return { status: response.status, body, retryAfter: response.headers.get('retry-after') };
    }
  };

  return {
    base,
    async get(path, { isFirst = false } = {}) {
      for (let attempt = 1; ; attempt++) {
        const isLast = attempt >= maxAttempts;
        let delayMs = firstDelayMs * 2 ** (attempt - 1);
        let reason: string;
        try {
          const answer = await request(path);
          if (!passingStatuses.includes(answer.status) || isLast) return answer;
          reason = `The server answered ${answer.status}`;
          delayMs = Math.max(delayMs, retryAfterMs(answer.retryAfter));
        } catch (fault) {
          if (fault instanceof AppError) throw fault;
          const { sentence, mayPass } = describeNetworkFault(fault, base);
          // A wrong address is reported at once; a server that answered before may be back in a moment.
          if (isLast || !mayPass || isFirst) throw new AppError('unavailable', sentence, { cause: fault });
          reason = sentence.replace(/\.$/, '');
        }
        if (delayMs > maxDelayMs) {
          throw new AppError(
            'unavailable',
            `${reason}, and asks to wait longer than five minutes: try again later.`,
          );
        }
        onWait(reason, Math.ceil(delayMs / 1_000));
        await wait(delayMs);
      }
    },
  };
}

/** Only to the same host, and never from HTTPS to HTTP: the request carries the key. */
function followRedirect(from: URL, location: string, redirects: number): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : null;
  const isSafe =
    to !== null &&
    to.hostname === from.hostname &&
    (to.protocol === 'https:' ||
      (to.protocol === 'http:' && from.protocol === 'http:' && to.port === from.port));
  if (isSafe && redirects < maxRedirects) return to;
  const target = to === null ? 'nowhere' : to.origin;
  throw new AppError(
    'unavailable',
    `The server redirects to ${target}, which is not followed: give that address instead if it is right.`,
  );
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxAnswerBytes) {
      throw new AppError(
        'unavailable',
        'The server sent an answer of more than 32 MiB: it is not a page of a list.',
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `Retry-After`: seconds, or a date. */
function retryAfterMs(text: string | null): number {
  if (text === null) return 0;
  if (/^\d{1,6}$/.test(text.trim())) return Number(text) * 1_000;
  return Math.max(0, Date.parse(text) - Date.now()) || 0;
}

const tlsSentences: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that it signed itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate of an authority that is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate of an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'has a certificate of an authority that is not known here',
  CERT_HAS_EXPIRED: 'has a certificate that has expired, or the clock of one of both is wrong',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet: is the clock here right?',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
};

/** What is wrong with the network, in words, and whether it may pass. */
export function describeNetworkFault(
  fault: unknown,
  base: string,
): { readonly sentence: string; readonly mayPass: boolean } {
  const code = codeOf(fault);
  const host = new URL(base).host;
  const tls = tlsSentences[code];
  if (tls !== undefined) {
    const remedy = 'NODE_EXTRA_CA_CERTS=FILE before the command trusts the authority in that file.';
    return { sentence: `The server ${host} ${tls}. ${remedy}`, mayPass: false };
  }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') {
    return { sentence: `The server ${host} speaks no HTTPS at this address: try http://.`, mayPass: false };
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return { sentence: `The name ${host} is not known in this network.`, mayPass: code === 'EAI_AGAIN' };
  }
  if (code === 'ECONNREFUSED') return { sentence: `No server listens at ${host}.`, mayPass: true };
  if (code === 'TimeoutError')
    return { sentence: `The server ${host} did not answer in time.`, mayPass: true };
  return { sentence: `The connection to ${host} fails (${code}).`, mayPass: true };
}

/** The code of the first error in the chain of causes that has one. */
function codeOf(fault: unknown): string {
  for (let error = fault; error instanceof Error; error = error.cause) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string') return code;
    if (error.name === 'TimeoutError') return error.name;
  }
  return 'unknown';
}
