import { createProblem, type Problem } from '../../../core/health/problems.ts';
import { type HttpSendResult, httpSend } from '../../../outbox/http-send.ts';
import { toTransportOutcome } from '../../../outbox/webhooks/webhook-transport.ts';
import { productVersion } from '../../../system/product.ts';

/** For one file of at most a few hundred kilobytes. */
const sendTimeoutMs = 30_000;

/** A folder on a web server. */
export interface WebSpace {
  /** Ends with a slash. */
  readonly url: string;
  /** Empty: no login. */
  readonly username: string;
  readonly password: string;
  /** True if it may be on this machine. */
  readonly allowsLocal: boolean;
}

/** Writes a file, and makes the folder where it is missing. Resolves to what failed. Never rejects. */
export async function putFile(
  space: WebSpace,
  file: { readonly name: string; readonly contentType: string; readonly body: Buffer },
  signal: AbortSignal,
): Promise<Problem | null> {
  const put = () =>
    send(space, 'PUT', new URL(file.name, space.url), {
      body: file.body,
      headers: { 'content-type': file.contentType },
      signal,
    });
  let answer = await put();
  if (mayMissFolder(answer)) {
    const made = await send(space, 'MKCOL', new URL(space.url), { signal });
    if (made.kind === 'answered' && made.status === 201) answer = await put();
  }
  return toProblem(answer, new URL(space.url).host);
}

/** Deletes a file; one that is not there is no problem. Resolves to what failed. Never rejects. */
export async function deleteFile(
  space: WebSpace,
  name: string,
  signal: AbortSignal,
): Promise<Problem | null> {
  const answer = await send(space, 'DELETE', new URL(name, space.url), { signal });
  const isGone = answer.kind === 'answered' && (answer.status === 404 || answer.status === 410);
  return isGone ? null : toProblem(answer, new URL(space.url).host);
}

function send(
  { username, password, allowsLocal }: WebSpace,
  method: string,
  url: URL,
  { body = '', headers = {}, signal }: { body?: Buffer | string; headers?: object; signal: AbortSignal },
): Promise<HttpSendResult> {
  const login = Buffer.from(`${username}:${password}`).toString('base64');
  return httpSend({
    method,
    url: url.href,
    headers: {
      'user-agent': `Tapster/${productVersion()}`,
      ...headers,
      ...(username === '' ? {} : { authorization: `Basic ${login}` }),
    },
    body,
    timeoutMs: sendTimeoutMs,
    signal,
    allowsLocal,
  });
}

/** 404 and 409 by the standard (RFC 4918); nginx answers 500. */
const mayMissFolder = (answer: HttpSendResult): boolean =>
  answer.kind === 'answered' && [404, 409, 500].includes(answer.status);

function toProblem(answer: HttpSendResult, host: string): Problem | null {
  if (answer.kind === 'answered') {
    const { status } = answer;
    if (status === 401 || status === 403) return createProblem('web_space_login_refused', { host, status });
    if (status === 405 || status === 501) return createProblem('web_space_read_only', { host, status });
    if (status === 404 || status === 409) return createProblem('web_space_no_folder', { host, status });
    if (status === 507) return createProblem('web_space_full', { host });
  }
  const outcome = toTransportOutcome(answer, host);
  return outcome.kind === 'failed' ? outcome.problem : null;
}
