import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { hashPassword } from '../../../../src/engine/users/secrets.ts';
import { createPopulatedServer, type PopulatedServer } from '../populated-server.ts';
import { createSuperuserClient } from '../staff-client.ts';

let server: PopulatedServer;
let root: ReturnType<typeof createSuperuserClient>;
beforeEach(() => {
  server = createPopulatedServer();
  root = createSuperuserClient(server);
});

test.each([
  ['/site', 'site', 'locale'],
  ['/site', 'site', 'opening_hours'],
  ['/site', 'site', 'allergen_note'],
  ['/admin/mail', 'mail', 'username'],
  ['/admin/mail', 'mail', 'host'],
])('blanks are an empty text: %s %s %s', async (path, item, field) => {
  const shown = await root.send('patch', path, { [field]: ' \t\u00a0 ' });
  expect(shown[item][field]).toBe('');
  expect(await root.send('patch', path, { [field]: '' })).toEqual(shown);
});

test('blanks are refused like an empty text, by the name of the field', async () => {
  const refusals = [];
  for (const title of ['', '   '])
    refusals.push((await root.expectError(400, 'patch', '/site', { title })).fields);
  expect(Object.keys(refusals[0])).toEqual(['title']);
  expect(refusals[1]).toEqual(refusals[0]);
});

test('blanks within an object and a list are an empty text, too', async () => {
  await root.send('post', '/drinks/assign', {
    drinks: [4],
    username: 'carla',
    create_user: { email: '   ' },
  });
  expect(server.engine.users.user('carla')!.email).toBe('');
  expect(
    await root.expectError(400, 'post', '/drinks/assign', { drinks: ['  '], username: 'carla' }),
  ).toEqual(await root.expectError(400, 'post', '/drinks/assign', { drinks: [''], username: 'carla' }));
});

test('every character of a password counts, also of one that was allowed once', async () => {
  const password = await hashPassword('          ');
  server.store.transaction(() =>
    server.store.users.setPassword(server.engine.users.user('bert')!.id, password),
  );
  const logIn = (text: string) =>
    request(server.app).post('/api/auth/login').send({ username: 'bert', password: text });
  await logIn('          ').expect(200);
  await logIn('         ').expect(400);
});
