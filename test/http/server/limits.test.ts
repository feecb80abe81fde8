import express, { type Request, type Response } from 'express';
import request from 'supertest';
import { expect, test, vi } from 'vitest';
import type { AppError } from '../../../src/core/app-error.ts';
import { createLimits } from '../../../src/http/server/limits.ts';
import { createTestServer } from '../test-server.ts';

const settings = { trustProxy: false, rateLimits: true, hosts: [] };
const pour = '/api/v1/taps/pi.flow0';

test('rejects wrong keys after 30 per minute, but not the right key', async () => {
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

test('a missing key does not count as a wrong key', async () => {
  const server = createTestServer({ settings });
  for (let i = 0; i < 40; i++)
    await request(server.app).post(pour).type('form').send({ ticks: '1' }).expect(401);
});

test('the limits per address and key allow 20 controllers at 20 requests per second', async () => {
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

/** An app with small limits; the path selects what is counted. */
function createSmallLimits(perWindow: number) {
  const limits = createLimits({ perWindow });
  const app = express();
  app.use(async (request, response) => {
    const [, kind, key] = request.path.split('/');
    try {
      await limits.countRequest(request, response, kind === 'read' ? 'read' : 'write');
      if (key === 'wrong') await limits.countWrongKey(request, response);
      else if (key) await limits.countKey(request, response, key);
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

test('sets Retry-After at the limit and counts reads and writes separately', async () => {
  const send = createSmallLimits(3);
  expect([await send('/write'), await send('/write'), await send('/write')]).toEqual([200, 200, 200]);
  expect(await send('/write')).toMatch(/^wait \d+ s$/);
  expect(await send('/read')).toBe(200);
});

test('limits one key without affecting others', async () => {
  const send = createSmallLimits(3);
  for (let i = 0; i < 3; i++) expect(await send('/read/11111111')).toBe(200);
  expect(await send('/write/11111111')).toMatch(/^wait \d+ s$/);
  expect(await send('/write/22222222')).toBe(200);
});

test('wrong keys do not use up the limit of valid keys at the same address', async () => {
  const send = createSmallLimits(3);
  for (let i = 0; i < 30; i++) expect(await send('/write/wrong')).toBe(200);
  expect(await send('/write/wrong')).toMatch(/^wait \d+ s$/);
  for (let i = 0; i < 3; i++) expect(await send('/write/11111111')).toBe(200);
});

test('rejects nothing when rate limits are off', async () => {
  const server = createTestServer();
  for (let i = 0; i < 40; i++) {
    await request(server.app).post(pour).type('form').send({ ticks: '1', api_key: 'wrong' }).expect(401);
  }
});

test('unpaired device events are limited per address, and ten times higher per IPv6 network', async () => {
  // All requests are in one window, however slow the machine is.
  vi.useFakeTimers({ toFake: ['Date'] });
  const limits = createLimits();
  const app = express();
  const response = { setHeader() {}, append() {} } as unknown as Response;
  /** Number of `calls` from that address that are within the limits. */
  const accepted = async (ip: string, calls: number) => {
    const call = { ip, app, headers: {} } as unknown as Request;
    let count = 0;
    for (let i = 0; i < calls; i++) {
      const counted = limits.countUnpairedBatch(call, response);
      await counted.then(
        () => {
          count += 1;
        },
        () => {},
      );
    }
    return count;
  };
  try {
    expect(await accepted('10.0.0.66', 110)).toBe(100);
    expect(await accepted('10.0.0.7', 1)).toBe(1);
    const ofNetwork = [];
    for (let i = 1; i <= 11; i++) ofNetwork.push(await accepted(`2001:db8::${i}`, 101));
    expect(ofNetwork).toEqual([...Array(10).fill(100), 0]);
    expect(await accepted('2001:db8:1::1', 1)).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
