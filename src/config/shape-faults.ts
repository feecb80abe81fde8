import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { allowedWords, type ValueSchema } from './allowed-words.ts';
import { nearWord } from './near-word.ts';
import { ConfigSchema } from './schema.ts';

/** More faults than this are one fault: the file is not a configuration of ours. */
const mostFaults = 100;

let compiled: ValidateFunction | null = null;

/**
 * Fills in every default of the schema, in place, and says in words what does not fit it. A list of no sentences means
 * that `data` has the shape of a `Config`.
 */
export function shapeFaults(data: unknown): string[] {
  compiled ??= compile();
  if (compiled(data)) return [];
  const sentences = new Set((compiled.errors ?? []).map((error) => sentence(error)));
  const all = [...sentences];
  if (all.length <= mostFaults) return all;
  return [...all.slice(0, mostFaults), `… and ${all.length - mostFaults} more faults of this kind.`];
}

function compile(): ValidateFunction {
  // The default export of a CommonJS module: its class hangs one level deeper in some loaders.
  const Ajv = Ajv2020.default;
  const ajv = new Ajv({ allErrors: true, useDefaults: true, verbose: true });
  ajv.addVocabulary(['unit']);
  return ajv.compile(ConfigSchema);
}

function sentence(error: ErrorObject): string {
  const path = pathWords(error.instancePath);
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey(path, String(error.params.additionalProperty), error.parentSchema);
    case 'required':
      return `${joined(path, String(error.params.missingProperty))} is missing.`;
    default: {
      const name = path === '' ? 'The configuration' : path;
      return `${name} must be ${allowedWords(error.parentSchema as ValueSchema)}, not ${shown(error.data)}.`;
    }
  }
}

function unknownKey(path: string, key: string, parent: unknown): string {
  const known = Object.keys((parent as { properties?: object } | undefined)?.properties ?? {});
  const name = joined(path, key);
  const meant = nearWord(key, known);
  if (meant !== null) return `${name} is not a setting; did you mean ${joined(path, meant)}?`;
  const elsewhere = homeOf(key);
  if (elsewhere !== null) return `${name} is not a setting; did you mean ${elsewhere}?`;
  return `${name} is not a setting${path === '' ? '' : ` of ${path}`}; known are ${known.join(', ')}.`;
}

/** The full name of a setting that stands in some section: a key may only be in the wrong place. */
function homeOf(key: string): string | null {
  for (const [section, schema] of Object.entries(ConfigSchema.properties)) {
    if ('properties' in schema && Object.hasOwn(schema.properties, key)) return `${section}.${key}`;
  }
  return null;
}

/** `/meters/1/pin` → `meters[1].pin`. */
export function pathWords(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : joined(path, part)), '');
}

function joined(path: string, key: string): string {
  const name = /^[\w-]{1,64}$/.test(key) ? key : JSON.stringify(key.slice(0, 64));
  return path === '' ? name : `${path}.${name}`;
}

function shown(data: unknown): string {
  if (Array.isArray(data)) return data.length === 0 ? 'an empty list' : `a list of ${data.length}`;
  if (typeof data === 'object' && data !== null) return 'a group in { }';
  const text = JSON.stringify(data) ?? String(data);
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
}
