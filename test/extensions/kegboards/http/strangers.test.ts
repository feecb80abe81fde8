import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer } from '../../../http/test-server.ts';

test('a wrong token is a failed login, in the audit log and the log', async () => {
  const lines: { readonly details: object; readonly message: string }[] = [];
  const note = (details: object, message: string) => void lines.push({ details, message });
  const { app, engine, now } = createTestServer({
    settings: { trustProxy: true, rateLimits: true, hosts: [] },
    services: { log: { info: note, warn: note, error() {} } },
  });
  await request(app)
    .post('/api/device-event')
    .set({ 'X-Forwarded-For': '192.168.1.66', Authorization: 'Bearer stolen' })
    .send({});
  const written = lines.filter(({ message }) => message.startsWith('login'));
  expect(written).toMatchObject([
    { message: 'login failed', details: { address: '192.168.1.66', user: null } },
  ]);
  engine.users.loginLog.flush(now(), { all: true });
  expect(engine.audit.list({ isLogin: true, limit: 10 }).items).toMatchObject([
    { action: 'login.failed', username: null, subject: { id: '192.168.1.66' } },
  ]);
});

test('boards report before the set-up is finished', async () => {
  const { app, engine } = createTestServer();
  engine.users.changeSite({ isSetUp: false });
  await request(app).get('/api/taps').expect(409);
  const { status } = await request(app).post('/api/device-event').send({ device: 'cellar' });
  expect(status).toBe(400);
});

test('the log-in of a demo reads boards, and decides nothing about them', async () => {
  const server = createTestServer({ services: { demo: { reset: async () => {} } } });
  const login = await request(server.app).post('/api/demo/login').expect(200);
  const cookie = String((login.headers['set-cookie'] as unknown as string[])[0]).split(';')[0]!;
  const send = (method: 'get' | 'post', path: string) =>
    request(server.app)[method](`/api/admin/${path}`).set('Cookie', cookie);
  await send('get', 'kegboards').expect(200);
  const refused = await send('post', 'kegboards/cellar/allow').expect(403);
  expect(refused.body.error.reason.name).toBe('not_in_demo');
  await send('get', 'logs').expect(403);
});
