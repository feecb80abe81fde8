import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import request from 'supertest';
import { beforeAll, expect, test, vi } from 'vitest';
import { pictureQuotas } from '../../../src/core/files/picture-quota.ts';
import { createTestServer, type TestServer } from '../test-server.ts';

let photo: Buffer;

beforeAll(async () => {
  photo = await sharp({ create: { width: 1600, height: 800, channels: 3, background: 'gold' } })
    .jpeg()
    .toBuffer();
});

const pour = (server: TestServer, fields: Record<string, string> = { ticks: '660' }) => {
  const call = request(server.app).post('/api/v1/taps/pi.flow0').set('X-Kegbot-Api-Key', server.staffKey);
  for (const [name, value] of Object.entries(fields)) call.field(name, value);
  return call;
};

test('a photo posted with a pour becomes the drink’s picture', async () => {
  const server = createTestServer();
  const reply = await pour(server, { ticks: '660', username: 'anna' })
    .attach('photo', photo, 'me.jpg')
    .expect(200);
  const { id, images, keg_id, session_id, time } = reply.body.object;
  expect(images).toEqual([
    {
      url: expect.stringMatching(/^\/api\/pictures\/[0-9a-f]{32}-1024\.jpg$/),
      thumbnail_url: expect.stringMatching(/^\/api\/pictures\/[0-9a-f]{32}-128\.jpg$/),
      original_url: images[0].url,
      time,
      user_id: 'anna',
      keg_id,
      session_id,
    },
  ]);
  expect(server.engine.pictures.ofDrink(id)).not.toBeNull();

  for (const [url, width, height] of [
    [images[0].url, 1024, 512],
    [images[0].thumbnail_url, 128, 128],
  ] as const) {
    const picture = await request(server.app).get(url).expect(200);
    expect(picture.headers['content-type']).toBe('image/jpeg');
    expect(await sharp(picture.body as Buffer).metadata()).toMatchObject({ format: 'jpeg', width, height });
  }
});

test('accepts a photo in the reference format', async () => {
  const server = createTestServer();
  const reply = await request(server.app)
    .post('/api/v1/tap/1/')
    .field('api_key', server.staffKey)
    .field('ticks', '660')
    .attach('photo', photo, 'me.jpg')
    .expect(200);
  expect(reply.body.result.drink.volume_ml).toBe(330);
  expect(server.engine.pictures.ofDrink(Number(reply.body.result.drink.id))).not.toBeNull();
});

/** What the history of drink 1 says was left out. */
const leftOut = ({ engine }: TestServer) =>
  engine.audit
    .list({ action: 'drink.report_shortened', subject: { kind: 'drink', id: '1' } })
    .items.map(({ after }) => JSON.parse(after!).left_out);

const heic = Buffer.concat([
  Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
  Buffer.alloc(5_000, 7),
]);

test.each<[string, () => Buffer, RegExp]>([
  ['is no picture', () => Buffer.from('beer'), /must be a picture/],
  ['is empty', () => Buffer.alloc(0), /must be a picture/],
  ['is truncated', () => photo.subarray(0, 300), /must be a picture/],
  ['has another format', () => heic, /JPEG, PNG/],
  ['is larger than 10 MiB', () => Buffer.alloc(11 * 1_048_576), /is larger than 10 MiB/],
])('a photo that %s is left out, and the pour is recorded', async (_what, makePhoto, reason) => {
  const server = createTestServer();
  const reply = await pour(server).attach('photo', makePhoto(), 'me.jpg').expect(200);
  expect(reply.body.object).toMatchObject({ id: 1, ticks: 660, volume_ml: 330 });
  expect(reply.body.object.images).toBeUndefined();
  expect(leftOut(server)).toEqual([{ photo: expect.stringMatching(reason) }]);
});

test('a photo that is a text is left out, and fields after a photo that is too large are read', async () => {
  const server = createTestServer();
  await pour(server, { ticks: '660', photo: 'me.jpg' }).expect(200);
  await request(server.app)
    .post('/api/v1/taps/pi.flow0')
    .attach('photo', Buffer.alloc(11 * 1_048_576), 'me.jpg')
    .field('ticks', '440')
    .field('api_key', server.staffKey)
    .expect(200);
  expect(server.engine.drinks.newest(2).map(({ ticks }) => ticks)).toEqual([440, 660]);
});

test('a photo that takes long does not hold the answer, and is added when it is ready', async () => {
  const server = createTestServer();
  const { pictures } = server.engine;
  const { prepare } = pictures;
  let finish = () => {};
  const ready = new Promise<void>((resolve) => (finish = resolve));
  vi.spyOn(pictures, 'prepare').mockImplementation((...of) => ready.then(() => prepare(...of)));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answering = pour(server).attach('photo', photo, 'me.jpg').expect(200);
  const answer = answering.then((reply) => reply);
  await vi.waitFor(() => expect(pictures.prepare).toHaveBeenCalled(), { timeout: 10_000 });
  expect(server.engine.drinks.list({}).total).toBe(1);
  vi.advanceTimersByTime(3_000);
  vi.useRealTimers();
  expect((await answer).body.object.images).toBeUndefined();
  finish();
  await vi.waitFor(() => expect(pictures.ofDrink(1)).not.toBeNull(), { timeout: 10_000 });
});

test('a pour posted twice with its photo creates one drink with one picture', async () => {
  const server = createTestServer();
  const post = () =>
    pour(server, { ticks: '660', pour_id: 'p1' }).attach('photo', photo, 'me.jpg').expect(200);
  const first = await post();
  expect((await post()).body).toEqual(first.body);
  expect(server.engine.drinks.newest(9)).toHaveLength(1);
});

