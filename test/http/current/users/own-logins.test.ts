import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';

let server: TestServer;

beforeEach(async () => {
  server = createTestServer();
  const password = await server.engine.users.passwords.hash('hop-garden');
  server.engine.users.accounts.setPassword('bert', password, {
    actor: { userId: null, via: 'daemon' },
    now: server.now(),
  });
});

async function logIn(browser: string): Promise<string> {
  const reply = await request(server.app)
    .post('/api/auth/login')
    .set('User-Agent', browser)
    .send({ username: 'bert', password: 'hop-garden' })
    .expect(200);
  return String(reply.headers['set-cookie']).split(';')[0]!;
}

const list = async (cookie: string) =>
  (await request(server.app).get('/api/account/logins').set('Cookie', cookie).expect(200)).body.result.logins;
const end = (cookie: string, id: number) =>
  request(server.app).delete(`/api/account/logins/${id}`).set('Cookie', cookie);

test('a user lists their logins and ends one of them', async () => {
  const phone = await logIn('Firefox on a phone');
  const laptop = await logIn('x'.repeat(1_000));
  const logins = await list(laptop);
  expect(logins).toMatchObject([
    { by: 'password', user_agent: 'x'.repeat(256), is_this: true },
    { by: 'password', user_agent: 'Firefox on a phone', is_this: false },
  ]);
  expect(logins[1].created_time).toBe('2026-05-02T17:00:00Z');
  await end(laptop, logins[1].id).expect(200);
  await request(server.app).get('/api/account/logins').set('Cookie', phone).expect(401);
  expect(await list(laptop)).toHaveLength(1);
});

test('a user cannot see or end the logins of others', async () => {
  const bert = await logIn('Firefox');
  const anna = server.createLoginCookie('anna');
  const [berts] = await list(bert);
  const [annas] = await list(anna);
  await end(anna, berts.id).expect(404);
  await end(bert, annas.id).expect(404);
  expect(await list(bert)).toHaveLength(1);
  await request(server.app).get('/api/account/logins').expect(401);
});

test('does not list ended logins, and corrects the time of one opened before the clock was set', async () => {
  const old = await logIn('long ago');
  server.setClock({ wallMs: server.now().wallMs + 15 * 24 * 3_600_000 });
  const current = await logIn('today');
  expect(await list(current)).toHaveLength(1);
  await request(server.app).get('/api/account/logins').set('Cookie', old).expect(401);

  server.setClock({ wallMs: Date.UTC(2020, 0, 1), synced: false });
  const unset = await logIn('before the time was known');
  const { monoMs } = server.now();
  server.setClock({ wallMs: Date.UTC(2026, 5, 1, 12), synced: true, monoMs: monoMs + 60_000 });
  const [login] = await list(unset);
  expect(login.created_time).toBe('2026-06-01T11:59:00Z');
});
