import sharp from 'sharp';
import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let anna: string;

beforeEach(() => {
  server = createTestServer();
  anna = server.createConfirmedCookie('anna');
});

const patch = (body: object) => request(server.app).patch('/api/site').set('Cookie', anna).send(body);

const read = async () =>
  (await request(server.app).get('/api/site').set('Cookie', anna).expect(200)).body.result.site;

test('shows all settings with their defaults', async () => {
  expect(await read()).toEqual({
    server_version: expect.any(String),
    is_setup: true,
    background_image_url: null,
    logo_url: null,
    allergen_note: '',
    opening_hours: '',
    title: 'Tapster',
    privacy: 'public',
    timezone: 'UTC',
    locale: '',
    volume_display_units: 'us',
    temperature_display_units: 'f',
    session_timeout_minutes: 180,
    keg_low_percent: 15,
    registration_mode: 'staff-invite-only',
    enable_sensing: true,
    enable_users: true,
    allow_claims: false,
    apply_learned_factors: false,
    require_https: 'auto',
    updates_check: false,
    updates_install: 'ask',
    updates_hour: 4,
    show_days_since_cleaning: false,
    show_first_steps: true,
    menu_code_printed: false,
  });
});

test('staff change single settings, and users/me shows them', async () => {
  const changes = {
    title: ' The Tap ',
    timezone: 'Europe/Berlin',
    enable_users: false,
    session_timeout_minutes: 90,
  };
  const before = await read();
  const after = { ...before, ...changes, title: 'The Tap' };
  expect((await patch(changes).expect(200)).body.result.site).toEqual(after);
  expect(await read()).toEqual(after);
  expect((await request(server.app).get('/api/users/me')).body.result.site).toEqual(after);
  expect(server.engine.audit.list({ action: 'site.changed' }).items).toMatchObject([
    { username: 'anna', via: 'page', after: expect.stringContaining('The Tap') },
  ]);
});

test.each([
  ['title', ''],
  ['title', '   '],
  ['privacy', 'secret'],
  ['timezone', 'Mars/Olympus'],
  ['timezone', '+02:00'],
  ['volume_display_units', 'pints'],
  ['session_timeout_minutes', -1],
  ['session_timeout_minutes', '180'],
  ['enable_users', 'false'],
  ['allow_claims', 1],
  ['is_setup', false],
  ['server_version', '9'],
])('refuses %s = %o together with all other changes', async (name, value) => {
  const before = await read();
  const { body } = await patch({ registration_mode: 'staff-invite-only', [name]: value }).expect(400);
  expect(body.error.fields).toHaveProperty([name]);
  expect(await read()).toEqual(before);
});

test('a change publishes database.changed', async () => {
  const titles: string[] = [];
  server.bus.on('database.changed', () => titles.push(server.engine.users.site().title));
  await patch({ title: 'The Tap' }).expect(200);
  expect(titles).toEqual(['The Tap']);
});

test('the background picture can be set, replaced and deleted, and follows the privacy setting', async () => {
  const png = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#c35900' } })
    .png()
    .toBuffer();
  const post = (field: string, bytes: Buffer) =>
    request(server.app)
      .post('/api/site/background-image')
      .set('Cookie', anna)
      .attach(field, bytes, 'beer.png');
  const { site } = (await post('image', png).expect(200)).body.result;
  const address: string = site.background_image_url;
  expect(address).toMatch(/^\/api\/pictures\/[0-9a-f]{32}-1024\.jpg$/);
  await request(server.app).get(address).expect('Content-Type', /jpeg/).expect(200);
  expect((await request(server.app).get('/api/users/me')).body.result.site.background_image_url).toBe(
    address,
  );

  await patch({ privacy: 'members' }).expect(200);
  await request(server.app).get(address).expect(401);
  await request(server.app).get(address).set('Cookie', anna).expect(200);

  for (const [field, bytes] of [
    ['photo', png],
    ['image', Buffer.from('no picture')],
  ] as const) {
    expect((await post(field, bytes).expect(400)).body.error.fields).toHaveProperty('image');
  }
  const second = (await post('image', png).expect(200)).body.result.site.background_image_url;
  expect(second).not.toBe(address);
  await request(server.app).get(address).set('Cookie', anna).expect(404);
  await request(server.app).delete('/api/site/background-image').set('Cookie', anna).expect(200);
  expect((await read()).background_image_url).toBeNull();
});

