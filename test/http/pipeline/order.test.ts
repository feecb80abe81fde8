import express from 'express';
import request from 'supertest';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { currentFormat } from '../../../src/http/current/shared/reply-format.ts';
import { httpsOff } from '../../../src/http/https-ports.ts';
import { jsonReader } from '../../../src/http/pipeline/body/read-body.ts';
import { mountApi } from '../../../src/http/pipeline/pipeline.ts';
import { defineRoute } from '../../../src/http/routes/route.ts';
import { Closed, Id, Open } from '../../../src/http/routes/schemas.ts';
import type { Limits } from '../../../src/http/server/limits.ts';
import { createTestServer } from '../test-server.ts';

const { engine, now, staffKey, guestKey } = createTestServer();

/** Limits that are reached when the header `Limit` names them. */
function reachedLimits(): Limits {
  const count =
    (name: string): Limits['countWrongKey'] =>
    async ({ headers }) => {
      if (headers.limit === name) throw new AppError('too_many', `by ${name}`);
    };
  return {
    countRequest: count('address'),
    countKey: count('key'),
    countWrongKey: count('wrong key'),
    countUnpairedBatch: count('device event'),
    async countAttempt(_attempt, ...exchange) {
      await count('attempt')(...exchange);
      return () => {};
    },
  };
}

const app = express();
app.use(
  '/bar',
  mountApi(
    {
      name: 'bar',
      title: 'Bar',
      prefix: '/bar',
      headers: {},
      about: { summary: '', description: '', tags: {} },
      routes: [
        defineRoute({
          id: 'tapKeg',
          method: 'post',
          path: '/kegs/{id}',
          summary: 'Tap a keg',
          access: 'staff',
          attempt: 'code',
          errors: { conflict: [] },
          accepts: { params: Open({ id: Id }), body: Closed({ ml: Type.Integer() }) },
          replies: { status: 200, body: Closed({}) },
          run() {
            throw new AppError('conflict', 'by the handler');
          },
        }),
        defineRoute({
          id: 'tapKegByField',
          method: 'post',
          path: '/kegs/{id}/by-field',
          summary: 'Tap a keg',
          access: 'staff',
          keyInBody: true,
          attempt: 'code',
          errors: { conflict: [] },
          accepts: { params: Open({ id: Id }), body: Closed({ ml: Type.Integer() }) },
          replies: { status: 200, body: Closed({}) },
          run() {
            throw new AppError('conflict', 'by the handler');
          },
        }),
      ],
      retired: [{ methods: ['POST'], path: '/casks' }],
      bodyReaders: [jsonReader],
      lenientJson: false,
      basicKeys: false,
      formats: [currentFormat],
      formatFor: () => currentFormat,
    },
    {
      engine,
      clock: { now },
      log: { info() {}, warn() {}, error() {} },
      limits: reachedLimits(),
      hosts: [],
      https: httpsOff,
      checkReplies: true,
    },
  ),
);

/** A request with a fault in every later step: the error is that of the first one. */
interface Faults {
  readonly method?: 'post' | 'put';
  readonly path?: string;
  readonly limit?: 'address' | 'key' | 'wrong key' | 'attempt';
  readonly key?: string;
  readonly type?: string;
}

const steps: readonly (readonly [step: string, Faults, status: number])[] = [
  ['route match', { path: '/nothing', limit: 'address' }, 404],
  ['route match', { path: '/kegs/1', method: 'put', limit: 'address' }, 405],
  ['route match', { path: '/casks', limit: 'address' }, 410],
  ['rate limit by address', { path: '/kegs/x?%', limit: 'address' }, 429],
  ['query', { path: '/kegs/x?%', key: 'wrong', limit: 'wrong key' }, 400],
  ['rate limit of wrong keys', { path: '/kegs/x', key: 'wrong', limit: 'wrong key' }, 429],
  ['authorize: unknown key', { path: '/kegs/x', key: 'wrong' }, 401],
  ['authorize: not staff', { path: '/kegs/x', key: guestKey, limit: 'key' }, 403],
  ['rate limit by key', { path: '/kegs/x', key: staffKey, limit: 'key' }, 429],
  ['body, which may have held the key', { path: '/kegs/x/by-field' }, 415],
  ['authorize: no key, with a body that cannot hold it', { path: '/kegs/x' }, 401],
  ['authorize: no key', { path: '/kegs/x', type: 'application/json' }, 401],
  ['body', { path: '/kegs/x', key: staffKey, limit: 'attempt' }, 415],
  ['validate', { path: '/kegs/x', key: staffKey, type: 'application/json', limit: 'attempt' }, 400],
  ['limit of attempts', { path: '/kegs/1', key: staffKey, type: 'application/json', limit: 'attempt' }, 429],
  ['handler', { path: '/kegs/1', key: staffKey, type: 'application/json' }, 409],
];

test.each(steps)('%s comes before the later steps: %j gets %i', async (_step, faults, status) => {
  const { method = 'post', path = '', limit = '', key = '', type = 'text/plain' } = faults;
  const reply = await request(app)
    [method](`/bar${path}`)
    .set({ Limit: limit, 'X-Kegbot-Api-Key': key, 'Content-Type': type })
    .send('{"ml":1}');
  expect(reply.status).toBe(status);
  if (status === 429) expect(reply.body.error.message).toBe(`by ${limit}`);
});
