import { toHref } from '../current-path.ts';
import { buildRequest, type OperationArguments } from './build-request.ts';
import type { Files, Operations } from './operations.ts';
import { type Answer, type Method, requestWithPin } from './request-with-pin.ts';

/** What an operation answers. */
export type Result<O extends keyof Operations> = Operations[O]['result'];

/** Asks the daemon for an operation of its API, by method and path as declared: `GET /drinks/{id}`. Never throws. */
export function request<O extends keyof Operations>(
  operation: O,
  ...input: OperationArguments<O>
): Promise<Answer<Result<O>>> {
  const { method, address: path, body } = buildRequest(operation, input);
  return requestWithPin(method as Method, path, body);
}

/** The address of something that is fetched as it is, for a link or a picture. */
export function fileHref<F extends keyof Files>(file: F, ...input: OperationArguments<F>): string {
  return toHref(`/api${buildRequest(file, input).address}`);
}
