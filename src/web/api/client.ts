import { isConnectionLost } from '../app/connection.ts';
import { type ErrorText, toErrorText } from '../app/error-text.ts';
import { pinUnlock, requestPin } from '../app/pin-unlock.ts';
import { knownUser, logInPrompt, passwordPrompt } from '../app/prompt.ts';
import { toHref } from '../app/routing.ts';
import { t } from '../locales/locale.ts';
import { buildRequest, type OperationArguments } from './build-request.ts';
import { type ChangeKeys, describeChange, findChangeKeys } from './change-keys.ts';
import type { Files, Operations } from './generated.ts';
import { findTag, keepTag } from './read-tags.ts';

/** Result of an operation. */
export type Result<O extends keyof Operations> = Operations[O]['result'];

/** Response of the daemon: a result, or a sentence for the person at the page. */
export type Answer<R> =
  | { readonly ok: true; readonly result: R }
  | ({
      readonly ok: false;
      /** 0 when no response arrived. */
      readonly status: number;
      /** True if nobody is logged in any more, or ever was. */
      readonly needsLogin?: boolean;
    } & ErrorText);

/** How a request is sent. */
export interface RequestOptions {
  /**
   * What to do when a shared tablet needs a PIN, or the login has ended. `prompt`, the default, opens a dialog and sends the
   * request once more after the PIN or password was accepted. `never` returns the error, for requests without an action of the
   * user.
   */
  readonly login?: 'prompt' | 'never';
  /** Larger for requests during which the daemon waits on another server. */
  readonly timeoutMs?: number;
}

/** Time-out of a picture's upload: a phone's picture is some megabytes on a slow network, and the Pi has to resize it. */
export const pictureTimeoutMs = 120_000;

/** Longer than any request on a bar's own network takes. */
const defaultTimeoutMs = 10_000;
/** While the connection is lost a change is answered after this time at the latest, in place of its own. */
const lostTimeoutMs = 1_500;

/**
 * Calls an API operation by its declared method and path, e.g. `GET /drinks/{id}`. Never throws. A change carries an
 * `Idempotency-Key`. When the daemon asks for the user’s password again, or the login has ended, a dialog opens, and the request
 * is sent once more after the password was accepted.
 */
export async function request<O extends keyof Operations>(
  operation: O,
  ...args: OperationArguments<O, RequestOptions>
): Promise<Answer<Result<O>>> {
  const [input, options = {}] = args;
  const keys = findChangeKeys();
  const send = () => sendRequest<Result<O>>(buildRequest(operation, input), keys, options.timeoutMs);
  const unlockWhenSent = pinUnlock.value;
  const answer = await send();
  const needsPassword = !answer.ok && answer.status === 403 && answer.fields.current_password !== undefined;
  if (!answer.ok && answer.needsLogin && knownUser.value !== null && options.login !== 'never')
    return (await logInPrompt.open()) ? send() : answer;
  if (needsPassword) return (await passwordPrompt.open()) ? send() : answer;
  const needsPin = !answer.ok && answer.status === 401 && answer.fields.pin !== undefined;
  if (!needsPin || options.login === 'never') return answer;
  // The PIN was typed while the request was in flight. Never repeat one person's request under another
  // person's name.
  if (pinUnlock.value !== null && pinUnlock.value !== unlockWhenSent) {
    const isOtherPerson =
      unlockWhenSent !== null && unlockWhenSent.displayName !== pinUnlock.value.displayName;
    return isOtherPerson ? answer : request(operation, ...args);
  }
  return (await requestPin()) ? send() : answer;
}

/** Returns the URL of a file that the browser loads itself, for a link or a picture. */
export function fileHref<F extends keyof Files>(file: F, ...[input]: OperationArguments<F>): string {
  return toHref(`/api${buildRequest(file, input).address}`);
}

