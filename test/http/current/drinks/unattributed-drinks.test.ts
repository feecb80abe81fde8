import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer, type TestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

const blue = 'core.rfid|0089f2c4';

/** Posts a pour as a controller with the legacy API does. */
const post = async (server: TestServer, fields: Record<string, string>) => {
  const reply = await request(server.app)
    .post('/api/v1/taps/pi.flow0')
    .type('form')
    .send({ api_key: server.staffKey, ticks: '660', ...fields })
    .expect(200);
  return reply.body.result.drink.id as number;
};

const idsOf = (result: { drinks: { id: number }[] }) => result.drinks.map(({ id }) => id);

test('staff list drinks without a user, by the name and by the token that were sent with the pour', async () => {
  const server = createTestServer();
  const staff = createStaffClient(server);
  insertDrink(server.store, { username: 'Zoe' }, server.now());
  insertDrink(server.store, { username: 'bert' }, server.now());
  insertDrink(server.store, { username: 'ＺＯＥ' }, server.now());
  insertDrink(server.store, { authToken: blue }, server.now());
  insertDrink(server.store, { authToken: 'core.rfid.0089F2C4' }, server.now());
  insertDrink(server.store, { authToken: '0089f2c4' }, server.now());
  const list = async (query: string) => {
    const result = await staff.send('get', `/drinks?${query}`);
    expect(result.paging.total, query).toBe(result.drinks.length);
    return idsOf(result);
  };
  expect(await list('unattributed=true')).toEqual([6, 5, 4, 3, 1]);
  expect(await list('unattributed=false')).toEqual([6, 5, 4, 3, 2, 1]);
  expect(await list('claimed_username=zoe')).toEqual([3, 1]);
  expect(await list('auth_token=core.rfid|0089F2C4')).toEqual([5, 4]);
  expect(await list('auth_token=0089f2c4')).toEqual([6]);
  expect(await list('claimed_username=nobody')).toEqual([]);
  await staff.send('post', '/drinks/3/reassign', { username: 'bert' });
  expect(await list('claimed_username=zoe')).toEqual([3, 1]);
  expect(await list('claimed_username=zoe&unattributed=true')).toEqual([1]);
  expect(await list('unattributed=true&user=bert')).toEqual([]);
  expect(await list('unattributed=true&keg=1&tap=pi.flow0')).toEqual([6, 5, 4, 1]);
});

test('the filters by name and token are for staff only, the one for drinks without a user is not', async () => {
  const server = createTestServer();
  insertDrink(server.store, { username: 'zoe' }, server.now());
  for (const filter of ['claimed_username=zoe', 'auth_token=0089f2c4']) {
    await request(server.app).get(`/api/drinks?${filter}`).expect(401);
    await request(server.app)
      .get(`/api/drinks?${filter}`)
      .set('X-Kegbot-Api-Key', server.guestKey)
      .expect(403);
  }
  const reply = await request(server.app).get('/api/drinks?unattributed=true').expect(200);
  expect(idsOf(reply.body.result)).toEqual([1]);
});

test('an unknown token posted with a pour is listed among the unknown tokens until it is added', async () => {
  const server = createTestServer();
  const staff = createStaffClient(server);
  const unknown = async () => (await staff.send('get', '/admin/unknown-tokens')).unknown_tokens;
  await post(server, { auth_token: blue });
  await post(server, { auth_token: 'core.rfid.0089F2C4' });
  await post(server, { auth_token: '77' });
  expect(await unknown()).toMatchObject([
    { auth_device: '', token_value: '77', device: 'pi', times: 1 },
    { auth_device: 'core.rfid', token_value: '0089f2c4', device: 'pi', times: 2 },
  ]);
  await staff.create('/auth-tokens', { auth_device: 'core.rfid', token_value: '77', user: 'bert' });
  await staff.create('/auth-tokens', { auth_device: 'core.rfid', token_value: '0089f2c4' });
  expect(await unknown()).toEqual([]);
  expect((await staff.send('get', `/drinks/${await post(server, { auth_token: '77' })}`)).drink.user_id).toBe(
    'bert',
  );
});

test('a token posted again for the same pour, or that is known, is not counted as presented', async () => {
  const server = createTestServer();
  const staff = createStaffClient(server);
  await staff.create('/auth-tokens', { auth_device: 'card', token_value: 'a.b', enabled: false });
  await post(server, { auth_token: 'card|a.b' });
  await post(server, { auth_token: 'card.a.b' });
  await post(server, { auth_token: 'a.b' });
  for (const pourId of ['p1', 'p1']) await post(server, { auth_token: blue, pour_id: pourId });
  expect((await staff.send('get', '/admin/unknown-tokens')).unknown_tokens).toMatchObject([
    { auth_device: 'core.rfid', times: 1 },
  ]);
});

