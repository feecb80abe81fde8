import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AdminService } from '../../../../src/http/admin-ports.ts';
import { createSetupCode } from '../../../../src/http/setup-code.ts';
import { listen } from '../../live/streams.ts';
import { createTestServer, type TestServer } from '../../test-server.ts';
import { createServerWithAdmin } from '../server-with-admin.ts';

const setup = createSetupCode();
const code = setup.text;
const gibibyte = 1024 ** 3;

let server: TestServer;
let listening: Awaited<ReturnType<typeof listen>>;
let restored: object[];
let inbox: string;
let newestSocket: Socket | undefined;

/** A server before set-up, whose admin service records what it is asked to restore. */
beforeEach(async () => {
  const { admin } = createServerWithAdmin();
  restored = [];
  const recordingAdmin: AdminService = {
    ...admin,
    async restore(from) {
      restored.push(from);
      return { createdMs: Date.UTC(2026, 4, 1), hasWrongTotals: false, hasOtherSettings: false };
    },
  };
  server = createTestServer({
    setup,
    services: { admin: recordingAdmin },
    settings: { trustProxy: false, rateLimits: true, hosts: [] },
  });
  server.store.transaction(() => {
    server.store.users.change({ ...server.engine.users.user('anna')!, isStaff: false });
    server.store.site.write({ ...server.store.site.read(), isSetUp: false });
  });
  listening = await listen(server.app);
  listening.server.on('connection', (socket: Socket) => {
    newestSocket = socket;
  });
  const probe = server.engine.pictures.receive(0);
  inbox = dirname(probe.path);
  await probe.discard();
});

afterEach(async () => {
  await listening.close(0);
  expect(server.faults).toEqual([]);
});

const part = (name: string, value: string) =>
  `--glass\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fileHead = '--glass\r\nContent-Disposition: form-data; name="backup"; filename="b.tar.gz"\r\n\r\n';

/** Opens a request that announces `bytes` bytes, and sends the first of them. */
async function startUpload(bytes: number, ...first: readonly string[]): Promise<Socket> {
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.setEncoding('utf8');
  socket.write(
    'POST /api/setup/restore HTTP/1.1\r\nHost: bar\r\nConnection: close\r\n' +
      `Content-Type: multipart/form-data; boundary=glass\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  for (const text of first) socket.write(text);
  return socket;
}

/** Keeps sending until an answer arrives, like a client that does not read; returns status and error. */
async function readReply(socket: Socket) {
  let text = '';
  socket.on('data', (piece: string) => {
    text += piece;
  });
  socket.on('error', () => {});
  const more = setInterval(() => socket.write(' '.repeat(65_536)), 1);
  while (!text.includes('\r\n\r\n{') && !socket.closed) await new Promise(setImmediate);
  clearInterval(more);
  socket.destroy();
  return { status: Number(text.slice(9, 12)), error: JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).error };
}

/** Files being received. */
const listUploads = (): readonly string[] => readdirSync(inbox);

test('refuses a large file with a wrong code, or before the code, without receiving it', async () => {
  const wrong = await readReply(await startUpload(gibibyte, part('code', 'WRONGONE'), fileHead, 'beer'));
  expect(wrong).toMatchObject({ status: 400, error: { fields: { code: expect.any(String) } } });
  const late = await readReply(await startUpload(gibibyte, fileHead, 'beer'));
  expect(late).toMatchObject({ status: 400, error: { fields: { code: 'must come before the file' } } });
  await expect.poll(listUploads).toEqual([]);
  expect(restored).toEqual([]);
});

test('refuses a large file in another field, even with the right code', async () => {
  const other = fileHead.replace('"backup"', '"menu"');
  const answer = await readReply(await startUpload(gibibyte, part('code', code), other));
  expect(answer.status).toBe(413);
});

test('refuses a backup larger than the disk or the limit by its Content-Length', async () => {
  const answer = await readReply(await startUpload(9_000 * gibibyte, part('code', code), fileHead));
  expect(answer).toMatchObject({ status: 413, error: { message: expect.stringContaining('MB') } });
});

test('blocks uploads for a quarter of an hour after ten wrong codes', async () => {
  const send = (enteredCode: string) =>
    request(server.app)
      .post('/api/setup/restore')
      .field('code', enteredCode)
      .attach('backup', Buffer.from('x'), 'b');
  for (let i = 0; i < 3; i++) await send(code).expect(200);
  for (let i = 0; i < 10; i++) await send('WRONGONE').expect(400);
  await send(code).expect(429);
  expect(restored).toHaveLength(3);
});

test('receives 11 MiB, one large file at a time, and deletes it afterwards', async () => {
  const bytes = 11 * 1024 * 1024;
  const tail = '\r\n--glass--\r\n';
  const length = part('code', code).length + fileHead.length + bytes + tail.length;
  const first = await startUpload(length, part('code', code), fileHead, ' '.repeat(1_000));
  await expect.poll(() => listUploads().length).toBe(1);
  const second = await readReply(await startUpload(gibibyte, part('code', code), fileHead, 'beer'));
  expect(second).toMatchObject({ status: 503, error: { message: expect.stringContaining('wait') } });
  let reply = '';
  first.on('data', (text: string) => {
    reply += text;
  });
  first.write(' '.repeat(bytes - 1_000) + tail);
  await once(first, 'close');
  expect(reply).toContain('HTTP/1.1 200');
  expect(restored).toEqual([{ path: expect.stringContaining(inbox) }]);
  await expect.poll(listUploads).toEqual([]);
});

test('deletes a partial upload after a disconnect and accepts the next one', async () => {
  const socket = await startUpload(gibibyte, part('code', code), fileHead, ' '.repeat(100_000));
  await expect.poll(() => listUploads().length).toBe(1);
  socket.destroy();
  await expect.poll(listUploads).toEqual([]);
  await request(server.app)
    .post('/api/setup/restore')
    .field('code', code)
    .attach('backup', Buffer.from('x'), 'b')
    .expect(200);
});

test('a backup may be received slowly as long as data arrives', async () => {
  const socket = await startUpload(gibibyte, part('code', code), fileHead, 'beer');
  await expect.poll(() => listUploads().length).toBe(1);
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  listening.server.emit('clientError', late, newestSocket);
  expect(newestSocket!.destroyed).toBe(false);
  // The upload ends after a minute without data.
  expect(newestSocket!.timeout).toBe(60_000);
  socket.destroy();
  await expect.poll(listUploads).toEqual([]);
});

test('lists local backups only with the code', async () => {
  const list = (enteredCode: string) =>
    request(server.app).post('/api/setup/backups').send({ code: enteredCode });
  expect((await list('WRONGONE').expect(400)).body.error.fields).toHaveProperty('code');
  expect((await list(code).expect(200)).body.result).toEqual({ backups: [], most_bytes: expect.any(Number) });
  server.engine.users.changeSite({ isSetUp: true });
  await list(code).expect(403);
});
