import fc from 'fast-check';
import type { Operation } from '../openapi/openapi-faults.ts';
import type { Caller } from './callers.ts';
import { type Form, forms, isForm, toFormData } from './forms.ts';
import { invalidInputs, type Resolve, type Schema, validValues } from './from-schema.ts';

/** One operation of a document. */
export interface NamedOperation {
  /** Method and path. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** How a request is made: with every parameter, with the required ones only, or with some, valid or not. */
export type Variant = 'full' | 'smallest' | 'random';

/** A request made from an operation; its body is not encoded yet. */
export interface DocumentRequest {
  readonly caller: Caller;
  readonly path: Values;
  readonly query: Values;
  readonly header: Values;
  readonly mediaType: string | null;
  readonly body: unknown;
  /** Text to send instead of the encoded body. */
  readonly brokenBody: string | null;
}

type Values = Readonly<Record<string, unknown>>;
type Where = 'path' | 'query' | 'header';

/** What the values of a request are made from. */
export interface Source {
  readonly resolve: Resolve;
  readonly isValid: (schema: Schema, value: unknown) => boolean;
  /** Values of earlier answers. */
  readonly known: readonly unknown[];
  /** Those for a property of that name. */
  readonly named: (name: string) => readonly unknown[];
}

export const multipart = 'multipart/form-data';
const urlencoded = 'application/x-www-form-urlencoded';
const json = 'application/json';

/** Generates requests of one operation. `turn` chooses the media type of the body in order. */
export function documentRequests(
  { operation }: NamedOperation,
  { variant, turn, callers }: { variant: Variant; turn: number; callers: fc.Arbitrary<Caller> },
  source: Source,
): fc.Arbitrary<DocumentRequest> {
  const mediaTypes = Object.keys(operation.requestBody?.content ?? {});
  const mediaType = mediaTypes.length === 0 ? null : mediaTypes[turn % mediaTypes.length]!;
  const values = (where: Where) => inputs(parametersSchema(operation, where), { variant, source });
  const bodySchema = mediaType === null ? undefined : operation.requestBody!.content[mediaType]!.schema;
  const body =
    bodySchema === undefined
      ? fc.constant(undefined)
      : mediaType === multipart
        ? multipartBodies(bodySchema as Schema, { variant, source })
        : inputs(bodySchema as Schema, { variant, source });
  const brokenBodies = fc.option(
    fc.oneof(fc.constantFrom('{', '[]', '"text"', 'a=%zz', '--x\r\n', '{"a":1,"a":2}'), fc.string()),
    { freq: 24 },
  );
  return fc.record({
    caller: callers,
    path: values('path'),
    query: values('query'),
    header: values('header'),
    mediaType: fc.constant(mediaType),
    body,
    brokenBody: variant === 'random' && mediaType !== null ? brokenBodies : fc.constant(null),
  });
}

/** Returns the parameters of one place as the schema of an object. */
export function parametersSchema({ parameters = [] }: Operation, where: Where): Schema {
  const ours = parameters.filter((one) => one.in === where);
  return {
    type: 'object',
    properties: Object.fromEntries(ours.map(({ name, schema }) => [name, schema as Schema])),
    required: ours.filter((one) => one.required === true).map(({ name }) => name),
  };
}

interface Making {
  readonly variant: Variant;
  readonly source: Source;
}

/** Generates the values of an object's properties. Random ones are sometimes wrong in one place. */
function inputs(schema: Schema, { variant, source }: Making): fc.Arbitrary<Values> {
  const { resolve, known } = source;
  const { properties = {}, required = [] } = resolve(schema);
  const names = Object.keys(properties);
  const value = (name: string): fc.Arbitrary<unknown> => {
    const any = validValues(properties[name]!, resolve, known);
    const existing = source.named(name).filter((one) => source.isValid(properties[name]!, one));
    return existing.length === 0
      ? any
      : fc.oneof({ arbitrary: fc.constantFrom(...existing), weight: 5 }, any);
  };
  const values = (requiredKeys: readonly string[], kept = names): fc.Arbitrary<Values> =>
    fc.record(Object.fromEntries(kept.map((name) => [name, value(name)])), {
      requiredKeys: [...requiredKeys],
      noNullPrototype: true,
    });
  if (variant === 'full') return values(names);
  if (variant === 'smallest') return values(required, [...required]);
  const valid = values(required);
  const nearlyValid = values(names).chain((good) => {
    const invalid = invalidInputs(schema, { good, isValid: source.isValid, resolve });
    return invalid.length === 0 ? fc.constant(good) : fc.constantFrom(...invalid.map(({ value }) => value));
  });
  return fc.oneof({ arbitrary: valid, weight: 4 }, nearlyValid);
}

function multipartBodies(schema: Schema, { variant, source }: Making): fc.Arbitrary<Form> {
  const { resolve, known } = source;
  const { properties = {}, required = [], ...rest } = resolve(schema);
  if (variant === 'random') return forms(schema, resolve, known);
  const names = Object.keys(properties);
  const kept = variant === 'full' ? names : required;
  return forms(
    {
      ...rest,
      properties: Object.fromEntries(kept.map((name) => [name, properties[name]!])),
      required: kept,
    },
    resolve,
    known,
    { isExact: true },
  );
}

/** Returns the address of a request below the server's URL. */
export function toAddress(path: string, request: Pick<DocumentRequest, 'path' | 'query'>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(toSegment(request.path[name])),
  );
  const pairs = Object.entries(request.query).map(([name, value]) => [name, toText(value)]);
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}

/** Encodes the body; undefined without one. */
export function encodeBody({ mediaType, body, brokenBody }: DocumentRequest): string | FormData | undefined {
  if (mediaType === null) return undefined;
  if (brokenBody !== null) return toText(brokenBody);
  if (isForm(body)) return toFormData(body);
  if (mediaType === json) return JSON.stringify(body);
  const pairs = Object.entries(body as Values).map(([name, value]) => [name, toText(value)]);
  return `${new URLSearchParams(pairs)}`;
}

/** Returns the headers of a request without its credentials. */
export function toHeaders(request: DocumentRequest): Record<string, string> {
  const headers = Object.fromEntries(
    Object.entries(request.header)
      .map(([name, value]) => [name, toText(value).replace(/[^\t -~]/g, '')] as const)
      .filter(([, text]) => text !== ''),
  );
  const { mediaType, brokenBody } = request;
  if (mediaType === json || mediaType === urlencoded) headers['Content-Type'] = mediaType;
  if (mediaType === multipart && brokenBody !== null) headers['Content-Type'] = `${multipart}; boundary=x`;
  return headers;
}

/** Converts a value to a text; lone surrogates cannot be sent. */
const toText = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\p{Surrogate}/gu, '');

/** Converts a value to a path segment; an empty one, `.` and `..` would change the address. */
function toSegment(value: unknown): string {
  const text = toText(value);
  return text === '' || /^\.\.?$/.test(text) ? 'nothing' : text;
}
