import { updateKeyPattern } from '../core/updates/update-source.ts';

/** The part of a JSON schema that restricts values. */
export interface ValueSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly unit?: string;
  readonly secret?: boolean;
}

/** Descriptions of patterns; a pattern that is not listed is shown itself. */
const patternDescriptions: Readonly<Record<string, string>> = {
  '^[A-Za-z0-9_-]+$': 'letters, digits, _ and -',
  '^[A-Za-z0-9_-]*$': 'letters, digits, _ and -',
  '^[!-~]*$': 'ASCII without blanks',
  '^[A-Za-z0-9._:-]*$': 'letters, digits, dots, colons, _ and -',
  '^[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*$': 'letters, digits, _ and -, in parts separated by /',
  [updateKeyPattern]: 'an Ed25519 public key in base64',
};

/** Describes the allowed values of a setting: `an integer from 0 to 63`. */
export function describeAllowed(schema: ValueSchema): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.map((choice) => String(choice)).join(', ')}`;
  switch (schema.type) {
    case 'integer':
      return `an integer${range(schema)}${unit(schema)}`;
    case 'number':
      return `a number${range(schema)}${unit(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'string':
      return `a text${characters(schema)}`;
    case 'array':
      return schema.maxItems === undefined ? 'a list' : `a list of at most ${schema.maxItems}`;
    default:
      return 'a group of settings in { }';
  }
}

function range(schema: ValueSchema): string {
  const { minimum, maximum, exclusiveMinimum } = schema;
  if (exclusiveMinimum !== undefined) {
    return maximum === undefined
      ? ` above ${exclusiveMinimum}`
      : ` above ${exclusiveMinimum} and at most ${maximum}`;
  }
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}

function unit(schema: ValueSchema): string {
  return schema.unit === undefined || schema.unit === 'ticks' ? '' : ` (${schema.unit})`;
}

function characters(schema: ValueSchema): string {
  const { minLength = 0, maxLength, pattern } = schema;
  const length = maxLength === undefined ? '' : ` of ${minLength} to ${maxLength} characters`;
  return pattern === undefined ? length : `${length} (${patternDescriptions[pattern] ?? pattern})`;
}
