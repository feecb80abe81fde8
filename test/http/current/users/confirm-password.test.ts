import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createServerWithMail, type ServerWithMail } from '../server-with-mail.ts';

const password = 'hop-garden';

let server: ServerWithMail;
let login: string;
beforeEach(async () => {
  server = await createServerWithMail();
  const hashed = await server.engine.users.passwords.hash(password);
  const root = { username: 'root', isSuperuser: true, email: 'root@example.org', password: hashed };
  server.engine.users.addUser(root, server.now());
  server.engine.notifications.webhooks.add('http://192.168.1.5/board', {
    actor: rootActor(),
    now: server.now(),
  });
  login = server.createLoginCookie('root');
});
afterEach(() => server.close());

const rootActor = () => ({ userId: server.engine.users.user('root')!.id, via: 'page' }) as const;

type Change = readonly [method: 'post' | 'put' | 'patch' | 'delete', path: string, body: object | undefined];

/** Every request that decides where secrets go. */
const changes: readonly Change[] = [
  ['patch', '/admin/mail', { base_url: 'http://evil.example' }],
  ['patch', '/admin/mail', { host: 'evil.example' }],
  ['patch', '/site', { email_config: 'smtp://evil.example:25/?_default_from_email=a@b.example' }],
  ['post', '/admin/webhooks', { url: 'http://192.168.1.66/' }],
  ['patch', '/admin/webhooks/1', { url: 'http://192.168.1.66/' }],
  ['delete', '/admin/webhooks/1', undefined],
  ['post', '/admin/webhook-secret', {}],
  [
    'put',
    '/admin/plugins/webhook/settings',
    { webhook_urls: 'http://192.168.1.66/', secret: 'known to anna' },
  ],
];

const send = ([method, path, body]: Change, headers: Readonly<Record<string, string>> = { Cookie: login }) =>
  request(server.app)[method](`/api${path}`).set(headers).send(body);

const confirm = (text = password, cookie = login) =>
  request(server.app)
    .post('/api/auth/confirm-password')
    .set('Cookie', cookie)
    .send({ current_password: text });

const reason = async (reply: ReturnType<typeof send>, status = 403) =>
  (await reply.expect(status)).body.error.reason.name;

test.each(changes)('only a superuser who has entered the password again can %s %s %o', async (...change) => {
  const { engine } = server;
  const settings = () =>
    JSON.stringify([
      engine.notifications.mail.settings(),
      engine.notifications.webhooks.list(),
      engine.notifications.webhooks.settings(),
    ]);
  const before = settings();
  const key = engine.users.createKey('root', '', server.now()).secret;
  expect(await reason(send(change, { Cookie: server.createLoginCookie('anna') }))).toBe('superuser_needed');
  expect(await reason(send(change, { 'X-Kegbot-Api-Key': server.staffKey }))).toBe('superuser_needed');
  expect(await reason(send(change, { 'X-Kegbot-Api-Key': key }))).toBe('no_keys');
  const refused = await send(change).expect(403);
  expect(refused.body.error).toMatchObject({
    reason: { name: 'password_needed' },
    fields: { current_password: expect.any(String) },
  });
  expect(settings()).toBe(before);
  await confirm().expect(200);
  expect((await send(change)).ok).toBe(true);
  expect(settings()).not.toBe(before);
});

test('staff who ask for the reset of a superuser’s password cannot redirect its link', async () => {
  const anna = { Cookie: server.createLoginCookie('anna') };
  for (const change of changes) await send(change, anna).expect(403);
  await request(server.app)
    .post('/api/auth/password-reset')
    .set('Host', 'evil.example')
    .send({ email: 'root@example.org' });
  const mails = await server.newMails();
  expect(mails.map(({ text }) => text).join()).not.toContain('evil.example');
});

test('a confirmed password counts for five minutes and for its own login only', async () => {
  expect((await confirm().expect(200)).body.result).toEqual({ seconds: 300 });
  const other = server.createLoginCookie('root');
  expect(await reason(send(changes[0]!, { Cookie: other }))).toBe('password_needed');
  const { monoMs } = server.now();
  server.setClock({ monoMs: monoMs + 299_999 });
  await send(changes[0]!).expect(200);
  server.setClock({ monoMs: monoMs + 300_000 });
  expect(await reason(send(changes[0]!))).toBe('password_needed');
});

test('a wrong password confirms nothing, a key has nothing to confirm, another site cannot ask', async () => {
  const wrong = await confirm('not it').expect(400);
  expect(wrong.body.error).toMatchObject({
    reason: { name: 'wrong_password' },
    fields: { current_password: expect.any(String) },
  });
  await request(server.app)
    .post('/api/auth/confirm-password')
    .set('X-Kegbot-Api-Key', server.engine.users.createKey('root', '', server.now()).secret)
    .send({ current_password: password })
    .expect(409);
  await confirm().set('Origin', 'http://evil.example').expect(403);
  await request(server.app)
    .post('/api/auth/confirm-password')
    .send({ current_password: password })
    .expect(401);
  expect(await reason(send(changes[0]!))).toBe('password_needed');
});

test.each(['/admin/backups/none.tar.gz/download', '/users/bert/export'])(
  'only a superuser who has entered the password again reads %s',
  async (path) => {
    const read = (headers: Readonly<Record<string, string>>) =>
      request(server.app).get(`/api${path}`).set(headers);
    const refusal = async (headers: Readonly<Record<string, string>>) =>
      (await read(headers).expect(403)).body.error.reason.name;
    const key = server.engine.users.createKey('root', '', server.now()).secret;
    expect(await refusal({ Cookie: server.createConfirmedCookie('anna') })).toBe('superuser_needed');
    expect(await refusal({ 'X-Kegbot-Api-Key': key })).toBe('no_keys');
    expect(await refusal({ Cookie: login })).toBe('password_needed');
    // The page asks with HEAD first whether the password is needed.
    await request(server.app).head(`/api${path}`).set('Cookie', login).expect(403);
    await confirm().expect(200);
    expect((await read({ Cookie: login })).status).not.toBe(403);
  },
);
