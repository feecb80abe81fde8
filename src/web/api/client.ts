import { toHref } from '../app/current-path.ts';
import { buildRequest, type OperationArguments } from './build-request.ts';
import type { Files, Operations } from './operations.ts';
import { type Answer, type Method, requestWithPin } from './request-with-pin.ts';

/** Result of an operation. */
export type Result<O extends keyof Operations> = Operations[O]['result'];

/** Calls an API operation by its declared method and path, e.g. `GET /drinks/{id}`. Never throws. */
export function request<O extends keyof Operations>(
  operation: O,
  ...input: OperationArguments<O>
): Promise<Answer<Result<O>>> {
  const { method, address: path, body } = buildRequest(operation, input);
  return requestWithPin(method as Method, path, body);
}

/** Returns the URL of a file that the browser loads itself, for a link or a picture. */
export function fileHref<F extends keyof Files>(file: F, ...input: OperationArguments<F>): string {
  return toHref(`/api${buildRequest(file, input).address}`);
}