test('an endless token, device or name of a meter loses no drink', async () => {
  const server = createTestServer();
  for (const auth_token of [
    `onewire|${'İ'.repeat(248)}`,
    `${'d'.repeat(200)}|1`,
    `card|${'v'.repeat(200)}`,
    '|',
    ' | ',
  ])
    await post(server, { auth_token });
  expect(server.engine.drinks.list({}).total).toBe(5);
  expect(server.faults).toEqual([]);
});

test('all drinks of a name are assigned to a new user in one step, and undone by the id of the correction', async () => {
  const server = createTestServer();
  const staff = createStaffClient(server);
  for (const username of ['Zoe', 'zoe', 'carl']) insertDrink(server.store, { username }, server.now());
  const result = await staff.send('post', '/drinks/assign', {
    claimed_username: 'ZOE',
    username: 'zoe',
    create_user: { display_name: 'Zoe of table 4' },
  });
  expect(result).toEqual({
    user: expect.objectContaining({ username: 'zoe', display_name: 'Zoe of table 4', is_staff: false }),
    assigned: 2,
    remaining: 0,
    correction_id: expect.any(Number),
    token: null,
  });
  expect((await staff.send('get', '/users/zoe/drinks')).paging.total).toBe(2);
  expect(await staff.send('get', '/audit?limit=2')).toMatchObject({
    entries: [
      { id: result.correction_id, action: 'drink.assigned', user_id: 'anna', can_undo: true },
      { action: 'user.created' },
    ],
  });
  await staff.send('post', `/corrections/${result.correction_id}/undo`);
  expect((await staff.send('get', '/drinks?unattributed=true')).paging.total).toBe(3);
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test('the drinks of a token are assigned and the token is bound in one step', async () => {
  const server = createTestServer();
  const staff = createStaffClient(server);
  insertDrink(server.store, { authToken: blue }, server.now());
  const body = { auth_token: blue, username: 'bert', bind_token: true };
  expect(await staff.send('post', '/drinks/assign', body)).toMatchObject({
    assigned: 1,
    token: { id: blue, user_id: 'bert' },
  });
  const id = await post(server, { auth_token: blue });
  expect((await staff.send('get', `/drinks/${id}`)).drink.user_id).toBe('bert');
});

test.each<[string, number, object]>([
  ['nothing to assign', 400, { username: 'bert' }],
  ['a name and a token', 400, { claimed_username: 'zoe', auth_token: blue, username: 'bert' }],
  ['no user', 400, { claimed_username: 'zoe' }],
  ['an unknown user', 400, { claimed_username: 'zoe', username: 'zoe' }],
  ['a new user that exists', 400, { claimed_username: 'zoe', username: 'bert', create_user: {} }],
  ['no drink', 400, { drinks: [], username: 'bert' }],
  ['too many drinks', 400, { drinks: Array.from({ length: 1_001 }, (_, i) => i + 1), username: 'bert' }],
  ['a token to bind without a token', 400, { claimed_username: 'zoe', username: 'bert', bind_token: true }],
  [
    'rights for the new user',
    400,
    { claimed_username: 'zoe', username: 'z', create_user: { is_staff: true } },
  ],
  ['an unknown name', 404, { claimed_username: 'nobody', username: 'bert' }],
  ['an unknown drink', 404, { drinks: [1, 9], username: 'bert' }],
])('an assignment with %s is refused and changes nothing', async (_what, status, body) => {
  const server = createTestServer();
  const staff = createStaffClient(server);
  insertDrink(server.store, { username: 'zoe' }, server.now());
  await staff.expectError(status, 'post', '/drinks/assign', body);
  expect((await staff.send('get', '/drinks?unattributed=true')).paging.total).toBe(1);
  expect((await staff.send('get', '/users')).paging.total).toBe(2);
});

test('only staff may assign drinks, and not by PIN', async () => {
  const server = createTestServer();
  insertDrink(server.store, { username: 'zoe' }, server.now());
  const body = { claimed_username: 'zoe', username: 'bert' };
  const send = (headers: Record<string, string>) =>
    request(server.app).post('/api/drinks/assign').set(headers).send(body);
  await send({}).expect(401);
  await send({ 'X-Kegbot-Api-Key': server.guestKey }).expect(403);
  await send(server.createUnlockedTablet('Bar', 'anna')).expect(403);
  expect(server.engine.drinks.get(1)?.drink.username).toBeNull();
});
