import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer, openingMs, type TestServer } from '../../test-server.ts';

const minute = 60_000;
let server: TestServer;

beforeEach(() => {
  server = createTestServer();
  changeSite({ allowClaims: true });
});

const changeSite = (settings: Parameters<TestServer['engine']['site']['change']>[0]) =>
  server.engine.site.change(settings, { userId: 1, via: 'page' }, server.now());

const pour = (minutesAgo = 0, changes: { tap?: string; username?: string } = {}) =>
  insertDrink(
    server.store,
    { tap: 'pi.flow0', ticks: 200, ...changes },
    { ...server.now(), wallMs: server.now().wallMs - minutesAgo * minute },
  );

const createClient = (key: string) => ({
  list: async (query = '') =>
    (await request(server.app).get(`/api/claims${query}`).set('X-Kegbot-Api-Key', key).expect(200)).body
      .result,
  claim: (id: number) => request(server.app).post(`/api/drinks/${id}/claim`).set('X-Kegbot-Api-Key', key),
  unclaim: (id: number) => request(server.app).delete(`/api/drinks/${id}/claim`).set('X-Kegbot-Api-Key', key),
});

test('lists drinks without a user from the last ten minutes', async () => {
  pour(11);
  const recent = pour(9);
  pour(0, { username: 'anna' });
  pour(0, { tap: 'pi.flow2' });
  const { claims, paging } = await createClient(server.guestKey).list();
  expect(claims).toEqual([
    {
      drink: expect.objectContaining({ id: recent.id, volume_ml: 100, user_id: null }),
      tap_name: 'Left',
      beverage_name: 'Haus Helles',
      until: new Date(openingMs + minute).toISOString().replace('.000', ''),
    },
  ]);
  expect(paging).toEqual({ total: 1, limit: 100, pos: 0, next: null, prev: null });
});

test('pages through claimable drinks', async () => {
  const ids = Array.from({ length: 5 }, (_, i) => pour(0, i === 3 ? { username: 'anna' } : {}).id);
  const listed: number[] = [];
  for (let query: string | undefined = '?limit=2'; query !== undefined; ) {
    const { claims, paging } = await createClient(server.guestKey).list(query);
    expect(claims).toHaveLength(2);
    expect(paging.total).toBe(4);
    listed.push(...claims.map(({ drink }: { drink: { id: number } }) => drink.id));
    query = paging.next?.replace('/api/claims', '');
  }
  expect(listed).toEqual(ids.filter((_, i) => i !== 3).reverse());
});

test('the claiming user can withdraw a claim, and the drink has no user again', async () => {
  const { id } = pour();
  const bert = createClient(server.guestKey);
  await bert.claim(id).expect(200);
  expect((await bert.list()).claims).toEqual([]);
  await createClient(server.staffKey).unclaim(id).expect(409);
  const reply = await bert.unclaim(id).expect(200);
  expect(reply.body.result.drink.user_id).toBeNull();
  await bert.unclaim(id).expect(409);
  expect((await bert.list()).claims).toHaveLength(1);
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test('refuses to withdraw a claim after ten minutes or after a correction by staff', async () => {
  const bert = createClient(server.guestKey);
  const [first, second] = [pour().id, pour().id];
  await bert.claim(first).expect(200);
  await bert.claim(second).expect(200);
  server.engine.drinks.edit(second, { volumeMl: 80 }, server.now());
  await bert.unclaim(second).expect(409);
  server.setClock({ wallMs: openingMs + 10 * minute + 1 });
  await bert.unclaim(first).expect(409);
});

test('refuses to unclaim a drink that staff assigned', async () => {
  const { id } = pour();
  server.engine.drinks.reassign(id, { username: 'bert' }, server.now());
  await createClient(server.guestKey).unclaim(id).expect(409);
});

test('shows no claimable drinks where claims are not allowed or without login', async () => {
  pour();
  await request(server.app).get('/api/claims').expect(401);
  changeSite({ allowClaims: false });
  expect(await createClient(server.guestKey).list()).toEqual({
    paging: { total: 0, limit: 100, pos: 0, next: null, prev: null },
    claims: [],
  });
  changeSite({ allowClaims: true, privacy: 'staff' });
  expect((await createClient(server.guestKey).list()).claims).toEqual([]);
  await createClient(server.guestKey).claim(1).expect(403);
  expect((await createClient(server.staffKey).list()).claims).toHaveLength(1);
});
