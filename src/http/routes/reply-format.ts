import type Type from 'typebox';
import type { AppError, AppErrorCode } from '../../core/app-error.ts';

/** How an API wraps success and failure, with the schemas for the OpenAPI document. */
export interface ReplyFormat {
  /** Selects the view of a route. */
  readonly name: string;
  ok(value: unknown): unknown;
  okSchema(body: Type.TSchema): Type.TSchema;
  fail(error: AppError): { readonly status: number; readonly body: unknown };
  readonly failSchema: Type.TSchema;
  /** True if the reply of a failure names its reason. */
  readonly hasReasons?: boolean;
  /** Headers of answers in this format; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Wraps the serialized answer, for JSONP. */
  readonly wrap?: (json: string) => string;
}

/** Name and status of an error in the API. */
export interface NamedError {
  readonly name: string;
  readonly status: number;
}

/** Name and status by error code. */
export const errorNames: Readonly<Record<AppErrorCode, NamedError>> = {
  invalid_request: { name: 'BadRequestError', status: 400 },
  no_key: { name: 'NoAuthTokenError', status: 401 },
  bad_key: { name: 'BadAuthTokenError', status: 401 },
  not_allowed: { name: 'PermissionDeniedError', status: 403 },
  not_found: { name: 'NotFoundError', status: 404 },
  wrong_method: { name: 'Error', status: 405 },
  conflict: { name: 'Error', status: 409 },
  gone: { name: 'GoneError', status: 410 },
  precondition_failed: { name: 'Error', status: 412 },
  too_large: { name: 'Error', status: 413 },
  wrong_media: { name: 'Error', status: 415 },
  too_many: { name: 'Error', status: 429 },
  internal: { name: 'ServerError', status: 500 },
  unavailable: { name: 'ServerError', status: 503 },
};
