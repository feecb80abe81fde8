import { t } from '../../locales/locale.ts';
import type { FieldSpec } from './field-spec.ts';
import { formatFieldNumber } from './form-fields.tsx';

type Value = string | number | boolean | null;

/** What is typed in a form: its values, and why some are refused. */
interface Typed {
  readonly values: Readonly<Record<string, Value>>;
  readonly inputErrors: Readonly<Record<string, string>>;
}

/** Reads the values of the fields from what is typed, without the fields that keep theirs themselves. */
export function readForm(fields: readonly FieldSpec[], form: FormData): Typed {
  const values: Record<string, Value> = {};
  const inputErrors: Record<string, string> = {};
  for (const field of fields) {
    if (field.kind === 'custom') continue;
    const input = String(form.get(field.name) ?? '');
    const text = field.kind === 'password' ? input : input.trim();
    if (field.kind === 'flag') values[field.name] = form.has(field.name);
    else if (text === '' && 'optional' in field && field.optional === 'null') values[field.name] = null;
    else if (text === '' && 'optional' in field && field.optional !== 'empty') continue;
    else if (field.kind === 'whole' || field.kind === 'number') {
      const number = Number(text.replace(',', '.'));
      const fault = numberFault(number, field);
      if (fault === null) values[field.name] = number;
      else inputErrors[field.name] = fault;
    } else values[field.name] = text;
  }
  return { values, inputErrors };
}

/** The inputs that the fields of a form name. */
export function listInputs(form: HTMLFormElement, fields: readonly FieldSpec[]) {
  return fields.flatMap((field) => {
    const input = field.kind === 'custom' ? null : form.elements.namedItem(field.name);
    return isInput(input) ? [{ field, input }] : [];
  });
}

/** True if the input has another value than the record has. */
export const isTyped = (input: FormInput): boolean => typedIn(input) !== defaultOf(input);

/** Reads the values of the record, as the form shows them while nothing is typed. */
export function readDefaults(form: HTMLFormElement, fields: readonly FieldSpec[]): Typed {
  const data = new FormData();
  for (const { field, input } of listInputs(form, fields)) {
    const value = defaultOf(input);
    if (value !== null) data.set(field.name, value);
  }
  return readForm(fields, data);
}

/** Makes what is typed the value that the form shows from now on, until the record is read again; a password is forgotten. */
export function keepTyped(form: HTMLFormElement, fields: readonly FieldSpec[]) {
  for (const { field, input } of listInputs(form, fields))
    if (field.kind !== 'password') setDefault(input, typedIn(input));
  form.reset();
}

/** Makes the record's values those that the form shows where nothing is typed. */
export function showRecord(form: HTMLFormElement, fields: readonly FieldSpec[]) {
  for (const { field, input } of listInputs(form, fields)) {
    const isUntouched = !isTyped(input);
    setDefault(input, storedIn(field, input));
    if (isUntouched) takeDefault(input);
  }
}

/** Puts the record's value in place of what is typed. An input in which nothing is typed follows the record by itself. */
export function takeDefault(input: FormInput) {
  if (!isTyped(input)) return;
  if (input instanceof HTMLSelectElement) input.value = defaultOf(input) ?? '';
  else if (input instanceof HTMLInputElement && input.type === 'checkbox')
    input.checked = input.defaultChecked;
  else input.value = input.defaultValue;
}

/** An input whose value a form sends. */
type FormInput = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** True for an input whose value a form sends. */
export const isInput = (one: unknown): one is FormInput =>
  one instanceof HTMLInputElement || one instanceof HTMLSelectElement || one instanceof HTMLTextAreaElement;

/** What an input has now; null for a box that is not checked. */
function typedIn(input: FormInput): string | null {
  if (input instanceof HTMLInputElement && input.type === 'checkbox')
    return input.checked ? input.value : null;
  return input.value;
}

/** What an input shows while nothing is typed; null for a box that is not checked. */
export function defaultOf(input: FormInput): string | null {
  if (input instanceof HTMLSelectElement)
    return ([...input.options].find((option) => option.defaultSelected) ?? input.options[0])?.value ?? '';
  if (input instanceof HTMLInputElement && input.type === 'checkbox')
    return input.defaultChecked ? input.value : null;
  return input.defaultValue;
}

function setDefault(input: FormInput, value: string | null) {
  if (input instanceof HTMLSelectElement)
    for (const option of input.options) option.defaultSelected = option.value === value;
  else if (input instanceof HTMLInputElement && input.type === 'checkbox')
    input.defaultChecked = value !== null;
  else input.defaultValue = value ?? '';
}

/** The value of the record as its input shows it; null for a box that is not checked. */
function storedIn(field: FieldSpec, input: FormInput): string | null {
  if (field.kind === 'custom') return null;
  if (field.kind === 'flag') return field.value ? input.value : null;
  if (field.value == null) return '';
  return field.kind === 'whole' || field.kind === 'number'
    ? formatFieldNumber(field.value, field)
    : String(field.value);
}

/** Why the number is not allowed; null when it is. */
function numberFault(number: number, field: Extract<FieldSpec, { kind: 'whole' | 'number' }>): string | null {
  const { kind, min, max } = field;
  if (!Number.isFinite(number)) return t('common.notANumber');
  if (kind === 'whole' && !Number.isInteger(number)) return t('common.notWhole');
  const isOutside = (min !== undefined && number < min) || (max !== undefined && number > max);
  if (!isOutside) return null;
  const format = (limit: number) => formatFieldNumber(limit, field);
  if (max !== undefined && min !== undefined)
    return t('common.outOfRange', { min: format(min), max: format(max) });
  if (max !== undefined) return t('common.atMost', { max: format(max) });
  return min === undefined ? null : t('common.atLeast', { min: format(min) });
}
