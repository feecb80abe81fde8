/** The part of an OpenAPI document that becomes types. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly summary: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly description?: string;
}

const head = `// Written by \`node tools/make-client.mjs\` from the routes of the current API. Do not edit.
`;

/**
 * Generates TypeScript types from an API's OpenAPI document: input and result of each operation, by method and path.
 * There are only types, so the page's bundle does not grow.
 */
export function clientTypes(printed: unknown, prefix: string): string {
  const document = printed as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path.slice(prefix.length)}`,
      operation,
    })),
  );
  const calls = operations.filter(({ operation }) => findResult(operation) !== null);
  const files = operations.filter(({ operation }) => findResult(operation) === null);
  return [
    head,
    ...Object.entries(document.components.schemas).map(namedType),
    '/** Operations with a JSON answer. */',
    `export interface Operations {\n${calls.map(operationType).join('')}}\n`,
    '/** Operations with another answer: pictures, tables, streams, documents. */',
    `export interface Files {\n${files.map(operationType).join('')}}\n`,
  ].join('\n');
}

function namedType([name, schema]: readonly [string, Schema]): string {
  return `${comment(schema, '')}export type ${name} = ${toType(schema, '')};\n`;
}

function operationType({
  name,
  operation,
}: {
  readonly name: string;
  readonly operation: Operation;
}): string {
  const { summary, parameters, requestBody } = operation;
  const parametersIn = (where: string) =>
    parametersType(parameters.filter((parameter) => parameter.in === where));
  const result = findResult(operation);
  const members = [
    ['path', parametersIn('path')],
    ['query', parametersIn('query')],
    ['body', requestBody === undefined ? null : bodyType(requestBody.content)],
    ['result', result === null ? null : toType(result, '    ')],
  ] as const;
  const lines = members.flatMap(([member, type]) =>
    type === null ? [] : `    readonly ${member}: ${type};\n`,
  );
  return `  /** ${summary}. */\n  readonly '${name}': {\n${lines.join('')}  };\n`;
}

function parametersType(parameters: Operation['parameters']): string | null {
  if (parameters.length === 0) return null;
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  return toType({ type: 'object', properties, required }, '    ');
}

/** Returns the type of a body; one with files is `FormData`. */
function bodyType(content: Content): string {
  const schema = content['application/json']?.schema;
  return schema === undefined ? 'FormData' : toType(schema, '    ');
}

/** Returns the schema of `result` in a JSON answer; null for other answers. */
function findResult({ responses }: Operation): Schema | null {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  return success?.content['application/json']?.schema?.properties?.result ?? null;
}

function toType(schema: Schema, indent: string): string {
  const { $ref, anyOf, type, items } = schema;
  if ($ref !== undefined) return $ref.slice('#/components/schemas/'.length);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (anyOf !== undefined) return [...new Set(anyOf.map((one) => toType(one, indent)))].join(' | ');
  if (Array.isArray(type)) return type.map((one) => toType({ ...schema, type: one }, indent)).join(' | ');
  switch (type) {
    case 'integer':
      return 'number';
    case 'number':
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return `readonly ${parenthesize(items === undefined ? 'unknown' : toType(items, indent))}[]`;
    case 'object':
      return objectType(schema, indent);
    default:
      return 'unknown';
  }
}

function objectType({ properties = {}, required = [], ...schema }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(property, inner)}${inner}readonly ${toPropertyName(name)}${mark}: ${toType(property, inner)};\n`;
  });
  const further = additionalType(schema, indent);
  if (members.length > 0) return `{\n${members.join('')}${indent}}`;
  return further ?? 'Readonly<Record<string, never>>';
}

/** Returns the type of an object with arbitrary names, such as user names. */
function additionalType({ patternProperties, additionalProperties }: Schema, indent: string): string | null {
  const values = Object.values(patternProperties ?? {});
  if (typeof additionalProperties === 'object') values.push(additionalProperties);
  if (values.length === 0) return additionalProperties === true ? 'Readonly<Record<string, unknown>>' : null;
  return `Readonly<Record<string, ${values.map((value) => toType(value, indent)).join(' | ')}>>`;
}

const comment = ({ description }: Schema, indent: string): string =>
  description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '* /')} */\n`;

const toPropertyName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : literal(name));

const literal = (value: unknown): string => {
  if (typeof value !== 'string') return JSON.stringify(value);
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
};

const parenthesize = (type: string): string =>
  /^[\w.]+$/.test(type) || /^\{[^|]*\}$/.test(type) ? type : `(${type})`;
