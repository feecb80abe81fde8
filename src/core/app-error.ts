import type { Refusal, Rule } from './reasons.ts';

/** What can be wrong with a request, for machines. Each face maps these to its own names and statuses. */
export type AppErrorCode =
  | 'invalid_request' // input did not fit; `fields` says which and why
  | 'not_found' // the object named does not exist
  | 'conflict' // allowed in principle, but not in the present state
  | 'no_key' // a key is needed and none was given
  | 'bad_key' // the key is unknown, switched off, or its user is
  | 'not_allowed' // known, but without the right
  | 'gone' // a retired endpoint
  | 'too_large' // the body is over its limit
  | 'wrong_media' // the body's type is not read here
  | 'wrong_method' // the path exists, the method does not
  | 'too_many' // rate limited
  | 'unavailable' // a passing fault: try again
  | 'internal'; // a bug, or worse

/** A refusal with a code for machines and a sentence for people that says what to do. */
export class AppError extends Error {
  readonly code: AppErrorCode;
  /** Field name → what is allowed there. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  /** Why, by a stable name with its facts, for programs that say it in words of their own. */
  readonly reason: Refusal | undefined;
  /** Field name → the rule it breaks, for those of `fields` whose rule has a name. */
  readonly rules: Readonly<Record<string, Rule>> | undefined;
  /** When asking again may be worth it, seconds. */
  readonly retryAfterS: number | undefined;

  constructor(
    code: AppErrorCode,
    message: string,
    options: {
      fields?: Record<string, string>;
      reason?: Refusal;
      rules?: Record<string, Rule>;
      cause?: unknown;
      retryAfterS?: number;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields;
    this.reason = options.reason;
    this.rules = options.rules;
    this.retryAfterS = options.retryAfterS;
  }
}
