import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';

const hint = '/api/v1/';
const python = { 'User-Agent': 'python-requests/2.32.3' };

test('a script that reads the status as kegbot-pycore does gets its result as well', async () => {
  const { app, staffKey } = createTestServer();
  const plain = await request(app).get('/api/status').set('X-Kegbot-Api-Key', staffKey).expect(200);
  const probe = await request(app)
    .get('/api/status')
    .set({ ...python, 'X-Kegbot-Api-Key': staffKey })
    .expect(200);
  expect(plain.body).not.toHaveProperty('error');
  expect(probe.body).toEqual({
    ...plain.body,
    error: { code: 'BadRequestError', message: expect.stringContaining(hint) },
  });
});

test.each([
  ['with another key carrier', '/api/status', { ...python, Authorization: 'Bearer KEY' }],
  ['by another program', '/api/status', { 'X-Kegbot-Api-Key': 'KEY', 'User-Agent': 'curl/8' }],
  ['of another address', '/api/drinks', { ...python, 'X-Kegbot-Api-Key': 'KEY' }],
  ['of another address that begins alike', '/api/stats', { ...python, 'X-Kegbot-Api-Key': 'KEY' }],
])('a read %s is answered without an error', async (_what, path, headers) => {
  const { app, staffKey } = createTestServer();
  const sent = Object.entries(headers).map(([name, value]) => [name, value.replace('KEY', staffKey)]);
  const { body } = await request(app).get(path).set(Object.fromEntries(sent)).expect(200);
  expect(Object.keys(body)).toEqual(['result']);
});

test('errors of missing addresses, methods and media types name the legacy API to clients with kegbot’s header only', async () => {
  const { app, staffKey } = createTestServer();
  const calls = [
    [404, () => request(app).post('/api/cancel-drink').type('form').send('id=1')],
    [404, () => request(app).get('/api/sound-events')],
    [405, () => request(app).post('/api/taps/pi.flow0').type('form').send('ticks=200')],
    [415, () => request(app).post('/api/controllers').type('form').send('name=kegboard')],
  ] as const;
  for (const [status, call] of calls) {
    const kegbot = await call().set('X-Kegbot-Api-Key', staffKey).expect(status);
    expect(kegbot.body.error.message).toContain(hint);
    const other = await call().set('Authorization', `Bearer ${staffKey}`).expect(status);
    expect(other.body.error.message).not.toContain(hint);
  }
  const missing = await request(app).get('/api/drinks/99').set('X-Kegbot-Api-Key', staffKey).expect(404);
  expect(missing.body.error.message).not.toContain(hint);
});
