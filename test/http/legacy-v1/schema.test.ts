import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import {
  ajvFor,
  type OpenApiDocument,
  openApiFaults,
  operations,
  responseFor,
} from '../openapi/openapi-faults.ts';
import { createTestServer, openingMs, type TestServer } from '../test-server.ts';

const getDocument = async ({ app }: TestServer, path: string) =>
  (await request(app).get(path).expect(200)).body as OpenApiDocument;

test.each(['/api/v1/schema', '/api/v1/schema/', '/api/schema'])('%s is valid OpenAPI 3.1', async (path) => {
  expect(await openApiFaults(await getDocument(createTestServer(), path))).toEqual([]);
});

test('a broken reference, a missing parameter and a duplicate operationId are found', async () => {
  const document = await getDocument(createTestServer(), '/api/v1/schema');
  const path = '/api/v1/taps/{ref}';
  const { get } = document.paths[path]!;
  const broken = (change: object) =>
    openApiFaults({ ...document, paths: { ...document.paths, [path]: { get: { ...get!, ...change } } } });
  const schema = { $ref: '#/components/schemas/Nobody' };
  const content = { 'application/json': { schema } };
  const responses = { '200': { description: 'Done', content } };
  expect((await broken({ responses })).join()).toContain('#/components/schemas/Nobody');
  expect(await broken({ parameters: [] })).toEqual([`get ${path} declares nothing`]);
  expect(await broken({ operationId: 'getStatus' })).toEqual(['two operations have the id getStatus']);
  expect(await broken({ security: [{ charm: [] }] })).toEqual([
    `get ${path} uses the unknown security scheme charm`,
  ]);
  expect(await broken({ operationId: 1 })).not.toEqual([]);
});

/** One valid request for every operation of the document. */
const requests: Readonly<Record<string, readonly [path: string, fields?: object]>> = {
  'get /api/v1/status': ['/status'],
  'get /api/v1/auth-tokens/{token}': ['/auth-tokens/core.rfid.0089f2c4'],
  'post /api/v1/auth-tokens/{token}': ['/auth-tokens/core.rfid.0089f2c4', {}],
  'get /api/v1/auth-tokens/{auth_device}/{token_value}': ['/auth-tokens/core.rfid/0089f2c4'],
  'post /api/v1/auth-tokens/{auth_device}/{token_value}': ['/auth-tokens/core.rfid/0089f2c4', {}],
  'post /api/v1/cancel-drink': ['/cancel-drink', { id: 1 }],
  'get /api/v1/controllers': ['/controllers'],
  'post /api/v1/controllers': ['/controllers', { name: 'kegboard', serial_number: '17' }],
  'get /api/v1/flow-meters': ['/flow-meters'],
  'post /api/v1/flow-meters': ['/flow-meters', { controller: 1, port_name: 'flow3', ticks_per_ml: 2.2 }],
  'get /api/v1/events': ['/events?since=0'],
  'get /api/v1/taps': ['/taps'],
  'post /api/v1/taps': ['/taps', { name: 'Cellar' }],
  'get /api/v1/taps/{ref}': ['/taps/pi.flow0'],
  'post /api/v1/taps/{ref}': ['/taps/pi.flow0', { ticks: 20, username: 'bert', shout: 'Prost' }],
  'post /api/v1/tap/{ref}': ['/tap/1', { ticks: 20, spilled: true }],
  'get /api/v1/thermo-sensors/{sensor}': ['/thermo-sensors/cellar'],
  'post /api/v1/thermo-sensors/{sensor}': ['/thermo-sensors/cellar', { temp_c: 4.5 }],
  'post /api/v1/thermo-sensor/{sensor}': ['/thermo-sensor/bath', { temp_c: 1 }],
  'get /api/v1/schema': ['/schema'],
};

test.each(['reference', 'kegbot'])('every reply in the %s format matches the document', async (form) => {
  const server = createTestServer();
  const now = { monoMs: 0, wallMs: openingMs, synced: true, bootId: 'boot-1' };
  server.engine.access.tokens.create({ device: 'core.rfid', value: '0089f2c4', username: 'bert' }, now);
  server.engine.temperatures.log({ sensor: 'cellar', tempC: 4 }, now);
  insertDrink(server.store, { tap: 1, ticks: 660, username: 'anna' }, now);
  const document = await getDocument(server, '/api/v1/schema');
  const ajv = ajvFor(document);
  const header = form === 'kegbot' ? 'X-Kegbot-Api-Key' : 'Authorization';
  const send = (method: string, path: string, key: string, fields?: object) => {
    const call = request(server.app)[method as 'get' | 'post'](`/api/v1${path}`);
    call.set(header, form === 'kegbot' ? key : `Bearer ${key}`);
    return method === 'post' ? call.send(fields) : call;
  };

  for (const { name, method, operation } of operations(document)) {
    const [path, fields] = requests[name]!;
    const schema = (status: number) =>
      responseFor(document, operation, status)?.content?.['application/json']?.schema;
    const failed = await send(method, path, 'wrong', fields);
    if (failed.status >= 400) expect(ajv.compile(schema(failed.status)!)(failed.body), name).toBe(true);
    const reply = await send(method, path, server.staffKey, fields);
    expect(reply.status, name).toBe(200);
    const okSchema = schema(200);
    if (okSchema) expect(ajv.compile(okSchema)(reply.body), `${name}: ${reply.text}`).toBe(true);
  }
  expect(
    operations(document)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(requests).sort());
  expect(server.faults).toEqual([]);
});
