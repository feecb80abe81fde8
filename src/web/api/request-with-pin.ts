import { toHref } from '../app/current-path.ts';
import { type ErrorText, toErrorText } from '../app/error-text.ts';
import { pinUnlock, requestPin } from '../app/pin-unlock.ts';
import { say } from '../words/say.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Response of the daemon: a result, or a sentence for the person at the page. */
export type Answer<R> =
  | { readonly ok: true; readonly result: R }
  | ({
      readonly ok: false;
      /** 0 when no response arrived. */
      readonly status: number;
    } & ErrorText);

/** Longer than any request on a bar's own network takes. */
const defaultTimeoutMs = 10_000;

/**
 * Sends a request to the daemon's API; `path` starts below `/api`. Never throws. On a shared tablet a request
 * that needs a PIN opens the PIN dialog and is sent once more after the PIN was accepted. Requests for which
 * the daemon itself waits on another server need a larger `timeoutMs`.
 */
export async function requestWithPin<R>(
  method: Method,
  path: string,
  body?: object,
  timeoutMs = defaultTimeoutMs,
): Promise<Answer<R>> {
  const unlockWhenSent = pinUnlock.value;
  const answer = await sendRequest<R>(method, path, body, timeoutMs);
  const needsPin = !answer.ok && answer.status === 401 && answer.fields.pin !== undefined;
  if (!needsPin) return answer;
  // The PIN was typed while the request was in flight. Never repeat one person's request under another
  // person's name.
  if (pinUnlock.value !== null && pinUnlock.value !== unlockWhenSent) {
    const isOtherPerson =
      unlockWhenSent !== null && unlockWhenSent.displayName !== pinUnlock.value.displayName;
    return isOtherPerson ? answer : requestWithPin(method, path, body, timeoutMs);
  }
  return (await requestPin()) ? sendRequest(method, path, body, timeoutMs) : answer;
}

/** Reads without a PIN prompt, for automatic reloads. Never throws. */
export const requestWithoutPin = <R>(path: string): Promise<Answer<R>> =>
  sendRequest('GET', path, undefined, defaultTimeoutMs);

async function sendRequest<R>(
  method: Method,
  path: string,
  body: object | undefined,
  timeoutMs: number,
): Promise<Answer<R>> {
  try {
    const reply = await fetch(toHref(`/api${path}`), {
      method,
      ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      headers: requestHeaders(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await parseAnswer(reply.status, await reply.json().catch(() => null));
  } catch {
    return { ok: false, status: 0, sentence: say.noAnswer, fields: {} };
  }
}

/** Converts a status and a parsed body to an answer. */
export async function parseAnswer<R>(status: number, body: unknown): Promise<Answer<R>> {
  if (status >= 200 && status < 300) return { ok: true, result: getMember(body, 'result') as R };
  const error = getMember(body, 'error');
  const isObject = typeof error === 'object' && error !== null;
  return { ok: false, status, ...(await toErrorText({ ...(isObject && error), status })) };
}

/** Returns the headers. A `FormData` body sets its own media type, which contains the boundary. */
function requestHeaders(body: object | undefined): Record<string, string> {
  const isJson = body !== undefined && !(body instanceof FormData);
  return {
    ...(isJson ? { 'Content-Type': 'application/json' } : {}),
    ...(pinUnlock.value === null ? {} : { 'X-Tapster-Pin-Unlock': pinUnlock.value.token }),
  };
}

function getMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
