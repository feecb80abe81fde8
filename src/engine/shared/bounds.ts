import { AppError } from '../../core/app-error.ts';
import { factorRange, isCurve, type MeterCurve, maxCurvePoints } from '../../core/measurement/meter-curve.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Rule } from '../../core/reasons.ts';
import {
  type Field,
  type Fields,
  fieldDefaults,
  jsonName,
  listFields,
  type NewValues,
  type ValuesOf,
} from '../../core/records/fields.ts';
import type { SettingFault } from '../../core/settings/setting-declarations.ts';
import {
  findHiddenCharacter,
  normalizeBreaks,
  removeHiddenCharacters,
  type TextKind,
} from '../../core/text/text-rules.ts';
import type { TimeSpan } from './views.ts';

/** Most ticks stored for one pour; a meter at 1 kHz takes 24 days to reach it. */
export const maxTicks = 2 ** 31 - 1;
/** Largest single volume, mL: ten cubic metres. */
export const maxVolumeMl = 10_000_000;
/** Longest reported pour or spill, milliseconds. */
export const maxDurationMs = 24 * 3_600_000;

/** Returns the number when it is within limits; throws a validation error for the field otherwise. */
export function validateNumber(
  field: string,
  value: number,
  limits: { min: number; max: number; whole?: boolean },
): number {
  const { min, max, whole = false } = limits;
  const fits = Number.isFinite(value) && value >= min && value <= max && (!whole || Number.isInteger(value));
  // `-0` would be printed with a minus sign in some replies.
  if (fits) return value + 0;
  throw validationError(field, `must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}`, {
    name: whole ? 'whole_from_to' : 'number_from_to',
    least: min,
    most: max,
  });
}

/** Rules of a text: its length in characters, whether it may have several lines, and who wrote it. */
interface TextLimits {
  /** Default 1; 0 allows an empty text. */
  readonly min?: number;
  readonly max: number;
  /** Default `line`: line breaks become blanks. */
  readonly kind?: TextKind;
  /**
   * Hidden characters in a text typed by a person (default) are refused. They are removed from what a device or a
   * legacy client sends, since such a sender cannot correct its text and its drink would be lost.
   */
  readonly from?: 'person' | 'device';
}

/** Returns the trimmed text when its length and characters are allowed; else throws a validation error for the field. */
export function validateText(field: string, value: string, limits: TextLimits): string {
  const { min = 1, max, kind = 'line', from = 'person' } = limits;
  const clean = from === 'device' ? removeHiddenCharacters(value, kind) : normalizeBreaks(value, kind);
  const text = clean.trim();
  const hidden = findHiddenCharacter(text, kind);
  if (hidden !== null) {
    throw validationError(
      field,
      `must not contain the hidden character ${hidden}: delete it or type the text again`,
      {
        name: 'hidden_character',
        character: hidden,
      },
    );
  }
  // Counted in code points as in the database, not in UTF-16 units.
  const length = [...text].length;
  if (length >= min && length <= max) return text;
  throw validationError(field, `must be a text of ${min} to ${max} characters`, {
    name: 'text_from_to',
    least: min,
    most: max,
  });
}

/** Validates a day, `YYYY-MM-DD`. */
export function validateDate(field: string, text: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const ms = isDay ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // 30 February would be parsed as a day in March.
  if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)) return text;
  throw validationError(field, 'must be a date such as 2024-09-01', { name: 'date' });
}

/** The record as it is stored; throws `invalid_request` for a value that its declaration does not allow. */
export const validateFields = <D extends Fields>(fields: D, values: ValuesOf<D>): ValuesOf<D> =>
  Object.fromEntries(
    listFields(fields).map(([name, field]) => [
      name,
      validateField(jsonName(name, field), field, values[name]),
    ]),
  ) as ValuesOf<D>;

/** The same for a new record: what is left out gets its default. */
export const validateNew = <D extends Fields>(fields: D, values: NewValues<D>): ValuesOf<D> =>
  validateFields(fields, { ...fieldDefaults(fields), ...values } as ValuesOf<D>);

