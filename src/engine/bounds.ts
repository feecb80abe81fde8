import { AppError } from '../core/app-error.ts';
import type { Rule } from '../core/reasons.ts';
import type { Page, PageRequest } from './views.ts';

/** The largest count of ticks kept with one pour; a meter at 1 kHz needs 24 days for it. */
export const maxTicks = 2 ** 31 - 1;
/** The largest single volume, millilitres: ten cubic metres. */
export const maxVolumeMl = 10_000_000;
/** The longest pour or spill anybody may claim, milliseconds. */
export const maxDurationMs = 24 * 3_600_000;
/** The largest id SQLite gives. */
const maxId = Number.MAX_SAFE_INTEGER;

/** A number within limits; anything else is refused in the field's own name. */
export function validateNumber(
  field: string,
  value: number,
  limits: { min: number; max: number; whole?: boolean },
): number {
  const { min, max, whole = false } = limits;
  const fits = Number.isFinite(value) && value >= min && value <= max && (!whole || Number.isInteger(value));
  // `-0` would print as a minus in some answers.
  if (fits) return value + 0;
  throw validationError(field, `must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}`, {
    name: whole ? 'whole_from_to' : 'number_from_to',
    least: min,
    most: max,
  });
}

/** A text within limits, blanks at its ends cut off; `min` 0 allows it to be empty. */
export function validateText(field: string, value: string, limits: { min?: number; max: number }): string {
  const { min = 1, max } = limits;
  const text = value.trim();
  // Counted in characters as the ledger counts them, not in UTF-16 units.
  const length = [...text].length;
  if (length >= min && length <= max && !text.includes('\0')) return text;
  throw validationError(field, `must be a text of ${min} to ${max} characters`, {
    name: 'text_from_to',
    least: min,
    most: max,
  });
}

/** A pour's id: 1 to 64 visible characters. */
export function validatePourId(value: string): string {
  if (/^[\x21-\x7e]{1,64}$/.test(value)) return value;
  throw validationError('pour_id', 'must be 1 to 64 visible ASCII characters');
}

/** Ticks per millilitre within what any meter can do. */
export function validateTicksPerMl(ticksPerMl: number): number {
  return validateNumber('ticks_per_ml', ticksPerMl, { min: 0.001, max: 1_000 });
}

/** A controller's name: no dot, since a full meter name is cut at its first one. */
export function validateControllerName(name: string): string {
  const text = validateText('name', name, { max: 128 });
  if (text.includes('.'))
    throw validationError('name', 'must not contain a dot: it parts controller and port', { name: 'no_dot' });
  return text;
}

/** Refuses a request for one field's sake; a rule that pages say in words of their own is named. */
export function validationError(field: string, allowed: string, rule?: Rule): AppError {
  return new AppError('invalid_request', `${field} ${allowed}.`, {
    fields: { [field]: allowed },
    ...(rule && { rules: { [field]: rule } }),
  });
}

/** The object, or a refusal that names what is missing. */
export function requireFound<T>(value: T | null, what: string): T {
  if (value === null)
    throw new AppError('not_found', `There is no ${what}.`, { reason: { name: 'not_here' } });
  return value;
}

/** Reads one page of a list whose ids descend. */
export function readPage<T>(
  request: PageRequest,
  total: number,
  read: (from: number, limit: number) => readonly T[],
): Page<T> {
  const limit = validateNumber('limit', request.limit ?? 100, { min: 1, max: 1_000, whole: true });
  const pos = validateNumber('start', request.start ?? 0, { min: 0, max: maxId, whole: true });
  return { total, limit, pos, items: read(pos === 0 ? maxId : pos, limit) };
}

/** The page, whose total is at least what it shows: counting stops somewhere, and a page may find more. */
export function withMinimumTotal<T>(page: Page<T>): Page<T> {
  return page.items.length > page.total ? { ...page, total: page.items.length } : page;
}