/**
 * Lets the browser save a file that the daemon gives out only after the user’s password was entered again: the password dialog
 * opens if it is needed, and the download starts after it. Never throws.
 */
export async function saveFile(href: string, fileName = ''): Promise<Answer<null>> {
  const ask = () =>
    fetch(href, { method: 'HEAD', signal: AbortSignal.timeout(defaultTimeoutMs) }).then(
      ({ status }) => parseAnswer<null>(status, null),
      (): Answer<null> => ({ ok: false, status: 0, sentence: t('app.noAnswer'), fields: {} }),
    );
  let answer = await ask();
  if (!answer.ok && answer.status === 403 && (await passwordPrompt.open())) answer = await ask();
  if (answer.ok) Object.assign(document.createElement('a'), { href, download: fileName }).click();
  return answer;
}

async function sendRequest<R>(
  { method, address, body }: ReturnType<typeof buildRequest>,
  keys: ChangeKeys,
  timeoutMs = defaultTimeoutMs,
): Promise<Answer<R>> {
  const isChange = method !== 'GET';
  const change = describeChange(method, address, body);
  const deadline = isChange ? changeDeadline(timeoutMs) : readDeadline(timeoutMs);
  try {
    const reply = await fetch(toHref(`/api${address}`), {
      method,
      ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      headers: {
        ...requestHeaders(body),
        ...(isChange && {
          'Idempotency-Key': keys.keyOf(change),
          ...(isEdit(method) && conditionHeaders(address, keys)),
        }),
      },
      signal: deadline.signal,
    });
    const json: unknown = await reply.json().catch(() => null);
    if (!isChange && reply.ok) keepTag(address, reply.headers.get('ETag'));
    const reason = getMember(getMember(json, 'error'), 'reason');
    // The same change is still being made: pressing again asks for its answer.
    if (getMember(reason, 'name') !== 'request_running') keys.markAnswered(change);
    return parseAnswer(reply.status, json);
  } catch {
    const sentence = t(isChange ? 'app.changeUnanswered' : 'app.noAnswer');
    return { ok: false, status: 0, sentence, fields: {} };
  } finally {
    deadline.cancel();
  }
}

/** Aborts a request. */
interface Deadline {
  readonly signal: AbortSignal;
  /** Called after the request. */
  cancel(): void;
}

const readDeadline = (timeoutMs: number): Deadline => ({
  signal: AbortSignal.timeout(timeoutMs),
  cancel() {},
});

/** Aborts a change after its time-out, and soon after the connection was lost: nobody waits at a dialog that hangs. */
function changeDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timers = [setTimeout(abort, timeoutMs)];
  const unsubscribe = isConnectionLost.subscribe((isLost) => {
    if (isLost) timers.push(setTimeout(abort, lostTimeoutMs));
  });
  return {
    signal: controller.signal,
    cancel() {
      unsubscribe();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** Why a request without a login is refused. */
const loginReasons: ReadonlySet<unknown> = new Set(['login_needed', 'login_expired']);

/** Converts a status and a parsed body to an answer. */
export function parseAnswer<R>(status: number, body: unknown): Answer<R> {
  if (status >= 200 && status < 300) return { ok: true, result: getMember(body, 'result') as R };
  const error = getMember(body, 'error');
  const isObject = typeof error === 'object' && error !== null;
  const reason = getMember(getMember(error, 'reason'), 'name');
  return {
    ok: false,
    status,
    ...(loginReasons.has(reason) && { needsLogin: true }),
    ...toErrorText({ ...(isObject && error), status }),
  };
}

/** Only these change a record that was read; another method makes or removes one. */
const isEdit = (method: string): boolean => method === 'PATCH' || method === 'PUT';

/** The condition of a change of a record that was read from the same address. */
function conditionHeaders(address: string, { condition }: ChangeKeys): Record<string, string> {
  const tag = condition && findTag(address);
  if (tag === undefined) return {};
  condition!.address = address;
  return { 'If-Match': tag };
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
