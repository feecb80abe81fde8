import Type from 'typebox';
import { AppError } from '../../core/app-error.ts';

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
  return {
    ...(since === undefined ? {} : { sinceMs: parseInstant('since', since) }),
    ...(until === undefined ? {} : { untilMs: parseInstant('until', until) }),
  };
}
