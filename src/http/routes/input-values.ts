import Type, { type Static } from 'typebox';
import { AppError } from '../../core/app-error.ts';
import { parseTime, timePattern, timesEndMs } from '../../core/clock/parse-time.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Rule } from '../../core/reasons.ts';
import type { Engine } from '../../engine/engine.ts';
import { validate } from '../pipeline/validate.ts';
import type { RouteContext } from './route-context.ts';
import { errorWords, Id, Maybe, Open, PourId } from './schemas.ts';

/** An id in a request: a number or its decimal text. */
export const AnyId = Type.Union([Id, Type.String({ pattern: '^[1-9]\\d{0,14}$' })], {
  description: 'Identifier, a positive whole number or its decimal text.',
  ...errorWords('must be a positive whole number', { name: 'whole' }),
});

/** An `AnyId` in a path or query, where texts are converted to numbers before the check. */
export const IdParam = Type.Unsafe<number>(AnyId);

/** A thermo sensor in a body. */
export const AnySensorRef = Type.Union([Id, Type.String({ minLength: 1, maxLength: 256 })], {
  description: 'A thermo sensor: its id as number or text, its raw name or its display name.',
  ...errorWords('must be the id or name of a thermo sensor', { name: 'exists', what: 'thermometer' }),
});

/** Converts an `AnyId` to a number. */
export const toId = (id: Static<typeof AnyId>): number => Number(id);

const timeWords =
  'must be a time from 1970 to 2100, such as 2026-05-02T17:04:11Z, 2026-05-02T19:04:11+02:00, ' +
  '2026-05-02T19:04:11 in the site’s time zone, or 1777741451 in Unix seconds';

/** A time in a query or body, everywhere in the current API; `parseInstant` converts it. `meaning` is a sentence. */
export const Instant = (meaning: string) =>
  Type.Union(
    [
      Type.Integer({ minimum: 0, maximum: timesEndMs / 1000 - 1, 'x-unit': 's' }),
      Type.String({ pattern: timePattern }),
    ],
    {
      description:
        `${meaning} A time from 1970 to 2100: RFC 3339 such as \`2026-05-02T17:04:11Z\`, or whole Unix seconds as number or ` +
        'text. Without a zone it is in the site’s time zone: a time that occurs twice when clocks go back means the first, ' +
        'one that is skipped when they go forward is read with the offset before the change. Seconds may be left out; a ' +
        'date alone is not a time.',
      ...errorWords(timeWords, { name: 'time' }),
    },
  );

/** Converts an `Instant` to Unix milliseconds. Throws `invalid_request` for a date or hour that no calendar has. */
export function parseInstant(
  engine: Engine,
  field: string,
  value: Static<ReturnType<typeof Instant>>,
): number {
  const wallMs = parseTime(value, engine.users.site().timeZone);
  if (wallMs === null) throw validationError(field, timeWords, { name: 'time' });
  return wallMs;
}

/** Query fields of a time span; `parseTimeSpan` converts them. */
export const timeSpanFields = {
  since: Maybe(Instant('Only from this time on.')),
  until: Maybe(Instant('Only before this time.')),
};

type TimeSpanQuery = Static<Type.TObject<typeof timeSpanFields>>;

/** Converts the time span of a query to Unix milliseconds: from `sinceMs` on, before `untilMs`. */
export function parseTimeSpan(engine: Engine, { since, until }: TimeSpanQuery) {
  return omitUndefined({
    sinceMs: since === undefined ? undefined : parseInstant(engine, 'since', since),
    untilMs: until === undefined ? undefined : parseInstant(engine, 'until', until),
  });
}

export const IdempotencyHeader = Open({ 'Idempotency-Key': PourId });

/** Returns the client's name for its request, by which a repetition is detected; undefined without one. */
export const idempotencyKey = ({ header }: RouteContext): string | undefined =>
  parseIdempotencyKey(header('idempotency-key'));

/** Parses the header `Idempotency-Key`; undefined if it is absent or empty. Throws `invalid_request`. */
export function parseIdempotencyKey(value: string | undefined): string | undefined {
  const key = value?.trim();
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
