import request from 'supertest';
import { AppError } from '../../../src/core/app-error.ts';
import type { Example, Examples } from '../../../src/http/openapi/examples.ts';
import type { ApiDefinition } from '../../../src/http/routes/api-definition.ts';
import type { Fields, Route } from '../../../src/http/routes/route.ts';
import { productVersion } from '../../../src/system/product.ts';
import { createPopulatedServer, type PopulatedServer } from '../current/populated-server.ts';
import { dot } from '../fuzz/forms.ts';
import { workingServices } from '../fuzz/working-services.ts';
import { listen, watch } from '../live/streams.ts';
import type { TestServerOptions } from '../test-server.ts';
import type { ExampleRequest, ExampleRequests } from './example-requests/example-request.ts';

/** Rows of a list in an example. */
const maxRows = 2;
/** Characters of a reply that is no JSON. */
const maxTextLength = 400;

/** Values of path parameters that are not given, by name. */
const usualParams: Readonly<Record<string, unknown>> = {
  id: 1,
  ref: 'pi.flow0',
  username: 'anna',
  sensor: '28-0000000000a1',
  token: 'core.rfid.0089f2c4',
  auth_device: 'core.rfid',
  token_value: '0089f2c4',
  date: '2026-05-02',
  device: 'kegboard-cellar',
};

/** How each form of the legacy API is asked for; the current API has one form. */
const forms: Readonly<Record<string, readonly string[]>> = {
  current: ['example'],
  'legacy-v1': ['reference', 'kegbot'],
};

/**
 * Sends one request for each route of an API and form, and returns what was sent and answered. A request that changes
 * something gets a bar of its own.
 */
export async function recordExamples(api: ApiDefinition, requests: ExampleRequests): Promise<Examples> {
  const examples: Record<string, Record<string, Example>> = {};
  const shared = createBar();
  for (const route of api.routes) {
    examples[route.id] = {};
    for (const form of forms[api.name]!)
      examples[route.id]![form] = await record({ api, route, form }, requests[route.id] ?? {}, shared);
  }
  shared.server.store.close();
  return examples;
}

/** What an example is recorded of. */
interface Recorded {
  readonly api: ApiDefinition;
  readonly route: Route;
  readonly form: string;
}

/** A server with a superuser. */
export function createBar(options: TestServerOptions = {}) {
  const server = createPopulatedServer({
    ...options,
    services: { ...workingServices(), ...options.services },
    setup: { text: 'K7QM-2RXA', check: checkCode },
  });
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  return { server, root: server.createConfirmedCookie('root') };
}

function checkCode(code: string): void {
  if (code !== 'K7QM-2RXA')
    throw new AppError('invalid_request', 'The code is wrong.', { reason: { name: 'wrong_code' } });
}

export type Bar = ReturnType<typeof createBar>;

async function record(
  { api, route, form }: Recorded,
  declared: ExampleRequest,
  shared: Bar,
): Promise<Example> {
  const { before, prepare } = declared;
  const onlyReads = route.method === 'get' && before === undefined && prepare === undefined;
  const { server, root } = onlyReads ? shared : createBar();
  try {
    const made = await prepareExample({ server, root }, route, declared);
    const params = paramsOf(route, made);
    const reply = await sendExample({ server, root }, { api, route, form, made });
    const { query, body } = made;
    return {
      summary: made.summary ?? summaryOf(route, form),
      ...(Object.keys(params).length > 0 ? { params: withPlaceholders(params) as Fields } : {}),
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body: withPlaceholders(body) }),
      reply,
    };
  } finally {
    if (!onlyReads) server.store.close();
  }
}

/** Brings a bar into the state before the request of an example, and returns the request. */
export async function prepareExample(
  { server, root }: Bar,
  route: Route,
  declared: ExampleRequest,
): Promise<ExampleRequest> {
  for (const [method, path, body] of declared.before ?? []) {
    const call = request(server.app)[method](`/api${path}`).set('Cookie', root);
    const { status, text } = await (body === undefined ? call : call.send(body));
    if (status >= 300) throw new Error(`${route.id}: ${method} ${path} answered ${status} ${text}`);
  }
  const made = { ...declared, ...(await declared.prepare?.(server)) };
  server.engine.users.changeSite({ isSetUp: !route.path.startsWith('/setup/') });
  return made;
}

const summaryOf = ({ summary }: Route, form: string): string =>
  form === 'kegbot' ? 'In the form of existing controllers' : summary.split(/[.:] /)[0]!;

