import { address } from '../place.ts';
import { words } from '../words/house.ts';
import type { FieldSpec } from './form.tsx';

/** A setting as the document of the API declares it. */
export interface Setting {
  readonly name: string;
  readonly type: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Every setting that can be changed, in its declared order; none when the document cannot be had. */
export async function declaredSettings(): Promise<readonly Setting[]> {
  try {
    const reply = await fetch(address('/api/schema'));
    const document: unknown = await reply.json();
    const steps = ['paths', '/api/site', 'patch', 'requestBody', 'content', 'application/json', 'schema'];
    const properties = [...steps, 'properties'].reduce(memberOf, document);
    return Object.entries(properties ?? {}).map(([name, schema]) => ({ ...(schema as Setting), name }));
  } catch {
    return [];
  }
}

/** The field in which a setting is changed. */
export function fieldOf({ name, type, ...bounds }: Setting, value: unknown): FieldSpec {
  const label = words.settings[name] ?? name;
  if (bounds.enum) {
    const options = Object.fromEntries(bounds.enum.map((one) => [one, words.choices[one] ?? one]));
    return { kind: 'choice', name, label, value: String(value), options };
  }
  if (type === 'boolean') return { kind: 'flag', name, label, value: value === true };
  if (type === 'integer' || type === 'number') {
    const { minimum: min, maximum: max } = bounds;
    const kind = type === 'integer' ? 'whole' : 'number';
    return {
      kind,
      name,
      label,
      value: Number(value),
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
    };
  }
  const { minLength = 0, maxLength = 255 } = bounds;
  return { kind: 'text', name, label, value: String(value), minLength, maxLength };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
