import { toHref } from '../current-path.ts';
import { type ErrorText, toErrorText } from '../error-text.ts';
import { pinUnlock, requestPin } from '../pin-unlock.ts';
import { say } from '../words/say.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What the daemon said: a result, or a sentence for the person at the page. */
export type Answer<R> =
  | { readonly ok: true; readonly result: R }
  | ({
      readonly ok: false;
      /** 0 when no answer came at all. */
      readonly status: number;
    } & ErrorText);

/** Longer than any honest answer on a bar's own network takes. */
const defaultTimeoutMs = 10_000;

/**
 * Asks the daemon's API; `path` begins below `/api`. What has to ask others first gets more patience. Never throws. On a
 * shared tablet, what needs somebody's PIN is asked once more when they have typed it.
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
  // The PIN was typed while this was on its way. What one person began does not go out in another's name.
  if (pinUnlock.value !== null && pinUnlock.value !== unlockWhenSent) {
    const isOtherPerson =
      unlockWhenSent !== null && unlockWhenSent.displayName !== pinUnlock.value.displayName;
    return isOtherPerson ? answer : requestWithPin(method, path, body, timeoutMs);
  }
  return (await requestPin()) ? sendRequest(method, path, body, timeoutMs) : answer;
}

/** Looks without anybody having asked for it just now: on a shared tablet nobody is asked for their PIN. Never throws. */
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

/** What a status and the body that came with it say. */
export async function parseAnswer<R>(status: number, body: unknown): Promise<Answer<R>> {
  if (status >= 200 && status < 300) return { ok: true, result: getMember(body, 'result') as R };
  const error = getMember(body, 'error');
  const isObject = typeof error === 'object' && error !== null;
  return { ok: false, status, ...(await toErrorText({ ...(isObject && error), status })) };
}

/** A form brings its own media type, with the boundary in it. */
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
