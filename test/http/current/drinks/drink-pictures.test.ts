import sharp from 'sharp';
import request from 'supertest';
import { beforeAll, expect, test } from 'vitest';
import { pictureQuotas } from '../../../../src/core/files/picture-quota.ts';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer, openingMs, type TestServer } from '../../test-server.ts';

let photo: Buffer;

beforeAll(async () => {
  photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'gold' } })
    .png()
    .toBuffer();
});

/** A server with Bert's drink 1. */
function createServerWithDrink() {
  const server = createTestServer();
  const now = { monoMs: 3_600_000, wallMs: openingMs, synced: true, bootId: 'boot-1' };
  insertDrink(server.store, { tap: 'pi.flow0', ticks: 600, username: 'bert' }, now);
  return server;
}

const upload = (server: TestServer, path: string, key: string) =>
  request(server.app).post(`/api${path}`).set('X-Kegbot-Api-Key', key);

test('a drinker sets, replaces and deletes the picture of a drink', async () => {
  const server = createServerWithDrink();
  const { guestKey, app, engine } = server;
  const first = await upload(server, '/drinks/1/picture', guestKey)
    .field('caption', ' Prost ')
    .attach('image', photo, 'glass.png')
    .expect(200);
  const { picture } = first.body.result;
  expect(picture.caption).toBe('Prost');
  await request(app).get(picture.resized_url).expect(200).expect('Content-Type', 'image/jpeg');
  const second = await upload(server, '/drinks/1/picture', guestKey)
    .attach('image', photo, 'b.png')
    .expect(200);
  expect(second.body.result.picture.resized_url).not.toBe(picture.resized_url);
  await request(app).get(picture.resized_url).expect(404);
  for (let attempt = 0; attempt < 2; attempt++) {
    const removed = await request(app)
      .delete('/api/drinks/1/picture')
      .set('X-Kegbot-Api-Key', guestKey)
      .expect(200);
    expect(removed.body).toEqual({ result: {} });
  }
  expect((await request(app).get('/api/drinks/1').expect(200)).body.result.picture).toBeNull();
  expect(engine.audit.list({}).items.map(({ action, username }) => [action, username])).toEqual([
    ['drink.picture_removed', 'bert'],
    ['drink.picture_set', 'bert'],
    ['drink.picture_set', 'bert'],
  ]);
});

test('a picture follows its drink through join, cancel and undo', async () => {
  const server = createServerWithDrink();
  const { staffKey, engine } = server;
  const send = (method: 'post' | 'delete', path: string, body?: object) =>
    request(server.app)[method](`/api${path}`).set('X-Kegbot-Api-Key', staffKey).send(body);
  await send('post', '/drinks/1/split', { ticks: 200 }).expect(201);
  await upload(server, '/drinks/2/picture', staffKey).attach('image', photo, 'glass.png').expect(200);
  const { name } = engine.pictures.ofDrink(2)!;
  // The undo would remove drink 2, which has a picture now.
  const refused = await send('post', '/drinks/1/undo').expect(409);
  expect(refused.body.error.message).toContain('drink 2 has a new picture');
  await send('post', '/drinks/1/join', { drink_id: 2 }).expect(200);
  expect(engine.pictures.ofDrink(1)?.name).toBe(name);
  await send('post', '/drinks/1/undo').expect(200);
  expect(engine.pictures.ofDrink(1)).toBeNull();
  expect(engine.pictures.ofDrink(2)?.name).toBe(name);
  await send('delete', '/drinks/2').expect(200);
  await request(server.app).get(`/api/pictures/${name}-128.jpg`).expect(404);
  await send('post', '/drinks/2/undo').expect(200);
  await request(server.app).get(`/api/pictures/${name}-128.jpg`).expect(200);
});

test('refuses a picture for the drink of another user and a file that is no picture', async () => {
  const server = createServerWithDrink();
  const { guestKey, staffKey, engine } = server;
  engine.drinks.reassign(
    1,
    { username: 'anna' },
    { monoMs: 0, wallMs: openingMs, synced: true, bootId: 'b' },
  );
  await upload(server, '/drinks/1/picture', guestKey).attach('image', photo, 'glass.png').expect(403);
  const beer = Buffer.from('beer');
  const refused = await upload(server, '/drinks/1/picture', staffKey)
    .attach('image', beer, 'a.png')
    .expect(400);
  expect(Object.keys(refused.body.error.fields)).toEqual(['image']);
  await upload(server, '/drinks/1/picture', staffKey).field('caption', 'none').expect(400);
  await upload(server, '/drinks/9/picture', staffKey).attach('image', photo, 'glass.png').expect(404);
  expect(engine.pictures.ofDrink(1)).toBeNull();
});

test('a member who has used up the day’s pictures gets 429 with the time of the next, and nothing is stored', async () => {
  const server = createServerWithDrink();
  const { id } = server.engine.users.user('bert')!;
  const { wallMs } = server.now();
  for (let i = 0; i < pictureQuotas.member.pictures; i++) {
    server.store.pictures.uploads.add(id, { timeMs: wallMs - 3_600_000, bytes: 1 });
  }
  const reply = await upload(server, '/drinks/1/picture', server.guestKey)
    .attach('image', photo, 'b.png')
    .expect(429);
  expect(reply.headers['retry-after']).toBe(String(23 * 3_600));
  expect(reply.body.error.message).toBe(
    'You may upload 50 pictures and 100 MiB within 24 hours: the next one is possible in 23 hours.',
  );
  expect(server.engine.pictures.ofDrink(1)).toBeNull();
  await upload(server, '/drinks/1/picture', server.staffKey).attach('image', photo, 'b.png').expect(200);
});
