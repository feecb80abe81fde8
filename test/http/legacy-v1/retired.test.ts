import request from 'supertest';
import { expect, test } from 'vitest';
import { retiredPaths } from '../../../src/http/legacy-v1/retired.ts';
import { createTestServer } from '../test-server.ts';

const server = createTestServer();
server.engine.users.changeSite({ privacy: 'staff' });

const cases = retiredPaths.flatMap(({ methods, path }) => methods.map((method) => [method, path] as const));

test('fifty paths are retired', () => {
  expect(retiredPaths).toHaveLength(50);
  expect(cases).toHaveLength(59);
});

test.each(cases)('%s %s is 410 for every request', async (method, path) => {
  const address = `/api/v1${path.replace(/\{\w+\}/g, 'some.thing%7C1')}`;
  const verb = method.toLowerCase() as 'get' | 'post' | 'delete';
  const replies = [
    await request(server.app)[verb](address),
    await request(server.app)[verb](`${address}/?api_key=wrong&api_key=twice`),
    await request(server.app)[verb](address).set('X-Kegbot-Api-Key', server.staffKey),
  ];
  if (method !== 'GET') {
    replies.push(
      await request(server.app)[verb](address).set('Content-Type', 'application/json').send('{"broken'),
    );
  }
  for (const reply of replies) {
    expect(reply.status).toBe(410);
    expect(reply.body.error.code).toBe('GoneError');
    expect(reply.headers).toMatchObject({ deprecation: 'true', 'cache-control': 'no-store' });
  }
});

test.each([
  '/api/v1',
  '/api/v1/',
  '/api/v1/never',
  '/api/v1/taps/1/2',
  '/api/v1/devices',
  '/api/v1/kegs/1/x',
])('%s is 404', async (path) => {
  const reply = await request(server.app).get(path).expect(404);
  expect(reply.body.error.code).toBe('NotFoundError');
  expect(reply.headers).toMatchObject({ deprecation: 'true', 'cache-control': 'no-store' });
});
