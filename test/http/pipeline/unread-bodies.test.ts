import { Dicer } from '@fastify/busboy';
import type { Express } from 'express';
import request from 'supertest';
import { expect, test, vi } from 'vitest';
import { systemActor } from '../../../src/engine/shared/audit.ts';
import { createTestServer } from '../test-server.ts';

const multipart = (parts: number) =>
  `${Array.from({ length: parts }, (_, n) => `--b\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\n1\r\n`).join('')}--b--\r\n`;

const form = 'multipart/form-data; boundary=b';

function post(app: Express, path: string, type: string, body: string, headers = {}) {
  return request(app)
    .post(path)
    .set({ 'Content-Type': type, ...headers })
    .serialize(() => body)
    .send(body);
}

/** Counts the parts that the parser of forms creates during `work`. */
async function countParts(work: () => PromiseLike<unknown>): Promise<number> {
  const emit = vi.spyOn(Dicer.prototype, 'emit');
  try {
    await work();
    return emit.mock.calls.filter(([event]) => (event as string) === 'part').length;
  } finally {
    emit.mockRestore();
  }
}

const lookUp = '/api/auth-tokens/core.rfid.0089f2c4';

test.each([
  ['a form', form, multipart(20_000)],
  ['an invalid form', form, 'beer'],
  ['invalid JSON', 'application/json', '{'],
  ['nested JSON', 'application/json', '['.repeat(30_000)],
  ['another type', 'text/plain', 'beer'],
])('on the current API %s of nobody is not parsed', async (_what, type, body) => {
  const { app, guestKey } = createTestServer();
  const parts = await countParts(async () => {
    for (const path of ['/api/kegs', '/api/drinks/1/picture']) {
      await post(app, path, type, body).expect(401);
      await post(app, path, type, body, { 'X-Kegbot-Api-Key': 'wrong' }).expect(401);
    }
    await post(app, '/api/beverages', type, body, { 'X-Kegbot-Api-Key': guestKey }).expect(403);
    const legacy = await post(app, '/api/v1/taps', type, body, { 'X-Kegbot-Api-Key': guestKey });
    expect(legacy.body.error.code).toBe('PermissionDeniedError');
  });
  expect(parts).toBe(0);
});

test('a key in the body counts on the legacy API and where a token is looked up, elsewhere it does not', async () => {
  const { app, staffKey } = createTestServer();
  const token = JSON.stringify({ auth_device: 'core.rfid', token_value: '0089f2c4' });
  await post(app, '/api/auth-tokens', 'application/json', token, { 'X-Kegbot-Api-Key': staffKey }).expect(
    201,
  );
  const body = JSON.stringify({ api_key: staffKey });
  const json = 'application/json';
  await post(app, lookUp, json, body).expect(200);
  await post(app, '/api/auth-tokens/core.rfid/0089f2c4', json, body).expect(200);
  await post(app, '/api/v1/auth-tokens/core.rfid.0089f2c4', json, body).expect(200);
  await post(app, lookUp, json, '{"api_key":"wrong"}').expect(401);
  await post(app, '/api/kegs', json, body).expect(401);
  const byHeader = await post(app, '/api/kegs', json, body, { 'X-Kegbot-Api-Key': staffKey }).expect(400);
  expect(byHeader.body.error.fields).toHaveProperty('api_key');
});

test('where the key may be a part of a form, at most 32 parts are parsed', async () => {
  const { app, staffKey } = createTestServer();
  const pour = '/api/v1/taps/pi.flow0';
  const parts = await countParts(() => post(app, pour, form, multipart(20_000)).expect(400));
  expect(parts).toBe(0);
  const key = `--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n${staffKey}\r\n`;
  const ticks = '--b\r\nContent-Disposition: form-data; name="ticks"\r\n\r\n9\r\n';
  await post(app, pour, form, `${key}${ticks}${multipart(30)}`).expect(200);
  await post(app, pour, form, `${key}${ticks}${multipart(31)}`).expect(400);
});

test('JSON has at most 32 levels, and without a key or log-in 500 values', async () => {
  const { app, staffKey } = createTestServer();
  const json = 'application/json';
  const pour = '/api/v1/taps/pi.flow0';
  const nested = (levels: number) => `{"ticks":1,"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  const wide = (values: number) => `{${Array.from({ length: values }, (_, n) => `"f${n}":","`).join(',')}}`;
  const headers = { 'X-Kegbot-Api-Key': staffKey };
  const messageOf = async (body: string, sent = {}) =>
    (await post(app, pour, json, body, sent)).body.error.message as string;
  expect(await messageOf(nested(33), headers)).toContain('32 are allowed');
  await post(app, pour, json, nested(32), headers).expect(200);
  expect(await messageOf(wide(500))).toContain('500 are allowed');
  expect(await messageOf(wide(499))).not.toContain('are allowed');
  expect(await messageOf(wide(2_000), headers)).not.toContain('are allowed');
});

test.each(['{"a":1,"\\u0061":2}', '{"x":{"b\\\\":1,"b\\\\":2}}', '{"x":[{"c":"}"},{"c":1,"c":2}]}'])(
  'a name that is sent twice is refused: %s',
  async (body) => {
    const { app, staffKey } = createTestServer();
    const answer = await post(app, '/api/kegs', 'application/json', body, { 'X-Kegbot-Api-Key': staffKey });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain('is sent twice');
  },
);

test('a caller who loses the permission while the body arrives is refused', async () => {
  const server = createTestServer();
  const { app, engine, staffKey } = server;
  const http = app.listen(0, '127.0.0.1');
  await new Promise((done) => http.once('listening', done));
  const { port } = http.address() as { port: number };
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const received = new Promise((done) => http.once('request', done));
  const answer = fetch(`http://127.0.0.1:${port}/api/beverages`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Kegbot-Api-Key': staffKey },
    body: body.readable,
    duplex: 'half',
  } as RequestInit);
  void writer.write(new TextEncoder().encode('{'));
  await received;
  engine.users.addUser({ username: 'carl', isStaff: true }, server.now());
  engine.users.accounts.change('anna', { isActive: false }, systemActor, server.now());
  void writer.write(new TextEncoder().encode('}'));
  void writer.close();
  expect((await answer).status).toBe(401);
  http.close();
});
