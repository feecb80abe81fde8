import Type from 'typebox';
import type { AppError } from '../../core/app-error.ts';
import { ErrorName } from '../routes/error-texts.ts';
import { errorNames, type NamedError, type ReplyFormat } from '../routes/reply-format.ts';
import { Closed, described, named } from '../routes/schemas.ts';

/** The specification's reply format: `result` on success. */
export const referenceFormat: ReplyFormat = {
  name: 'reference',
  ok: (value) => ({ result: value }),
  okSchema: (body) => Closed({ result: described(body, 'What the operation answers.') }),
  fail(error) {
    const { name, status } = errorNames[error.code];
    return { status, body: { error: { code: name, message: error.message } } };
  },
  failSchema: named(
    'Failure',
    Closed({
      error: Closed(
        {
          code: ErrorName(errorNames),
          message: Type.String({
            description: 'What is wrong and what to do, one or two sentences for people.',
          }),
        },
        { description: 'Why the request failed.' },
      ),
    }),
  ),
};

/** Errors with a different name or status for existing controllers. */
const kegbotNames: Partial<Record<AppError['code'], NamedError>> = {
  bad_key: { name: 'BadApiKeyError', status: 401 },
  not_allowed: { name: 'PermissionDeniedError', status: 401 },
  conflict: { name: 'BadRequestError', status: 400 },
};

/** The reply format that existing controllers read: `object` or `objects`, and `meta`. */
export const kegbotFormat: ReplyFormat = {
  name: 'kegbot',
  ok: (value) => ({ [Array.isArray(value) ? 'objects' : 'object']: value, meta: { result: 'ok' } }),
  okSchema: (body) =>
    Closed({
      [(body as { type?: unknown }).type === 'array' ? 'objects' : 'object']: described(
        body,
        'What the operation answers.',
      ),
      meta: Closed(
        { result: Type.Literal('ok', { description: 'Always `ok`.' }) },
        { description: 'Tells success from failure.' },
      ),
    }),
  fail(error) {
    const { name, status } = kegbotNames[error.code] ?? errorNames[error.code];
    return {
      status,
      body: { error: { code: name, message: kegbotMessage(error) }, meta: { result: 'error' } },
    };
  },
  failSchema: named(
    'KegbotFailure',
    Closed({
      error: Closed(
        {
          code: ErrorName({ ...errorNames, ...kegbotNames }),
          message: Type.Union([Type.String(), Type.Record(Type.String(), Type.Array(Type.String()))], {
            description: 'What is wrong, for people: one text, or name of a field → what is allowed there.',
          }),
        },
        { description: 'Why the request failed.' },
      ),
      meta: Closed(
        { result: Type.Literal('error', { description: 'Always `error`.' }) },
        { description: 'Tells failure from success.' },
      ),
    }),
  ),
};

/** Field errors are field → list of texts; any other error is one text. */
function kegbotMessage({ message, fields }: AppError): unknown {
  if (fields === undefined) return message;
  return Object.fromEntries(Object.entries(fields).map(([field, fault]) => [field, [fault]]));
}