test('records the pour without its photo when a backup blocks the resizing of pictures for too long', async () => {
  const server = createTestServer();
  const timeout = vi
    .spyOn(AbortSignal, 'timeout')
    .mockReturnValue(AbortSignal.abort(new Error('waited 60 s')));
  const reply = await pour(server, { ticks: '660' }).attach('photo', photo, 'me.jpg').expect(200);
  timeout.mockRestore();
  expect(reply.body.object).toMatchObject({ volume_ml: 330 });
  expect(reply.body.object.images).toBeUndefined();
});

test('records the pour without its photo when the key’s user has used up the day’s pictures', async () => {
  const server = createTestServer();
  const by = { user: server.engine.users.user('anna')!, now: server.now() };
  for (let i = 0; i < pictureQuotas.staff.pictures; i++)
    server.store.pictures.uploads.add(by.user.id, { timeMs: by.now.wallMs, bytes: 1 });
  const keyInHeader = await pour(server).attach('photo', photo, 'me.jpg').expect(200);
  const keyInBody = await request(server.app)
    .post('/api/v1/tap/1/')
    .attach('photo', photo, 'me.jpg')
    .field('ticks', '440')
    .field('api_key', server.staffKey)
    .expect(200);
  expect([keyInHeader.body.object.ticks, keyInBody.body.result.drink.ticks]).toEqual([660, 440]);
  expect(keyInHeader.body.object.images).toBeUndefined();
  expect(server.engine.drinks.newest(10)).toHaveLength(2);
});

test('ignores the photo of a spill', async () => {
  const server = createTestServer();
  const reply = await pour(server, { ticks: '660', spilled: 'True' }).attach(
    'photo',
    Buffer.from('x'),
    'a.jpg',
  );
  expect(reply.body).toEqual({ object: {}, meta: { result: 'ok' } });
});

test('refuses a photo without a key', async () => {
  const server = createTestServer();
  await request(server.app)
    .post('/api/v1/taps/pi.flow0')
    .field('ticks', '660')
    .attach('photo', photo, 'a.jpg')
    .expect(401);
  expect(server.engine.drinks.newest(1)).toEqual([]);
});

test('pictures follow the privacy setting of the site', async () => {
  const server = createTestServer();
  const { images } = (await pour(server).attach('photo', photo, 'me.jpg')).body.object;
  const fetchPicture = (key?: string) =>
    request(server.app).get(`${images[0].url}${key === undefined ? '' : `?api_key=${key}`}`);
  const fetchStatuses = async () => [
    (await fetchPicture()).status,
    (await fetchPicture(server.guestKey)).status,
    (await fetchPicture(server.staffKey)).status,
  ];
  expect(await fetchStatuses()).toEqual([200, 200, 200]);
  const { headers } = await fetchPicture();
  expect(headers['cache-control']).toBe('private, max-age=3600');
  await fetchPicture().set('If-None-Match', headers.etag!).expect(304, '');
  server.engine.users.changeSite({ privacy: 'members' });
  expect(await fetchStatuses()).toEqual([401, 200, 200]);
  server.engine.users.changeSite({ privacy: 'staff' });
  expect(await fetchStatuses()).toEqual([401, 403, 200]);
});

test('cancelling a drink removes its picture', async () => {
  const server = createTestServer();
  const { id, images } = (await pour(server).attach('photo', photo, 'me.jpg')).body.object;
  server.engine.drinks.cancel(id, { spilled: false }, { monoMs: 0, wallMs: 0, synced: true, bootId: 'b' });
  await request(server.app).get(images[0].url).expect(404);
});

test.each(['nothing.jpg', `${'0'.repeat(32)}-128.jpg`, `${'0'.repeat(32)}-64.jpg`, '..%2f..%2ftapster.db'])(
  '404 for the picture %s',
  async (file) => {
    const reply = await request(createTestServer().app).get(`/api/pictures/${file}`).expect(404);
    expect(reply.body.error.code).toBe('NotFoundError');
  },
);

test('slow uploads without a key do not block an upload with a key', async () => {
  const server = createTestServer();
  const httpServer = createServer(server.app).listen(0, '127.0.0.1');
  await once(httpServer, 'listening');
  const { port } = httpServer.address() as AddressInfo;
  const head = '--b\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n';
  const rest = '\r\n--b--\r\n';
  const slowClients = Array.from({ length: 10 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /api/v1/taps/pi.flow0 HTTP/1.1\r\nHost: pi\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
        `Content-Length: ${head.length + 1_000 + rest.length}\r\n\r\n${head}${'x'.repeat(500)}`,
    );
    return socket;
  });
  await vi.waitFor(() => expect(server.store.pictures.files.activeUploads()).toBe(2), { timeout: 10_000 });
  const reply = await request(`http://127.0.0.1:${port}`)
    .post('/api/v1/taps/pi.flow0')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .field('ticks', '660')
    .attach('photo', photo, 'me.jpg');
  expect(reply.status).toBe(200);
  const answers = slowClients.map((socket) => {
    socket.write(`${'x'.repeat(500)}${rest}`);
    return text(socket);
  });
  const statuses = (await Promise.all(answers)).map((answer) => answer.slice(9, 12)).sort();
  expect(statuses).toEqual([
    '401',
    '401',
    ...Array.from({ length: 8 }, () => expect.stringMatching(/401|503/)),
  ]);
  httpServer.close();
});
