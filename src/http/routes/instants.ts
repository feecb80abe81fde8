import Type from 'typebox';
import { AppError } from '../../core/app-error.ts';

/** A time as a query names it. */
export const Instant = Type.String({
  // A plus sign in a query that nobody percent-encoded arrives as a blank.
  pattern: '^(\\d{1,10}|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+ -]\\d\\d:\\d\\d))$',
  description: 'ISO 8601 with its zone, `2026-05-02T17:04:11Z`, or whole Unix seconds.',
});

/** The Unix milliseconds of an `Instant`; refuses a day or hour that no clock shows, in the field's name. */
export function parseInstant(field: string, text: string): number {
  const wallMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text.replace(' ', '+'));
  if (wallMs >= 0) return wallMs;
  const allowed = 'must be a time since 1970 that a calendar has';
  throw new AppError('invalid_request', `${field} ${allowed}.`, { fields: { [field]: allowed } });
}

/** A time span as a query names it: from `since`, before `until`. */
export function parseTimeSpan({ since, until }: { readonly since?: string; readonly until?: string }) {
  return {
    ...(since === undefined ? {} : { sinceMs: parseInstant('since', since) }),
    ...(until === undefined ? {} : { untilMs: parseInstant('until', until) }),
  };
}