/** A text of blanks alone is an empty one. */
function validateField(name: string, field: Field, given: unknown): unknown {
  const value = typeof given === 'string' && given.trim() === '' ? '' : given;
  if (field.orNull && (value === null || value === '')) return null;
  switch (field.kind) {
    case 'choice': {
      const allowed = field.of.join(', ');
      if (field.of.includes(value as string)) return value;
      throw validationError(name, `must be one of ${allowed}`, { name: 'one_of', allowed });
    }
    case 'number':
    case 'whole': {
      const { min, max, kind } = field;
      return validateNumber(name, value as number, { min, max, whole: kind === 'whole' });
    }
    case 'date':
      return validateDate(name, value as string);
    case 'text':
    case 'lines': {
      const { pattern, allowed, toStored = (one: string) => one } = field;
      if (pattern !== undefined && !new RegExp(pattern).test(value as string))
        throw validationError(name, allowed!.fault, allowed!.rule);
      const { min, max, kind } = field;
      const text = validateText(name, toStored(value as string), {
        min,
        max,
        kind: kind === 'lines' ? 'lines' : 'line',
      });
      const fault = field.check?.(text) ?? null;
      if (fault === null) return text;
      throw validationError(name, fault.fault, fault.rule);
    }
    default:
      return value;
  }
}

/** Validates a pour id: 1 to 64 visible ASCII characters. */
export function validatePourId(value: string): string {
  if (/^[\x21-\x7e]{1,64}$/.test(value)) return value;
  throw validationError('pour_id', 'must be 1 to 64 visible ASCII characters');
}

/** Validates ticks per millilitre. */
export function validateTicksPerMl(ticksPerMl: number): number {
  return validateNumber('ticks_per_ml', ticksPerMl, factorRange);
}

/** Highest rate of a point of a curve, ticks per second; drivers count up to 10 kHz. */
export const maxCurveHz = 100_000;
/** Most ticks that a pour has besides its volume, or lacks. */
export const maxOffsetTicks = 1_000;

/** Validates a curve: 1 to 8 points in ascending order of their rate. */
export function validateCurve({ points, offsetTicks }: MeterCurve): MeterCurve {
  const offset = validateNumber('offset_ticks', offsetTicks, { min: -maxOffsetTicks, max: maxOffsetTicks });
  const validated = points.map(({ hz, ticksPerMl }, i) => ({
    hz: validateNumber(`points.${i}.hz`, hz, { min: 0.01, max: maxCurveHz }),
    ticksPerMl: validateNumber(`points.${i}.ticks_per_ml`, ticksPerMl, factorRange),
  }));
  if (isCurve(validated)) return { points: validated, offsetTicks: offset };
  throw validationError(
    'points',
    `must be 1 to ${maxCurvePoints} points, each at a higher rate than the one before`,
  );
}

/** Validates a controller's name: no dot, because a full meter name is split at the first dot. */
export function validateControllerName(name: string): string {
  const text = validateText('name', name, { max: 128 });
  if (text.includes('.'))
    throw validationError('name', 'must not contain a dot: it separates controller and port', {
      name: 'no_dot',
    });
  return text;
}

/** Error for one invalid field; `rule` names the rule for clients that use their own wording. */
export function validationError(field: string, allowed: string, rule?: Rule): AppError {
  return new AppError('invalid_request', `${field} ${allowed}.`, {
    fields: { [field]: allowed },
    ...omitUndefined({ rules: rule && { [field]: rule } }),
  });
}

/** Returns the value, or throws `not_found` naming what is missing. */
export function requireFound<T>(value: T | null, what: string): T {
  if (value === null)
    throw new AppError('not_found', `There is no ${what}.`, { reason: { name: 'not_found' } });
  return value;
}

export const hasTimeSpan = ({ sinceMs, untilMs }: TimeSpan): boolean =>
  sinceMs !== undefined || untilMs !== undefined;

/** Throws `invalid_request` with all faults of settings; null is none. */
export function rejectFaults(
  settings: readonly (readonly [name: string, fault: SettingFault | null])[],
): void {
  const faults = settings.flatMap(([name, found]) => (found === null ? [] : [{ name, ...found }]));
  if (faults.length === 0) return;
  throw new AppError(
    'invalid_request',
    `${faults.map(({ name, fault }) => `${name} ${fault}`).join('; ')}.`,
    {
      fields: Object.fromEntries(faults.map(({ name, fault }) => [name, fault])),
      rules: Object.fromEntries(
        faults.flatMap(({ name, rule }) => (rule === undefined ? [] : [[name, rule]])),
      ),
    },
  );
}
