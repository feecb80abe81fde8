import { type Answer, ask, type Method } from '../ask.ts';
import { toHref } from '../current-path.ts';
import type { Files, Operations } from './operations.ts';
import { type GivenTo, requestFor } from './request.ts';

/** What an operation answers. */
export type Result<O extends keyof Operations> = Operations[O]['result'];

/** Asks the daemon for an operation of its API, by method and path as declared: `GET /drinks/{id}`. Never throws. */
export function call<O extends keyof Operations>(
  operation: O,
  ...given: GivenTo<O>
): Promise<Answer<Result<O>>> {
  const { method, address: below, body } = requestFor(operation, given);
  return ask(method as Method, below, body);
}

/** The address of something that is fetched as it is, for a link or a picture. */
export function fileHref<F extends keyof Files>(file: F, ...given: GivenTo<F>): string {
  return toHref(`/api${requestFor(file, given).address}`);
}
