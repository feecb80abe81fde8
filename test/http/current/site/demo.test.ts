import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';

/** A demo, and what was reset. */
function openDemo() {
  const resets: string[] = [];
  const demo = { reset: async () => void resets.push('reset') };
  return { ...createTestServer({ services: { demo } }), resets };
}

async function logInToDemo(server: ReturnType<typeof openDemo>): Promise<string> {
  const reply = await request(server.app).post('/api/demo/login').expect(200);
  expect(reply.body.result.user).toMatchObject({ username: 'demo', is_staff: true, is_superuser: false });
  return String((reply.headers['set-cookie'] as unknown as string[])[0]).split(';')[0]!;
}

test('a real bar has neither the log-in of the demo nor its reset nor its account', async () => {
  const { app, engine, createLoginCookie } = createTestServer();
  const anna = createLoginCookie('anna');
  for (const path of ['login', 'reset'])
    await request(app).post(`/api/demo/${path}`).set('Cookie', anna).expect(404);
  expect(engine.users.user('demo')).toBeNull();
  expect((await request(app).get('/api/users/me')).body.result.is_demo).toBe(false);
  const document = await request(app).get('/api/schema').set('Cookie', anna).expect(200);
  expect(Object.keys(document.body.paths).filter((path) => path.includes('demo'))).toEqual([]);
});

test('everybody logs in to a demo as staff, who are no superusers and share one account', async () => {
  const server = openDemo();
  expect((await request(server.app).get('/api/users/me')).body.result.is_demo).toBe(true);
  const cookie = await logInToDemo(server);
  expect(await logInToDemo(server)).not.toBe(cookie);
  expect(server.engine.users.user('demo2')).toBeNull();
  await request(server.app).get('/api/held-pours').set('Cookie', cookie).expect(200);
  await request(server.app).patch('/api/site').set('Cookie', cookie).send({ title: 'Try me' }).expect(200);
  await request(server.app)
    .post('/api/taps/2/record-drink')
    .set('Cookie', cookie)
    .send({ volume_ml: 300 })
    .expect(201);
});

test.each(['/admin/wiring', '/admin/unknown-tokens', '/admin/business', '/admin/valves', '/hardware'])(
  'the log-in of the demo reads %s, which pages for staff show',
  async (path) => {
    const server = openDemo();
    const cookie = await logInToDemo(server);
    await request(server.app).get(`/api${path}`).set('Cookie', cookie).expect(200);
  },
);

test('an account of that name keeps its password and its rights', async () => {
  const server = openDemo();
  server.engine.users.addUser({ username: 'demo' }, server.now());
  const reply = await request(server.app).post('/api/demo/login').expect(200);
  expect(reply.body.result.user.username).toBe('demo2');
  expect(server.engine.users.user('demo')).toMatchObject({ isStaff: false });
});

test.each([
  ['post', '/users', { username: 'mallory', is_staff: true, password: 'hop-garden' }],
  ['patch', '/users/anna', { is_staff: false }],
  ['patch', '/users/me', { display_name: 'Mallory', email: 'mallory@example.org' }],
  ['post', '/api-keys', { description: 'mine' }],
  ['post', '/invitations', { for_email: 'mallory@example.org' }],
  ['post', '/tablets', { name: 'mine' }],
  ['post', '/admin/webhooks', { url: 'http://127.0.0.1:1/' }],
  ['patch', '/admin/mail', { host: '127.0.0.1' }],
  ['post', '/admin/backups', {}],
  ['get', '/admin/logs', undefined],
  ['get', '/admin/bugreport', undefined],
  ['get', '/admin/backups', undefined],
  ['get', '/export/drinks', undefined],
  ['patch', '/notification-settings', {}],
  ['post', '/auth/confirm-password', { current_password: 'x' }],
] as const)('the log-in of the demo may not %s %s', async (method, path, body) => {
  const server = openDemo();
  const cookie = await logInToDemo(server);
  const reply = await request(server.app)[method](`/api${path}`).set('Cookie', cookie).send(body);
  expect([403, 404, 405]).toContain(reply.status);
  if (reply.status === 403)
    expect(['not_in_demo', 'superuser_needed']).toContain(reply.body.error.reason.name);
});

test('a page of another site can neither log in to the demo nor reset it', async () => {
  const server = openDemo();
  const foreign = { Origin: 'http://evil.example' };
  await request(server.app).post('/api/demo/login').set(foreign).expect(403);
  const cookie = await logInToDemo(server);
  await request(server.app).post('/api/demo/reset').set('Cookie', cookie).set(foreign).expect(403);
  expect(server.resets).toEqual([]);
});

test('staff reset the demo and are logged out, guests may not', async () => {
  const server = openDemo();
  await request(server.app).post('/api/demo/reset').expect(401);
  const cookie = await logInToDemo(server);
  const same = await request(server.app).post('/api/demo/reset').set('Cookie', cookie).expect(200);
  expect(String(same.headers['set-cookie'])).toMatch(/sessionid=;/);
  expect(server.resets).toEqual(['reset']);
});

test('a bar that opens the database of a demo closes the account and its logins', async () => {
  const server = openDemo();
  const cookie = await logInToDemo(server);
  await request(server.app).get('/api/held-pours').set('Cookie', cookie).expect(200);
  server.engine.site.demoAccount.close();
  await request(server.app).get('/api/held-pours').set('Cookie', cookie).expect(401);
  expect(server.engine.users.user('demo')).toMatchObject({ isActive: false, isStaff: false });
  server.engine.site.demoAccount.close();
});
