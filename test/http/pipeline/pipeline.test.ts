import express from 'express';
import request from 'supertest';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { currentFormat } from '../../../src/http/current/shared/reply-format.ts';
import { httpsOff } from '../../../src/http/https-ports.ts';
import { jsonReader, maxBodyBytes, urlencodedReader } from '../../../src/http/pipeline/body/read-body.ts';
import { mountApi } from '../../../src/http/pipeline/pipeline.ts';
import type { ApiDefinition } from '../../../src/http/routes/api-definition.ts';
import { defineRoute } from '../../../src/http/routes/route.ts';
import { Closed, Maybe, Open } from '../../../src/http/routes/schemas.ts';
import { noLimits } from '../../../src/http/server/limits.ts';

const secret = 'SELECT * FROM drinks /var/lib/tapster';

const Glass = Closed({ ml: Type.Integer({ minimum: 1, maximum: 1000 }), cold: Maybe(Type.Boolean()) });

const routes: ApiDefinition['routes'] = [
  defineRoute({
    id: 'getGlass',
    method: 'get',
    path: '/glasses/{name}',
    summary: 'A glass',
    access: 'open',
    accepts: { params: Open({ name: Type.String() }), query: Open({ limit: Maybe(Type.Integer()) }) },
    replies: { status: 200, body: Closed({ name: Type.String(), limit: Type.Integer() }) },
    run: (_context, { params, query }) => ({ name: params.name, limit: query.limit ?? 0 }),
  }),
  defineRoute({
    id: 'fillGlass',
    method: 'post',
    path: '/glasses',
    summary: 'Fill one',
    access: 'open',
    accepts: { body: Glass },
    replies: { status: 201, body: Glass },
    run: (_context, { body }) => body,
  }),
  defineRoute({
    id: 'breakGlass',
    method: 'post',
    path: '/glasses/{name}/break',
    summary: 'Break one',
    access: 'open',
    accepts: { params: Open({ name: Type.String() }) },
    replies: { status: 200, body: Closed({ shards: Type.Integer() }) },
    run(_context, { params }) {
      if (params.name === 'late') throw new AppError('unavailable', 'Try again.');
      if (params.name === 'odd') return { shards: 0.5 };
      throw new Error(secret);
    },
  }),
];

const faults: object[] = [];

function app(changes: Partial<ApiDefinition> = {}) {
  const api: ApiDefinition = {
    name: 'bar',
    title: 'Bar',
    prefix: '/bar',
    headers: { Deprecation: 'true' },
    about: { summary: '', description: '', tags: {} },
    routes,
    retired: [
      { methods: ['DELETE'], path: '/glasses/{id}' },
      { methods: ['GET', 'POST'], path: '/mugs' },
    ],
    bodyReaders: [jsonReader, urlencodedReader],
    lenientJson: false,
    basicKeys: false,
    formats: [currentFormat],
    formatFor: () => currentFormat,
    ...changes,
  };
  const server = express();
  server.enable('case sensitive routing');
  server.use(
    api.prefix,
    mountApi(api, {
      // Every route here is open, so the engine is not used.
      engine: {} as Engine,
      clock: { now: () => ({ monoMs: 0, wallMs: 0, synced: true, bootId: 'boot' }) },
      log: { info() {}, warn() {}, error: (details) => faults.push(details) },
      limits: noLimits,
      hosts: [],
      https: httpsOff,
      checkReplies: true,
    }),
  );
  return server;
}

test('a route matches with and without a trailing slash', async () => {
  for (const path of ['/bar/glasses/stein', '/bar/glasses/stein/']) {
    const reply = await request(app()).get(path).expect(200);
    expect(reply.body).toEqual({ result: { name: 'stein', limit: 0 } });
    expect(reply.headers).toMatchObject({
      deprecation: 'true',
      'content-type': expect.stringContaining('json'),
    });
  }
});

test('HEAD returns the headers without the body', async () => {
  const reply = await request(app()).head('/bar/glasses/stein').expect(200);
  expect(reply.headers['content-length']).toBe(String('{"result":{"name":"stein","limit":0}}'.length));
  expect(reply.text).toBeUndefined();
});

test('decodes a percent-encoded path parameter', async () => {
  const reply = await request(app()).get('/bar/glasses/a%2Fb%20%C3%A4').expect(200);
  expect(reply.body.result.name).toBe('a/b ä');
});

test.each([
  '/bar/nothing',
  '/bar/Glasses/stein',
  '/bar//glasses/stein',
  '/bar',
  '/bar/',
  '/bar/glasses/stein//',
])('%s is not found', async (path) => {
  const reply = await request(app()).get(path).expect(404);
  expect(reply.body.error.code).toBe('NotFoundError');
  expect(reply.headers.deprecation).toBe('true');
});

test('an invalid percent encoding is a bad request', async () => {
  for (const path of ['/bar/glasses/%', '/bar/glasses/%ff', '/bar/glasses/stein?limit=%']) {
    const reply = await request(app()).get(path).expect(400);
    expect(reply.body.error.code).toBe('BadRequestError');
  }
});