function paramsOf({ path }: Route, { params = {} }: ExampleRequest): Record<string, unknown> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return Object.fromEntries(names.map((name) => [name, params[name] ?? usualParams[name]]));
}

interface Sent extends Recorded {
  readonly made: ExampleRequest;
  /** Credentials in place of those that the example needs. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the request of an example. */
export async function sendExample(
  { server, root }: Bar,
  { api, route, form, made, headers }: Sent,
): Promise<Example['reply']> {
  const params = paramsOf(route, made);
  const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const call = request(server.app)[route.method](`${api.prefix}${path}`);
  call.set(headers ?? exampleHeaders({ server, root }, { api, route, form, made }));
  call.set('User-Agent', 'Firefox');
  if (made.query !== undefined) call.query(made.query);
  call.buffer(true);
  if (route.answer.kind === 'raw' && route.answer.mediaType === 'text/event-stream') {
    return { status: 200, mediaType: 'text/event-stream', body: await firstEvent(server) };
  }
  if (api.name === 'current' && route.accepts.files !== undefined) {
    for (const [name, value] of Object.entries(made.body ?? {})) call.field(name, String(value));
    for (const name of made.files ?? [])
      if (made.fileText === undefined) call.attach(name, dot, `${name}.png`);
      else call.attach(name, Buffer.from(made.fileText), `${name}.csv`);
  } else if (made.body !== undefined) call.send(made.body);
  const reply = await call;
  const mediaType = String(reply.headers['content-type']).split(';')[0]!;
  if (mediaType !== 'application/json') {
    return {
      status: reply.status,
      mediaType,
      ...(mediaType.startsWith('text/') ? { body: shorten(reply.text) } : {}),
    };
  }
  const value = JSON.parse(reply.text) as Record<string, unknown>;
  const body = 'openapi' in value ? { openapi: value.openapi, info: value.info, paths: {} } : value;
  return { status: reply.status, mediaType, body: withPlaceholders(body) };
}

/** Returns the headers of who sends an example. */
export function exampleHeaders(
  { server, root }: Bar,
  { api, route, form, made: { by } }: Sent,
): Record<string, string> {
  if (api.name === 'legacy-v1')
    return form === 'kegbot'
      ? { 'X-Kegbot-Api-Key': server.staffKey }
      : { Authorization: `Bearer ${server.staffKey}` };
  if (route.access === 'tablet') return { Cookie: server.createTabletCookie('Bar left') };
  if (route.access === 'setup' || by === 'nobody') return {};
  if (by === 'staff') return { Cookie: server.createConfirmedCookie('anna') };
  if (by === 'member') return { Cookie: server.createConfirmedCookie('bert') };
  return { Cookie: root };
}

/** Returns the first event of the live stream, shortened. */
async function firstEvent({ app }: PopulatedServer): Promise<string> {
  const { url, close } = await listen(app);
  const stream = await watch(`${url}/api/live`);
  const first = await stream.next();
  stream.close();
  await close(0);
  return shorten(`event: ${first?.event}\ndata: ${JSON.stringify(first?.data)}`);
}

/** Properties with random values, and what the examples show for them. */
const placeholders: Readonly<Record<string, string>> = {
  key: '<the API key, 40 characters>',
  prefix: '01234567',
  secret: '<the secret>',
  pin_unlock: '<the PIN unlock>',
  link: '/register/<the code>',
  activation_key: '<the key of the link>',
  token: '<the token of the link>',
  code: '123456',
  request_id: '<id of the request>',
};

/** Replaces secrets, random names and the version of the program, and shortens lists and long texts. */
function withPlaceholders(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, maxRows).map((one) => withPlaceholders(one, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([inner, one]) => [inner, withPlaceholders(one, inner)]),
    );
  if (typeof value !== 'string') return value;
  const placeholder = Object.hasOwn(placeholders, name) ? placeholders[name] : undefined;
  if (placeholder !== undefined && !isPlain(name, value)) return placeholder;
  return shorten(
    value.replace(/[0-9a-f]{32}/g, '0123456789abcdef0123456789abcdef').replaceAll(productVersion(), '0.1.0'),
  );
}

/** True if the text is none of the random ones: the code of an error, or the set-up code. */
const isPlain = (name: string, value: string): boolean =>
  (name === 'code' && !/^\d{6}$/.test(value)) || (name === 'key' && value.length < 32);

/** Cuts a long text at the end of a line. */
function shorten(text: string): string {
  if (text.length <= maxTextLength) return text;
  const end = text.lastIndexOf('\n', maxTextLength);
  return `${text.slice(0, end > 0 ? end : maxTextLength)}\n…`;
}
