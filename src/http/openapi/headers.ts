import { type ApiDefinition, acceptsLogins } from '../routes/api-definition.ts';
import type { Route } from '../routes/route.ts';
import { readOf, takesIdempotencyKey } from '../routes/route-errors.ts';
import { PourId } from '../routes/schemas.ts';
import type { JsonObject } from './print-schemas.ts';

/** Response headers, as components of a document. */
const responseHeaders = {
  RateLimit: {
    description:
      'What is left of each rate limit that applied: `r` requests in the next `t` seconds ' +
      '(draft-ietf-httpapi-ratelimit-headers-10). Absent if the limits are switched off.',
    schema: { type: 'string' },
    example: '"reads"; r=5999; t=10',
  },
  'RateLimit-Policy': {
    description:
      'The rate limits that applied: `q` requests in `w` seconds; `pk` tells apart who is limited. Absent if the limits ' +
      'are switched off.',
    schema: { type: 'string' },
    example: '"reads"; q=6000; w=10; pk=:MTJjYTE3YjQ5YWYy:',
  },
  'Retry-After': {
    description: 'Seconds after which to send the request again.',
    required: true,
    schema: { type: 'integer', minimum: 0, 'x-unit': 's' },
    example: 5,
  },
  'WWW-Authenticate': {
    description:
      'Always `Bearer`: a browser would show its own dialog for `Basic`, which is accepted as well.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer',
  },
  ETag: {
    description:
      'Entity tag of the reply: in `If-None-Match` of the next read it saves sending the same reply again, in `If-Match` of a ' +
      'write it makes sure that nobody else has changed the object meanwhile.',
    schema: { type: 'string' },
    example: '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
  Deprecation: {
    description: 'The API is deprecated: new clients should use the current one, `/api/`.',
    required: true,
    schema: { type: 'string', const: 'true' },
  },
} as const;

type HeaderName = keyof typeof responseHeaders;

const isDeprecated = (api: ApiDefinition): boolean => api.headers.Deprecation !== undefined;

/** True if the replies of a read have entity tags. */
export const hasEntityTag = ({ method, answer }: Route, api: ApiDefinition): boolean =>
  api.entityTags === true && method === 'get' && (answer.kind === 'json' || answer.hasEntityTag);

/** The headers of the answers of an API with this status; `isTagged` if they have an entity tag. */
export function headersFor(api: ApiDefinition, status: number, isTagged = false): JsonObject {
  const names: HeaderName[] = [
    ...(isDeprecated(api) ? (['Deprecation'] as const) : []),
    'RateLimit',
    'RateLimit-Policy',
    ...(isTagged ? (['ETag'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The header components of an API. */
export const headerComponents = (api: ApiDefinition): JsonObject =>
  Object.fromEntries(
    Object.entries(responseHeaders)
      .filter(([name]) => name !== 'Deprecation' || isDeprecated(api))
      .filter(([name]) => name !== 'ETag' || api.entityTags === true),
  );

/** The header parameters of a route; credentials are security schemes. */
export function headerParameters(route: Route, api: ApiDefinition): readonly JsonObject[] {
  return [
    ...(takesIdempotencyKey(route, api) ? [idempotencyKey(route)] : []),
    ...(hasEntityTag(route, api) ? [ifNoneMatch] : []),
    ...(readOf(route, api) === null ? [] : [ifMatch]),
    ...(route.byPin && acceptsLogins(api, route) ? [pinUnlock] : []),
  ];
}

/** A key may be what the id of a pour may be. */
const { description: _description, 'x-error': _words, ...keySchema } = PourId as unknown as JsonObject;

const idempotencyKey = ({ storesIdempotencyKey }: Route): JsonObject => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: storesIdempotencyKey
    ? 'The client’s name for this request, 1 to 64 visible characters of ASCII. It is stored with what is recorded: a repetition records nothing and is answered with what the first request recorded.'
    : 'The client’s name for this request, 1 to 64 visible characters of ASCII: for 15 minutes a repetition by the same user is answered as the first request was, and changes nothing.',
  schema: keySchema,
});

const ifNoneMatch: JsonObject = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of an earlier reply: the answer is 304 without a body if the reply would be the same.',
  schema: { type: 'string', maxLength: 4096 },
};

const ifMatch: JsonObject = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of this address, or of the one above if this one cannot be read, without a query: the request is refused with ' +
    '412 if the reply would be another one by now. `*` for whatever exists.',
  schema: { type: 'string', maxLength: 4096 },
};

const pinUnlock: JsonObject = {
  name: 'X-Tapster-Pin-Unlock',
  in: 'header',
  required: false,
  description:
    'On a shared tablet: the `pin_unlock` of `POST /api/tablet/pin-unlock`, which names the member of staff who acts.',
  schema: { type: 'string', maxLength: 256 },
};
