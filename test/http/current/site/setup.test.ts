import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createSetupCode } from '../../../../src/http/setup-code.ts';
import { createTestServer, type TestServer } from '../../test-server.ts';

const setup = createSetupCode();
const code = setup.text;
let server: TestServer;

/** A server before set-up, without staff. */
beforeEach(() => {
  server = createTestServer({ setup });
  server.store.transaction(() => {
    server.store.users.change({ ...server.engine.users.user('anna')!, isStaff: false });
    server.store.site.write({ ...server.store.site.read(), isSetUp: false });
  });
});

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  request(server.app).post(`/api/setup/${path}`).set(headers).send(body);

test('the set-up steps create a superuser, log it in and open the site', async () => {
  const status = await request(server.app).get('/api/setup/status').expect(200);
  expect(status.body.result).toMatchObject({ need_setup: true, need_upgrade: false, has_admin: false });
  await post('migrate', { code }).expect(200);
  const settings = { title: 'The Tap', timezone: 'Europe/Berlin', volume_display_units: 'metric' };
  expect((await post('settings', { code, ...settings }).expect(200)).body.result.site).toMatchObject(
    settings,
  );
  await post('finish', { code }).expect(409);

  const admin = { username: 'root', email: 'root@example.org', password: 'hop-garden' };
  const created = await post('admin-user', { code, ...admin }).expect(201);
  expect(created.body.result.user).toMatchObject({ username: 'root', is_staff: true, is_superuser: true });
  const [cookie = ''] = created.headers['set-cookie'] as unknown as string[];
  await request(server.app).get('/api/taps').expect(409);
  await request(server.app).get('/api/taps').set('Cookie', cookie).expect(200);

  expect((await post('finish', { code }).expect(200)).body).toEqual({ result: {} });
  await request(server.app).get('/api/taps').expect(200);
  await request(server.app).get('/api/users').set('Cookie', cookie).expect(200);
  for (const path of ['migrate', 'settings', 'admin-user', 'finish', 'upgrade']) {
    expect((await post(path, { code, ...admin }).expect(403)).body.error.code).toBe('PermissionDeniedError');
  }
  await request(server.app).get('/api/setup/status').expect(403);
});

test('a new site lets everybody read and only people invited by staff register', async () => {
  expect((await post('settings', { code }).expect(200)).body.result.site).toMatchObject({
    privacy: 'public',
    registration_mode: 'staff-invite-only',
  });
  const answers = { privacy: 'members', registration_mode: 'public' };
  expect((await post('settings', { code, ...answers }).expect(200)).body.result.site).toMatchObject(answers);
});

test('a stranger cannot register at a new site until staff say so', async () => {
  await post('admin-user', { code, username: 'root', password: 'hop-garden' }).expect(201);
  await post('finish', { code }).expect(200);
  const stranger = { username: 'mallory', email: 'mallory@example.org', password: 'hop-garden' };
  const register = () => request(server.app).post('/api/auth/register').send(stranger);
  expect((await register().expect(403)).body.error.reason).toEqual({ name: 'invitation_required' });
  expect(server.engine.users.user('mallory')).toBeNull();
  server.engine.users.changeSite({ registrationMode: 'public' });
  await register().expect(201);
});

test.each([
  ['migrate', {}],
  ['settings', { title: 'Mine now' }],
  ['admin-user', { username: 'mallory', password: 'hop-garden' }],
  ['finish', {}],
  ['upgrade', {}],
])('%s does nothing without the code from the console', async (path, fields) => {
  for (const sent of [fields, { ...fields, code: '' }, { ...fields, code: '0000-0000' }]) {
    const { body } = await post(path, sent).expect(400);
    expect(body.error.fields).toEqual({ code: expect.any(String) });
  }
  expect(server.engine.users.user('mallory')).toBeNull();
  expect(server.engine.users.site()).toMatchObject({ title: 'Tapster', isSetUp: false });
});

test('a page of another origin cannot run the set-up, even with the code', async () => {
  await post('settings', { code, title: 'Mine' }, { Origin: 'http://evil.example' }).expect(403);
});

test('refuses a short password and an unknown time zone, and names the field', async () => {
  const short = { code, username: 'root', password: 'hops' };
  expect((await post('admin-user', short).expect(400)).body.error.fields).toHaveProperty('password');
  const mars = { code, timezone: 'Mars/Olympus' };
  expect((await post('settings', mars).expect(400)).body.error.fields).toHaveProperty('timezone');
});

test('blocks an address for a quarter of an hour after ten wrong codes', async () => {
  server = createTestServer({ setup, settings: { trustProxy: false, rateLimits: true, hosts: [] } });
  server.engine.users.changeSite({ isSetUp: false });
  for (let i = 0; i < 12; i++) await post('migrate', { code }).expect(200);
  for (let i = 0; i < 10; i++) await post('migrate', { code: '0000-0000' }).expect(400);
  expect(Number((await post('migrate', { code }).expect(429)).headers['retry-after'])).toBeGreaterThan(600);
  await request(server.app).get('/api/setup/status').expect(200);
});

test('counting routes work before the set-up, and users/me shows that it is missing', async () => {
  await request(server.app).get('/api/v1/taps').expect(200);
  const { user, site } = (await request(server.app).get('/api/users/me').expect(200)).body.result;
  expect(user).toBeNull();
  expect(site.is_setup).toBe(false);
  const refused = await request(server.app).get('/api/taps').expect(409);
  expect(refused.body.error).toMatchObject({
    code: 'Error',
    message: expect.stringContaining('Set-up is not finished'),
  });
  await request(server.app).get('/api/taps').set('X-Kegbot-Api-Key', 'wrong').expect(409);
  await request(server.app).get('/api/taps').set('X-Kegbot-Api-Key', server.guestKey).expect(200);
});

test('a staff account created on the console finishes the set-up', async () => {
  server.engine.users.addUser({ username: 'cleo', isStaff: true }, server.now());
  await request(server.app).get('/api/taps').expect(200);
  await post('finish', { code }).expect(403);
});
