import Type, { type Static } from 'typebox';
import { AppError } from '../../core/app-error.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Rule } from '../../core/rules/reasons.ts';
import { validate } from '../pipeline/validate.ts';
import type { RouteContext } from './route-context.ts';
import { Id, Open, PourId } from './schemas.ts';

/** An id in a request: a number or its decimal text. */
export const AnyId = Type.Union([Id, Type.String({ pattern: '^[1-9]\\d{0,14}$' })], {
  description: 'Identifier, a positive whole number or its decimal text.',
});

/** Converts an `AnyId` to a number. */
export const toId = (id: Static<typeof AnyId>): number => Number(id);

/** A time in a query. */
export const Instant = Type.String({
  // An unencoded plus sign in a query arrives as a blank.
  pattern: '^(\\d{1,10}|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+ -]\\d\\d:\\d\\d))$',
  description: 'ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds.',
});

/** Parses an `Instant` to Unix milliseconds. Throws `invalid_request` for an impossible date or time. */
export function parseInstant(field: string, text: string): number {
  const wallMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text.replace(' ', '+'));
  if (wallMs >= 0) return wallMs;
  const allowed = 'must be a time since 1970 that a calendar has';
  throw new AppError('invalid_request', `${field} ${allowed}.`, { fields: { [field]: allowed } });
}

/** Parses a time span of a query: from `since` on, before `until`. */
export function parseTimeSpan({ since, until }: { readonly since?: string; readonly until?: string }) {
  return omitUndefined({
    sinceMs: since === undefined ? undefined : parseInstant('since', since),
    untilMs: until === undefined ? undefined : parseInstant('until', until),
  });
}

export const IdempotencyHeader = Open({ 'Idempotency-Key': PourId });

/** Returns the client's name for its request, by which a repetition is detected; undefined without one. */
export function idempotencyKey({ header }: RouteContext): string | undefined {
  const key = header('idempotency-key')?.trim();
  if (!key) return undefined;
  validate(IdempotencyHeader, { 'Idempotency-Key': key });
  return key;
}

/** Creates an `invalid_request` error for one field; `allowed` follows the field's name, as in `must be the id of a keg`. */
export const validationError = (field: string, allowed: string, rule?: Rule): AppError =>
  new AppError('invalid_request', `${field} ${allowed}.`, {
    fields: { [field]: allowed },
    ...omitUndefined({ rules: rule && { [field]: rule } }),
  });
