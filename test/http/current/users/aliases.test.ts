import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let root: string;
let anna: string;

beforeEach(async () => {
  server = createTestServer();
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  root = server.createConfirmedCookie('root');
  anna = server.createConfirmedCookie('anna');
  await call('patch', '/users/bert', { username: 'bertram' }, anna).expect(200);
});

const call = (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object, cookie = root) =>
  request(server.app)[method](`/api${path}`).set('Cookie', cookie).send(body);
const list = async () => (await call('get', '/users/bertram/aliases').expect(200)).body.result;

test('the name before a rename is listed, removed, and added again', async () => {
  expect(await list()).toEqual({
    paging: { total: 1, limit: 1, pos: 0, next: null, prev: null },
    aliases: [{ username: 'bert' }],
  });
  await call('delete', '/users/bertram/aliases/BERT').expect(200);
  expect((await list()).aliases).toEqual([]);
  await call('get', '/users/bert').expect(404);
  await call('delete', '/users/bertram/aliases/bert').expect(404);
  const added = await call('post', '/users/bertram/aliases', { username: 'Bert' }).expect(201);
  expect(added.body.result).toEqual({ alias: { username: 'Bert' } });
  expect((await call('get', '/users/bert').expect(200)).body.result.user.username).toBe('bertram');
  const { items } = server.engine.audit.list({});
  expect(items.slice(0, 2)).toMatchObject([
    { username: 'root', action: 'user.alias_added', subject: { kind: 'user', id: 'bertram' } },
    { username: 'root', action: 'user.alias_removed', before: '{"username":"bert"}' },
  ]);
});

test('a removed alias is free for others, a present one is not', async () => {
  await call('post', '/users', { username: 'bert' }).expect(400);
  await call('post', '/users/anna/aliases', { username: 'bert' }).expect(400);
  await call('post', '/users/anna/aliases', { username: 'a b' }).expect(400);
  await call('delete', '/users/anna/aliases/bert').expect(404);
  await call('delete', '/users/bertram/aliases/bert').expect(200);
  await call('post', '/users', { username: 'bert' }).expect(201);
  await call('post', '/users/bertram/aliases', { username: 'bert' }).expect(400);
});

test('a user has at most ten aliases, which staff see and superusers change', async () => {
  for (let i = 0; i < 9; i++)
    await call('post', '/users/bertram/aliases', { username: `bert${i}` }).expect(201);
  const refused = await call('post', '/users/bertram/aliases', { username: 'bert9' }).expect(409);
  expect(refused.body.error.reason).toEqual({ name: 'too_many_aliases', most: 10 });
  expect((await list()).paging.total).toBe(10);
  await call('get', '/users/bertram/aliases', undefined, anna).expect(200);
  await call('delete', '/users/bertram/aliases/bert', undefined, anna).expect(403);
  await call('get', '/users/nobody-here/aliases').expect(404);
});

test('an erasure also finds an alias that was removed, unless somebody else has the name', async () => {
  await call('patch', '/users/bertram', { username: 'bertold' }, anna).expect(200);
  await call('delete', '/users/bertold/aliases/bert').expect(200);
  await call('delete', '/users/bertold/aliases/bertram').expect(200);
  await call('post', '/users', { username: 'bertram' }).expect(201);
  await call('post', '/users/bertold/erase').expect(200);
  const texts = JSON.stringify(server.engine.audit.list({}).items);
  expect(texts).not.toMatch(/"bert"|bertold/);
  await call('get', '/users/bertram').expect(200);
});
