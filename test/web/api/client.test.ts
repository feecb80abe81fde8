import { afterAll, expect, test } from 'vitest';
import { buildRequest } from '../../../src/web/api/build-request.ts';
import { listen } from '../../http/live/streams.ts';
import { createTestServer } from '../../http/test-server.ts';
import { createClient } from '../../kit/client.ts';

const server = createTestServer();
const { url, close } = await listen(server.app);
afterAll(() => close(0));
const staff = createClient({ url, key: server.staffKey });

test('fills path parameters and leaves out undefined query parameters', () => {
  expect(
    buildRequest('GET /users/{username}/drinks', {
      path: { username: 'a/b' },
      query: { limit: 3, start: undefined },
    }),
  ).toMatchObject({ method: 'GET', address: '/users/a%2Fb/drinks?limit=3' });
  expect(buildRequest('GET /taps')).toEqual({ method: 'GET', address: '/taps', body: undefined });
});

test('records, reassigns and cancels a drink through the client', async () => {
  const { drink } = await staff.get('POST /taps/{ref}/record-drink', {
    path: { ref: 'pi.flow0' },
    body: { volume_ml: 400 },
  });
  const path = { id: drink!.id };
  await staff.get('POST /drinks/{id}/reassign', { path, body: { username: 'bert' } });
  const { drinks } = await staff.get('GET /users/{username}/drinks', { path: { username: 'bert' } });
  expect(drinks.map(({ id, volume_ml }) => [id, volume_ml])).toEqual([[path.id, 400]]);
  await staff.get('DELETE /drinks/{id}', { path, query: { spilled: true } });
  expect((await staff.get('GET /kegs/{id}', { path: { id: server.keg.id } })).keg.spilled_ml).toBe(400);
});

test('returns an error response with its code', async () => {
  const refused = await createClient({ url }).call('DELETE /drinks/{id}', { path: { id: 1 } });
  expect(refused).toMatchObject({ ok: false, status: 401, error: { code: 'NoAuthTokenError' } });
  const login = createClient({ url, cookie: server.createLoginCookie('bert') });
  expect((await login.get('GET /users/me')).user?.username).toBe('bert');
});

test('rejects input that does not fit the operation at compile time', () => {
  const invalidCalls = () => [
    // @ts-expect-error: the path parameter is missing.
    staff.call('DELETE /drinks/{id}'),
    // @ts-expect-error: a volume is a number.
    staff.call('PATCH /drinks/{id}', { path: { id: 1 }, body: { volume_ml: 'much' } }),
    // @ts-expect-error: there is no such operation.
    staff.call('POST /whisky'),
  ];
  expect(invalidCalls).toBeTypeOf('function');
});
