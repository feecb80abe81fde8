import express from 'express';
import request from 'supertest';
import { expect, test } from 'vitest';
import type { AppError } from '../../../src/core/app-error.ts';
import { createLimits } from '../../../src/http/server/limits.ts';
import { createTestServer } from '../test-server.ts';

const settings = { trustProxy: false, rateLimits: true, hosts: [] };
const pour = '/api/v1/taps/pi.flow0';

test('thirty wrong keys a minute are mistakes, the next is refused; the right key still pours', async () => {
  const server = createTestServer({ settings });
  const post = (key: string) =>
    request(server.app).post(pour).type('form').send({ ticks: '1', api_key: key });
  for (let i = 0; i < 30; i++) await post(`wrong ${i}`).expect(401);
  const refused = await post('wrong again').expect(429);
  expect(refused.body.error.code).toBe('Error');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.headers.deprecation).toBe('true');
  await post(server.staffKey).expect(200);
});

test('forgetting the key is not guessing it', async () => {
  const server = createTestServer({ settings });
  for (let i = 0; i < 40; i++)
    await request(server.app).post(pour).type('form').send({ ticks: '1' }).expect(401);
});

test('address and key are told how much room there is: twenty controllers at twenty a second, on one key', async () => {
  const server = createTestServer({ settings });
  const write = request(server.app).post(pour).type('form').send({ ticks: '1', api_key: server.staffKey });
  const read = request(server.app).get('/api/v1/status').set('X-Kegbot-Api-Key', server.staffKey);
  for (const [call, names] of [
    [write, ['writes', 'key']],
    [read, ['reads', 'key']],
  ] as const) {
    const reply = await call.expect(200);
    const policies = [...reply.headers['ratelimit-policy']!.matchAll(/"([a-z-]+)"; q=(\d+); w=10/g)];
    expect(policies.map(([, name]) => name)).toEqual(names);
    for (const [, , quota] of policies) expect(Number(quota)).toBeGreaterThanOrEqual(20 * 20 * 10);
  }
});

/** A door with the smallest measures; what is done there is said by the path. */
function createSmallLimits(perWindow: number) {
  const limits = createLimits({ perWindow });
  const app = express();
  app.use(async (request, response) => {
    const [, kind, key] = request.path.split('/');
    try {
      await limits.chargeAddress(request, response, kind === 'read' ? 'read' : 'write');
      if (key === 'wrong') await limits.chargeWrongKey(request, response);
      else if (key) await limits.chargeKey(request, response, key);
      response.sendStatus(200);
    } catch (fault) {
      response.sendStatus((fault as AppError).code === 'too_many' ? 429 : 500);
    }
  });
  return async (path: string) => {
    const { status, headers } = await request(app).post(path);
    return status === 429 ? `wait ${headers['retry-after']} s` : status;
  };
}

test('a full measure says when to come again; reads and writes are measured apart', async () => {
  const send = createSmallLimits(3);
  expect([await send('/write'), await send('/write'), await send('/write')]).toEqual([200, 200, 200]);
  expect(await send('/write')).toMatch(/^wait \d+ s$/);
  expect(await send('/read')).toBe(200);
});

test('a key that runs wild is held back, others are not', async () => {
  const send = createSmallLimits(3);
  for (let i = 0; i < 3; i++) expect(await send('/read/11111111')).toBe(200);
  expect(await send('/write/11111111')).toMatch(/^wait \d+ s$/);
  expect(await send('/write/22222222')).toBe(200);
});

test('wrong keys take nothing from the right ones of their address', async () => {
  const send = createSmallLimits(3);
  for (let i = 0; i < 30; i++) expect(await send('/write/wrong')).toBe(200);
  expect(await send('/write/wrong')).toMatch(/^wait \d+ s$/);
  for (let i = 0; i < 3; i++) expect(await send('/write/11111111')).toBe(200);
});

test('without rate limits nobody is refused', async () => {
  const server = createTestServer();
  for (let i = 0; i < 40; i++) {
    await request(server.app).post(pour).type('form').send({ ticks: '1', api_key: 'wrong' }).expect(401);
  }
});
