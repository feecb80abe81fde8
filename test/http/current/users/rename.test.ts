import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let anna: string;

beforeEach(() => {
  server = createTestServer();
  anna = server.createConfirmedCookie('anna');
});

const call = (method: 'get' | 'post' | 'patch', path: string, cookie: string, body?: object) =>
  request(server.app)[method](`/api${path}`).set('Cookie', cookie).send(body);
const rename = (from: string, to: string, cookie = anna) =>
  call('patch', `/users/${from}`, cookie, { username: to });
const advanceClock = (ms: number) =>
  server.setClock({ wallMs: server.now().wallMs + ms, monoMs: server.now().monoMs + ms });
const hour = 3_600_000;

test('a renamed user is found by both names, and answers show the new one', async () => {
  insertDrink(server.store, { tap: 'pi.flow0', ticks: 200, username: 'bert' }, server.now());
  const { body } = await rename('bert', 'Bertram').expect(200);
  expect(body.result.user).toMatchObject({ username: 'Bertram', display_name: 'Bertram' });
  for (const name of ['bert', 'bertram', 'BERT']) {
    expect((await call('get', `/users/${name}`, anna).expect(200)).body.result.user.username).toBe('Bertram');
    const drinks = (await call('get', `/users/${name}/drinks`, anna).expect(200)).body.result.drinks;
    expect(drinks).toMatchObject([{ user_id: 'Bertram' }]);
    expect((await call('get', `/drinks?user=${name}`, anna)).body.result.paging.total).toBe(1);
    expect((await call('get', `/users/${name}/stats`, anna)).status).toBe(200);
  }
  expect((await call('get', '/users/bert/state', anna)).body.result.aliases).toEqual(['bert']);
  expect(server.engine.audit.list({ action: 'user.renamed' }).items).toMatchObject([
    {
      username: 'anna',
      subject: { kind: 'user', id: 'Bertram' },
      before: expect.stringContaining('{"username":"bert",'),
      after: expect.stringContaining('{"username":"Bertram",'),
    },
  ]);
});

test('a controller may go on naming the user by the old name, in any case', async () => {
  await rename('bert', 'bertram').expect(200);
  const post = (username: string, headers: Record<string, string> = {}) =>
    request(server.app)
      .post('/api/v1/taps/pi.flow0')
      .set({ Authorization: `Bearer ${server.staffKey}`, ...headers })
      .send({ ticks: 100, username });
  for (const headers of [{}, { 'X-Kegbot-Api-Key': server.staffKey }]) {
    await post('BERT', headers).expect(200);
    await post('ｂｅｒｔ', headers).expect(200);
  }
  const { items } = server.engine.lists.drinks({});
  expect(items.map(({ username, claimedUsername }) => [username, claimedUsername])).toEqual(
    Array.from({ length: 4 }, () => ['bertram', null]),
  );
});

test('nobody else can take an old name, nor one that only looks the same', async () => {
  await rename('bert', 'bertram').expect(200);
  for (const username of ['bert', 'BERT', 'ｂｅｒｔ', 'Bertram']) {
    const created = await call('post', '/users', anna, { username, password: 'hop-garden' }).expect(400);
    expect(created.body.error.fields).toEqual({ username: 'is taken' });
    await rename('anna', username).expect(400);
  }
  expect(() =>
    server.store.users.add({
      username: 'bert',
      displayName: 'bert',
      email: '',
      passwordHash: null,
      joinedTimeMs: 0,
      isStaff: false,
      isSuperuser: false,
      isActive: true,
    }),
  ).toThrow('alias');
});

test('a user may take an old name back, and the other name becomes the alias', async () => {
  await rename('bert', 'bertram').expect(200);
  await rename('bertram', 'bert').expect(200);
  const { body } = await call('get', '/users/bertram', anna).expect(200);
  expect(body.result.user.username).toBe('bert');
  expect((await call('get', '/users/bert/state', anna)).body.result.aliases).toEqual(['bertram']);
});

test('another case of the same name makes no alias', async () => {
  await rename('bert', 'Bert').expect(200);
  expect((await call('get', '/users/bert/state', anna)).body.result.aliases).toEqual([]);
  expect(server.engine.users.user('bert')?.username).toBe('Bert');
});

test('an account is renamed three times a day at most, and has ten old names at most', async () => {
  for (const [index, name] of ['b1', 'b2', 'b3'].entries())
    await rename(index === 0 ? 'bert' : 'bert', name).expect(200);
  const refused = await rename('bert', 'b4').expect(429);
  expect(refused.body.error.reason.name).toBe('renamed_too_often');
  expect(server.engine.users.user('bert')?.username).toBe('b3');
  for (let count = 4; count <= 10; count++) {
    advanceClock(24 * hour);
    anna = server.createConfirmedCookie('anna');
    await rename('bert', `b${count}`).expect(200);
  }
  advanceClock(24 * hour);
  anna = server.createConfirmedCookie('anna');
  const { body } = await rename('bert', 'b11').expect(409);
  expect(body.error.reason.name).toBe('too_many_aliases');
  expect(server.engine.users.user('bert')?.username).toBe('b10');
  await rename('bert', 'b1').expect(200);
});

test('the password works with the old name, and wrong ones count for the account whatever its name', async () => {
  const password = await server.engine.users.passwords.hash('hop-garden');
  const actor = { userId: null, via: 'console' } as const;
  server.engine.users.accounts.setPassword('bert', password, { actor, now: server.now() });
  await rename('bert', 'bertram').expect(200);
  for (const username of ['bert', 'bertram']) {
    const { body } = await request(server.app)
      .post('/api/auth/login')
      .send({ username, password: 'hop-garden' })
      .expect(200);
    expect(body.result.user.username).toBe('bertram');
  }
});

test.each([
  ['a reserved name', 'me', 400],
  ['a name with a blank', 'two words', 400],
  ['a name of two scripts', 'bеrt', 400],
])('refuses %s', async (_what, name, status) => {
  expect((await rename('bert', name).expect(status)).body.error.fields).toHaveProperty('username');
});

test('only staff rename, and only a superuser renames a superuser', async () => {
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  await rename('bert', 'bertram', server.createConfirmedCookie('bert')).expect(403);
  await rename('root', 'toor').expect(403);
  await rename('root', 'toor', server.createConfirmedCookie('root')).expect(200);
});

test('members list names only, staff all fields, and nobody lists users of a site for staff', async () => {
  const bert = server.createConfirmedCookie('bert');
  await call('patch', '/users/bert', anna, { display_name: 'Berti' }).expect(200);
  const list = async (cookie: string, query = '') =>
    (await call('get', `/users${query}`, cookie)).body.result;
  expect((await list(bert)).users).toEqual([
    { username: 'bert', display_name: 'Berti' },
    { username: 'anna', display_name: 'anna' },
  ]);
  expect((await list(bert, '?search=BERT')).paging.total).toBe(1);
  expect((await list(anna)).users[0]).toMatchObject({ username: 'bert', is_staff: false, is_active: true });
  await request(server.app).get('/api/users').expect(401);
  server.engine.users.changeSite({ privacy: 'staff' });
  await call('get', '/users', bert).expect(403);
  await call('get', '/users', anna).expect(200);
});
