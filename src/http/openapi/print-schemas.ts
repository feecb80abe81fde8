import { schemaName } from '../routes/schemas.ts';

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

type Direction = 'request' | 'reply';

/** Prints schemas for one document. */
export interface SchemaPrinter {
  /** The schema of an input, which refuses what it does not name. */
  request(schema: object): Json;
  /** The schema of a reply: objects may have further properties, since later versions add some. */
  reply(schema: object): Json;
  /** The named schemas printed so far, by name. */
  components(): JsonObject;
}

/** Creates a printer. A named schema becomes one component and references; a name may be used for one schema only. */
export function createSchemaPrinter(): SchemaPrinter {
  const components = new Map<
    string,
    { readonly text: string; readonly direction: Direction; printed: Json }
  >();
  /** Names of schemas that are known to be equal to the component of that name. */
  const checked = new WeakMap<object, Direction>();

  function print(value: unknown, direction: Direction, isTop = false): Json {
    if (typeof value !== 'object' || value === null) return value as Json;
    if (Array.isArray(value)) return value.map((item) => print(item, direction));
    const name = isTop ? undefined : schemaName(value);
    if (name !== undefined) return reference(name, value, direction);
    const printed: Record<string, Json> = {};
    for (const [key, inner] of Object.entries(value)) {
      if (key !== 'additionalProperties' || inner !== false || direction === 'request')
        printed[key] = print(inner, direction);
    }
    return printed;
  }

  function reference(name: string, schema: object, direction: Direction): Json {
    if (checked.get(schema) !== direction) {
      const text = JSON.stringify(schema);
      const known = components.get(name);
      if (known && known.text !== text) throw new Error(`Two different schemas are named ${name}.`);
      if (known && known.direction !== direction)
        throw new Error(`The schema ${name} is used in a request and in a reply.`);
      checked.set(schema, direction);
      if (!known) {
        const entry = { text, direction, printed: {} as Json };
        components.set(name, entry);
        entry.printed = print(schema, direction, true);
      }
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  return {
    request: (schema) => print(schema, 'request'),
    reply: (schema) => print(schema, 'reply'),
    components: () => Object.fromEntries([...components].map(([name, { printed }]) => [name, printed])),
  };
}

/** One of several schemas; the schema itself if there is one only. */
export const anyOfSchemas = (schemas: readonly Json[]): Json =>
  schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
