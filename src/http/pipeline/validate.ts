import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type Type from 'typebox';
import { AppError } from '../../core/app-error.ts';
import type { Rule } from '../../core/reasons.ts';

/** Our additional schema keywords, for readers of the OpenAPI document. */
export const customKeywords = ['x-unit', 'x-error'] as const;

/** Bounds the size of an error answer for a body with thousands of wrong fields. */
const maxNamedFaults = 20;

// The schemas are constants and a test validates them. Validating them at the first request as well would block a small
// Pi for most of a second.
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  ownProperties: true,
  validateSchema: false,
  // An error then carries its schema, for `x-error`.
  verbose: true,
});
for (const keyword of customKeywords) ajv.addKeyword(keyword);

/** Throws `invalid_request` with a message for each invalid field. Compiles the schema on first use. */
export function validate(schema: Type.TSchema, value: unknown): void {
  const check = ajv.compile(schema);
  if (check(value)) return;
  const { fields, rules } = faultsByField(check.errors ?? []);
  const listed = Object.entries(fields)
    .slice(0, 3)
    .map(([field, fault]) => `${field} ${fault}`);
  throw new AppError('invalid_request', `The request is invalid: ${listed.join('; ')}.`, { fields, rules });
}

/** Describes how a value differs from a schema, for programmers; null when it is valid. */
export function schemaMismatch(schema: Type.TSchema, value: unknown): string | null {
  const check = ajv.compile(schema);
  return check(value) ? null : ajv.errorsText(check.errors);
}

/** The fields of a value that differ from a schema, by their names: at most three, for people. */
export function mismatchedFields(schema: Type.TSchema, value: unknown): string {
  const check = ajv.compile(schema);
  return check(value) ? '' : listFields(faultsByField(check.errors ?? []).fields);
}

/** Names of fields for a sentence, at most three. */
export const listFields = (fields: Readonly<Record<string, unknown>>): string =>
  Object.keys(fields).slice(0, 3).join(', ');

function faultsByField(errors: readonly ErrorObject[]) {
  const faults = new Map<string, ErrorObject>();
  for (const error of errors) {
    const field = toFieldName(error);
    const known = faults.get(field);
    // Of the branches of a union each has its error; the words of the whole come last.
    if (known ? !ownWords(known) && ownWords(error) : faults.size < maxNamedFaults) faults.set(field, error);
  }
  const named = [...faults].map(([field, error]) => [field, toRule(error)] as const);
  return {
    fields: Object.fromEntries([...faults].map(([field, error]) => [field, toSentence(error)])),
    rules: Object.fromEntries(named.filter((one): one is [string, Rule] => one[1] !== null)),
  };
}

/** Returns the words that the schema has for the error of its pattern or union (`errorWords`). */
const ownWords = ({ keyword, parentSchema }: ErrorObject): { allowed: string; rule?: Rule } | undefined =>
  keyword === 'pattern' || keyword === 'anyOf' ? parentSchema?.['x-error'] : undefined;

function toFieldName({ instancePath, params }: ErrorObject): string {
  const inside = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const extra: unknown = params.missingProperty ?? params.additionalProperty;
  const field = extra === undefined ? inside : [inside, String(extra)].filter(Boolean).join('.');
  // Clients may send any name; ours are short.
  return field.slice(0, 64) || 'body';
}

function toSentence(error: ErrorObject): string {
  const { keyword, params, message } = error;
  const words = ownWords(error);
  if (words) return words.allowed;
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is unknown';
    case 'type':
      return typeSentences[String(params.type)] ?? `must be ${params.type}`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'exclusiveMinimum':
      return `must be above ${params.limit}`;
    case 'minItems':
      return `must have at least ${params.limit} item(s)`;
    case 'maxItems':
      return `must have at most ${params.limit} items`;
    case 'minLength':
      return `must have at least ${params.limit} character(s)`;
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'pattern':
      return 'is not written as the API’s documentation says';
    default:
      return message ?? 'is invalid';
  }
}

/** Returns the rule for translation; null for rare ones. */
function toRule(error: ErrorObject): Rule | null {
  const { keyword, params } = error;
  const words = ownWords(error);
  if (words) return words.rule ?? null;
  switch (keyword) {
    case 'required':
      return { name: 'required' };
    case 'additionalProperties':
      return { name: 'unknown' };
    case 'type':
      return typeRules[String(params.type)] ?? null;
    case 'minimum':
      return { name: 'at_least', least: params.limit };
    case 'maximum':
      return { name: 'at_most', most: params.limit };
    case 'exclusiveMinimum':
      return { name: 'above', limit: params.limit };
    case 'exclusiveMaximum':
      return { name: 'below', limit: params.limit };
    case 'minLength':
      return { name: 'characters_at_least', least: params.limit };
    case 'maxLength':
      return { name: 'characters_at_most', most: params.limit };
    case 'enum':
      return { name: 'one_of', allowed: (params.allowedValues as unknown[]).join(', ') };
    default:
      return null;
  }
}

const typeRules: Readonly<Record<string, Rule>> = {
  integer: { name: 'whole' },
  number: { name: 'number' },
  boolean: { name: 'flag' },
  string: { name: 'text' },
};

const typeSentences: Readonly<Record<string, string>> = {
  integer: 'must be a whole number',
  number: 'must be a number',
  boolean: 'must be true or false',
  string: 'must be text',
  object: 'must be an object',
  array: 'must be a list',
};
