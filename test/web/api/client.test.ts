import { afterAll, expect, test } from 'vitest';
import { buildRequest } from '../../../src/web/api/build-request.ts';
import { listen } from '../../http/live/streams.ts';
import { createTestServer } from '../../http/test-server.ts';
import { createClient } from '../../kit/client.ts';

const house = createTestServer();
const { url, close } = await listen(house.app);
afterAll(() => close(0));
const staff = createClient({ url, key: house.staffKey });

test('the places of an address are filled, and only what is said is asked', () => {
  expect(
    buildRequest('GET /users/{username}/drinks', [
      { path: { username: 'a/b' }, query: { limit: 3, start: undefined } },
    ]),
  ).toMatchObject({ method: 'GET', address: '/users/a%2Fb/drinks?limit=3' });
  expect(buildRequest('GET /taps', [])).toEqual({ method: 'GET', address: '/taps', body: undefined });
});

test('a drink is recorded, given away and taken back by the client alone', async () => {
  const { drink } = await staff.get('POST /taps/{ref}/record-drink', {
    path: { ref: 'pi.flow0' },
    body: { volume_ml: 400 },
  });
  const path = { id: drink!.id };
  await staff.get('POST /drinks/{id}/reassign', { path, body: { username: 'bert' } });
  const { drinks } = await staff.get('GET /users/{username}/drinks', { path: { username: 'bert' } });
  expect(drinks.map(({ id, volume_ml }) => [id, volume_ml])).toEqual([[path.id, 400]]);
  await staff.get('DELETE /drinks/{id}', { path, query: { spilled: true } });
  expect((await staff.get('GET /kegs/{id}', { path: { id: house.keg.id } })).keg.spilled_ml).toBe(400);
});

test('a refusal is an answer with its reason', async () => {
  const refused = await createClient({ url }).call('DELETE /drinks/{id}', { path: { id: 1 } });
  expect(refused).toMatchObject({ ok: false, status: 401, error: { code: 'NoAuthTokenError' } });
  const login = createClient({ url, cookie: house.createLoginCookie('bert') });
  expect((await login.get('GET /users/me')).user?.username).toBe('bert');
});

test('what does not fit an operation does not compile', () => {
  const asks = () => [
    // @ts-expect-error: which drink?
    staff.call('DELETE /drinks/{id}'),
    // @ts-expect-error: a volume is a number.
    staff.call('PATCH /drinks/{id}', { path: { id: 1 }, body: { volume_ml: 'much' } }),
    // @ts-expect-error: nothing is poured by this name.
    staff.call('POST /whisky'),
  ];
  expect(asks).toBeTypeOf('function');
});