test('the logo is independent of the background picture', async () => {
  const png = await sharp({ create: { width: 300, height: 90, channels: 4, background: '#0000' } })
    .png()
    .toBuffer();
  const post = (path: string) =>
    request(server.app).post(`/api/site/${path}`).set('Cookie', anna).attach('image', png, 'sign.png');
  await post('background-image').expect(200);
  const { site } = (await post('logo').expect(200)).body.result;
  expect(site.logo_url).toMatch(/^\/api\/pictures\/[0-9a-f]{32}-1024\.jpg$/);
  expect(site.logo_url).not.toBe(site.background_image_url);
  await request(server.app).get(site.logo_url).expect('Content-Type', /jpeg/).expect(200);
  await request(server.app).post('/api/site/logo').attach('image', png, 'sign.png').expect(401);
  await request(server.app).delete('/api/site/background-image').set('Cookie', anna).expect(200);
  expect(await read()).toMatchObject({ background_image_url: null, logo_url: site.logo_url });
  await request(server.app).delete('/api/site/logo').set('Cookie', anna).expect(200);
  expect((await read()).logo_url).toBeNull();
  await request(server.app).get(site.logo_url).expect(404);
  expect(server.engine.audit.list({ action: 'site.logo_set' }).items).toHaveLength(2);
});

test('healthz of a private site shows its parts to local clients only', async () => {
  const health = (headers: Record<string, string> = {}) => request(server.app).get('/healthz').set(headers);
  const elsewhere = { 'X-Forwarded-For': '192.0.2.7' };
  expect((await health(elsewhere).expect(200)).body).toHaveProperty('parts');
  await patch({ privacy: 'members' }).expect(200);
  expect((await health(elsewhere).expect(200)).body).toEqual({ status: 'ok' });
  expect((await health().expect(200)).body).toHaveProperty('parts');
});

test('the mail server can be set as one URL, and its password is never shown', async () => {
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  anna = server.createConfirmedCookie('root');
  const line = 'submission://bar:hush@mail.example:2587/?_default_from_email=bar@example.org';
  const reply = await patch({ title: 'The Tap', email_config: line }).expect(200);
  expect(reply.body.result.site.title).toBe('The Tap');
  const mail = async () =>
    (await request(server.app).get('/api/admin/mail').set('Cookie', anna).expect(200)).body.result.mail;
  const set = {
    host: 'mail.example',
    port: 2587,
    security: 'starttls',
    username: 'bar',
    has_password: true,
    from_address: 'bar@example.org',
  };
  expect(await mail()).toMatchObject(set);
  for (const path of ['/api/site', '/api/admin/mail', '/api/audit']) {
    expect((await request(server.app).get(path).set('Cookie', anna)).text).not.toContain('hush');
  }
  // Without a password in the URL, the same server keeps the stored one.
  await patch({ email_config: 'submission://bar@mail.example:2587' }).expect(200);
  expect(await mail()).toMatchObject(set);
  // Neither is changed when one of the two is invalid.
  for (const body of [
    { title: 'Never', email_config: 'pigeon://roof' },
    { title: 'Never', email_config: 'smtp://mail.example:99999' },
    { timezone: 'Mars/Olympus', email_config: 'console:' },
  ]) {
    await patch(body).expect(400);
    expect((await read()).title).toBe('The Tap');
    expect(await mail()).toMatchObject(set);
  }
  await patch({ email_config: 'console:' }).expect(200);
  expect(await mail()).toMatchObject({ host: '', has_password: false });
});