test('a wrong method gets 405 with Allow', async () => {
  const reply = await request(app()).put('/bar/glasses/stein').send({}).expect(405);
  expect(reply.headers.allow).toBe('GET, HEAD, OPTIONS');
  expect(reply.body.error.code).toBe('Error');
  expect((await request(app()).get('/bar/glasses').expect(405)).headers.allow).toBe('POST, OPTIONS');
});

test('OPTIONS lists the methods', async () => {
  const reply = await request(app()).options('/bar/glasses').expect(200);
  expect(reply.headers.allow).toBe('POST, OPTIONS');
  expect(reply.body).toEqual({ result: {} });
});

test('a retired method is gone, and an address without routes is gone for every method', async () => {
  await request(app()).delete('/bar/glasses/stein').expect(410);
  for (const method of ['get', 'post', 'head', 'put', 'delete', 'options'] as const) {
    await request(app())[method]('/bar/mugs').expect(410);
  }
});

test('a strict API validates JSON values without conversion', async () => {
  const post = (body: object) => request(app()).post('/bar/glasses').send(body);
  expect((await post({ ml: 500, cold: true }).expect(201)).body).toEqual({ result: { ml: 500, cold: true } });
  const reply = await post({ ml: '500', cold: null, beer: 1 }).expect(400);
  expect(reply.body.error).toMatchObject({
    code: 'BadRequestError',
    fields: { ml: 'must be a whole number', cold: 'must be true or false', beer: 'is unknown' },
  });
  expect((await post({}).expect(400)).body.error.fields).toEqual({ ml: 'is required' });
});

test('a lenient API converts texts in JSON like form values', async () => {
  const reply = await request(app({ lenientJson: true }))
    .post('/bar/glasses')
    .send({ ml: '500', cold: null })
    .expect(201);
  expect(reply.body).toEqual({ result: { ml: 500 } });
});

test('converts the values of a form', async () => {
  const reply = await request(app()).post('/bar/glasses').send('ml=500&cold=on').expect(201);
  expect(reply.body).toEqual({ result: { ml: 500, cold: true } });
});

test.each([
  ['{"ml":', 'application/json', 400],
  ['[1]', 'application/json', 400],
  ['null', 'application/json', 400],
  ['"ml"', 'application/json', 400],
  ['ml=1&ml=2', 'application/x-www-form-urlencoded', 400],
  ['ml=%zz', 'application/x-www-form-urlencoded', 400],
  ['{"ml":1}', 'application/json; charset=latin1', 400],
  ['{"ml":1}', 'application/json; charset="UTF-8"', 201],
  ['{"ml":1}', 'Application/JSON', 201],
  ['ml=1', 'text/plain', 415],
  ['<ml>1</ml>', 'application/xml', 415],
])('the body %s with type %s gets %i', async (body, type, status) => {
  const reply = await request(app()).post('/bar/glasses').set('Content-Type', type).send(body);
  expect(reply.status).toBe(status);
  expect(reply.headers['content-type']).toContain('application/json');
});

test('rejects a body that is not UTF-8', async () => {
  const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
  await request(app())
    .post('/bar/glasses')
    .set('Content-Type', 'application/json')
    .serialize(() => bytes as unknown as string)
    .send(bytes)
    .expect(400);
});

test('rejects a compressed body', async () => {
  await request(app())
    .post('/bar/glasses')
    .set('Content-Type', 'application/json')
    .set('Content-Encoding', 'gzip')
    .send('{}')
    .expect(415);
});

test('accepts a body of 64 KiB and rejects one byte more', async () => {
  const form = (length: number) => `ml=1&x=${'x'.repeat(length - 'ml=1&x='.length)}`;
  const send = (length: number) => request(app()).post('/bar/glasses').send(form(length));
  const full = await send(maxBodyBytes);
  expect(full.body.error.fields).toEqual({ x: 'is unknown' });
  for (const length of [maxBodyBytes + 1, 20 * maxBodyBytes]) {
    const reply = await send(length).expect(413);
    expect(reply.body.error.code).toBe('Error');
    expect(reply.headers.connection).toBe('close');
  }
});

test('an unexpected error is logged, and the answer has only its log id', async () => {
  faults.length = 0;
  const reply = await request(app()).post('/bar/glasses/stein/break').expect(500);
  expect(reply.body.error.code).toBe('ServerError');
  expect(reply.text).not.toContain('SELECT');
  expect(reply.text).not.toContain('/var');
  const [fault] = faults as { err: Error; faultId: string }[];
  expect(fault!.err.message).toBe(secret);
  expect(reply.body.error.message).toContain(fault!.faultId);
});

test('a temporary failure sets Retry-After', async () => {
  const reply = await request(app()).post('/bar/glasses/late/break').expect(503);
  expect(reply.headers['retry-after']).toBe('5');
});

test('checkReplies turns a reply that differs from its schema into an error', async () => {
  faults.length = 0;
  await request(app()).post('/bar/glasses/odd/break').expect(500);
  expect(String((faults[0] as { err: Error }).err)).toContain('breakGlass');
});
