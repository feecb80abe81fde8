import type { Problem } from './health/problems.ts';
import type { Refusal, Rule } from './reasons.ts';

/** What is wrong with a request, for programs. Each API maps these codes to its own names and statuses. */
export type AppErrorCode =
  | 'invalid_request' // input did not fit; `fields` names each field and why
  | 'not_found' // the object named does not exist
  | 'conflict' // allowed in principle, but not in the present state
  | 'precondition_failed' // the object is not as the client expected it to be
  | 'no_key' // a key is needed and none was given
  | 'bad_key' // the key is unknown, switched off, or its user is
  | 'not_allowed' // known, but lacks the permission
  | 'gone' // a retired endpoint
  | 'too_large' // the body is over its limit
  | 'wrong_media' // the body's media type is not supported here
  | 'wrong_method' // the path exists, the method does not
  | 'too_many' // rate limited
  | 'unavailable' // a temporary fault: try again
  | 'internal'; // a bug or an unexpected failure

/** An expected error: a code for programs, and a sentence for people that says what to do. */
export class AppError extends Error {
  readonly code: AppErrorCode;
  /** Field name → which values are allowed. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  /** The reason under a stable name with its facts, for programs that use their own wording. */
  readonly reason: Refusal | undefined;
  /** Field name → the rule it breaks, for those of `fields` whose rule has a name. */
  readonly rules: Readonly<Record<string, Rule>> | undefined;
  /** What does not work, for people in every language; undefined without one. */
  readonly problem: Problem | undefined;
  /** Seconds after which a retry may succeed. */
  readonly retryAfterS: number | undefined;

  constructor(
    code: AppErrorCode,
    /** A sentence in English, or a problem with its texts. */
    message: string | Problem,
    options: {
      fields?: Record<string, string>;
      reason?: Refusal;
      rules?: Record<string, Rule>;
      cause?: unknown;
      retryAfterS?: number;
      problem?: Problem;
    } = {},
  ) {
    super(
      typeof message === 'string' ? message : message.message,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields;
    this.reason = options.reason;
    this.problem = typeof message === 'string' ? options.problem : message;
    this.rules = options.rules;
    this.retryAfterS = options.retryAfterS;
  }
}
