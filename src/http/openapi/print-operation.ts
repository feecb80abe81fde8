import type Type from 'typebox';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { type ApiDefinition, bodyReadersFor, type OtherOperation } from '../routes/api-definition.ts';
import { proofSentence } from '../routes/credential-proof.ts';
import type { JsonAnswer, RawAnswer, Route } from '../routes/route.ts';
import type { OperationExamples } from './examples.ts';
import { hasEntityTag, headerParameters, headersFor } from './headers.ts';
import { exampleValues, replyExamples } from './print-examples.ts';
import type { FailurePrinter } from './print-failures.ts';
import { anyOfSchemas, type Json, type JsonObject, type SchemaPrinter } from './print-schemas.ts';
import { routeSecurity } from './security.ts';

/** The printers that the operations of one document share. */
export interface Printers {
  readonly schemas: SchemaPrinter;
  readonly failures: FailurePrinter;
}

/** Prints the operation of a route. */
export function printOperation(
  route: Route,
  api: ApiDefinition,
  { schemas, failures }: Printers,
  examples: OperationExamples = {},
): JsonObject {
  const { params, query, body } = route.accepts;
  return {
    operationId: route.id,
    tags: [toTag(route.path)],
    summary: route.summary,
    ...omitUndefined({ description: describe(route) }),
    ...(api.headers.Deprecation === undefined ? {} : { deprecated: true }),
    security: routeSecurity(route, api),
    parameters: [
      ...parameters('path', params, schemas, examples),
      ...parameters('query', query, schemas, examples),
      ...headerParameters(route, api).map((one) => ({
        ...one,
        ...exampleValues(examples, ({ headers }) => headers?.[String(one.name)]),
      })),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: bodyContents(api, route, body, schemas, examples) } }),
    responses: { ...printSuccess(route, api, schemas, examples), ...failures.print(route, examples) },
  };
}

/** The description of a route, and what it needs to write a credential. */
function describe(route: Route): string | undefined {
  const sentences = [route.description, proofSentence(route)].filter((text) => text != null);
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** Prints an operation that another handler answers. Its credentials are a bearer token, or none. */
export function printOtherOperation(other: OtherOperation, schemas: SchemaPrinter): JsonObject {
  const { id, tag, summary, description, request, replies, examples } = other;
  const content = (schema: Json, values: JsonObject) => ({ 'application/json': { schema, ...values } });
  const retryAfter = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } };
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: [{}, { bearer: [] }],
    requestBody: {
      required: true,
      content: content(
        schemas.request(request),
        exampleValues(examples, ({ body }) => body),
      ),
    },
    responses: Object.fromEntries(
      Object.entries(replies).map(([status, reply]) => [
        status,
        {
          description: reply.description,
          ...(Number(status) >= 500 ? { headers: retryAfter } : {}),
          content: content(schemas.reply(reply.body), replyExamples(examples, Number(status))),
        },
      ]),
    ),
  };
}

/** Returns the tag of a route: `drinks` for `/drinks/{id}`, `backups` for `/admin/backups`, `root` for `/`. */
export function toTag(path: string): string {
  const [first = '', second = ''] = path.split('/').slice(1);
  return (first === 'admin' ? second : first) || 'root';
}

function printSuccess(
  route: Route,
  api: ApiDefinition,
  schemas: SchemaPrinter,
  examples: OperationExamples,
): JsonObject {
  const { answer } = route;
  const status = answer.kind === 'raw' ? 200 : answer.status;
  const content =
    answer.kind === 'raw'
      ? rawContents(answer, schemas, examples)
      : {
          'application/json': {
            schema: anyOfSchemas(
              api.formats.map((format) => schemas.reply(format.okSchema(replySchema(answer, format.name)))),
            ),
            ...replyExamples(examples, status),
          },
        };
  const isTagged = hasEntityTag(route, api);
  const description = successTexts[status] ?? 'Done.';
  return {
    [status]: { description, headers: headersFor(api, status, isTagged), content },
    ...(isTagged ? { '304': { $ref: '#/components/responses/NotModified' } } : {}),
  };
}

const successTexts: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: the work goes on in the background.',
};

function rawContents(answer: RawAnswer, schemas: SchemaPrinter, examples: OperationExamples): JsonObject {
  return Object.fromEntries(
    [answer.mediaType, ...answer.otherMediaTypes].map((mediaType) => [
      mediaType,
      { ...rawSchema(mediaType, answer, schemas), ...replyExamples(examples, 200, mediaType) },
    ]),
  );
}

/** The schema of an answer that is not printed from one; none for binary data. */
function rawSchema(mediaType: string, { events }: RawAnswer, schemas: SchemaPrinter): JsonObject {
  if (events !== undefined && mediaType === 'text/event-stream')
    return { schema: eventStream(events, schemas) };
  if (mediaType === 'application/json') return { schema: { type: 'object' } };
  return /^text\/|[/+](jsonl|yaml|x-ndjson)$/.test(mediaType) ? { schema: { type: 'string' } } : {};
}

/** The schema of a stream of server-sent events: a text that consists of events, whose data are JSON. */
function eventStream(events: Readonly<Record<string, Type.TSchema>>, schemas: SchemaPrinter): JsonObject {
  const items = Object.entries(events).map(([name, data]) => ({
    type: 'object',
    required: ['event', 'data'],
    properties: {
      event: { const: name },
      data: { type: 'string', contentMediaType: 'application/json', contentSchema: schemas.reply(data) },
    },
  }));
  return {
    type: 'string',
    contentMediaType: 'text/event-stream',
    contentSchema: { type: 'array', items: anyOfSchemas(items) },
  };
}

function replySchema(answer: JsonAnswer, format: string): Type.TSchema {
  const view = answer.views[format] ?? answer.views.any;
  if (!view) throw new Error(`No view for the reply format ${format}.`);
  return view.body;
}

function parameters(
  where: 'path' | 'query',
  schema: Type.TObject | undefined,
  schemas: SchemaPrinter,
  examples: OperationExamples,
): readonly JsonObject[] {
  if (!schema) return [];
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: where,
    required: required.includes(name),
    ...printDescribed(property, schemas),
    ...exampleValues(examples, ({ params, query }) => (where === 'path' ? params : query)?.[name]),
  }));
}

/** A parameter has the description of its schema. */
function printDescribed(property: Type.TSchema, schemas: SchemaPrinter): JsonObject {
  const schema = schemas.request(property) as JsonObject;
  const { description, ...rest } = schema;
  return description === undefined ? { schema } : { description, schema: rest };
}

function bodyContents(
  api: ApiDefinition,
  route: Route,
  body: Type.TObject,
  schemas: SchemaPrinter,
  examples: OperationExamples,
): Json {
  const { files = [] } = route.accepts;
  const upload = {
    type: 'string',
    contentMediaType: 'application/octet-stream',
    description: route.largeFile
      ? `A file of at most ${route.largeFile.maxBytes} bytes.`
      : 'A picture of at most 10 MiB: JPEG, PNG, WebP, AVIF, TIFF or GIF.',
  };
  const uploads = Object.fromEntries(files.map((name) => [name, upload]));
  // One merged object instead of `allOf`: a closed object would reject the files of the other.
  const withFiles = () => schemas.request({ ...body, properties: { ...body.properties, ...uploads } });
  return Object.fromEntries(
    bodyReadersFor(api, route).map(({ mediaType }) => {
      const hasFiles = files.length > 0 && mediaType === 'multipart/form-data';
      const schema = hasFiles ? withFiles() : schemas.request(body);
      return [mediaType, { schema, ...exampleValues(examples, (example) => example.body) }];
    }),
  );
}
