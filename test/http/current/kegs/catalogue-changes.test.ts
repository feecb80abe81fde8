import sharp from 'sharp';
import request from 'supertest';
import { beforeAll, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

let label: Buffer;

beforeAll(async () => {
  label = await sharp({ create: { width: 1200, height: 600, channels: 3, background: 'gold' } })
    .png()
    .toBuffer();
});

test('a short colour is stored in full, and calories are shown in a fluid ounce too', async () => {
  const anna = createStaffClient(createTestServer());
  const { beverage } = await anna.send('patch', '/beverages/1', { color_hex: '#2b1', calories_per_ml: 1 });
  expect(beverage).toMatchObject({ color_hex: '#22bb11', calories_oz: expect.closeTo(29.57, 2) });
});

test.each<[string, string, unknown]>([
  ['/beverages', 'producer_id', 99],
  ['/beverages', 'vintage_year', '2023-02-29'],
  ['/beverages', 'color_hex', 'gold'],
  ['/beverages', 'name', '  '],
  ['/beverages', 'untappd_beer_id', 1.5],
  ['/beverages', 'abv', 5],
  // A page that shows it as a link would run it.
  ['/beverage-producers', 'url', 'javascript:alert(1)'],
  ['/beverage-producers', 'url', 'https://'],
  ['/beverage-producers', 'country', 'Germany'],
])('%s refuses a wrong %s, %j', async (path, field, wrong) => {
  const anna = createStaffClient(createTestServer());
  const body = { name: 'New', ...(path === '/beverages' && { producer_id: 1 }), [field]: wrong };
  expect(Object.keys((await anna.expectError(400, 'post', path, body)).fields)).toEqual([field]);
  const { fields } = await anna.expectError(400, 'patch', `${path}/1`, { [field]: wrong });
  expect(Object.keys(fields)).toEqual([field]);
});

test('refuses to delete a beverage in a keg, and its producer', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  for (let i = 0; i < 6; i++) await anna.create('/kegs', { beverage_id: 1 });
  const { message } = await anna.expectError(409, 'delete', '/beverages/1');
  expect(message).toBe(
    'Haus Helles is in kegs 1, 2, 3, 4, 5 and more: it cannot be deleted while they exist.',
  );
  expect((await anna.expectError(409, 'delete', '/beverage-producers/1')).message).toBe(
    'Hausbrauerei makes Haus Helles: delete them or give them another producer first.',
  );
  const { beverage } = await anna.create('/beverages', { name: 'Stout', producer_id: 1 });
  const { keg } = await anna.create('/kegs', { beverage_id: beverage.id });
  expect((await anna.expectError(409, 'delete', '/beverages/2')).message).toContain(`keg ${keg.id}:`);
  await anna.send('delete', `/kegs/${keg.id}`);
  await anna.send('delete', '/beverages/2');
});

const upload = (server: TestServer, path: string, key = server.staffKey) =>
  request(server.app).post(`/api${path}`).set('X-Kegbot-Api-Key', key);

test.each([
  ['beverage', '/beverages/1'],
  ['beverage_producer', '/beverage-producers/1'],
])(
  'the picture of a %s is shown with it and on its tap, and can be replaced and deleted',
  async (name, path) => {
    const server = createTestServer();
    const anna = createStaffClient(server);
    const reply = await upload(server, `${path}/picture`)
      .field('caption', ' The label ')
      .attach('image', label, 'label.png')
      .expect(200);
    const { picture } = reply.body.result[name];
    expect(picture).toEqual({
      resized_url: expect.stringMatching(/^\/api\/pictures\/[0-9a-f]{32}-1024\.jpg$/),
      thumbnail_url: expect.stringMatching(/^\/api\/pictures\/[0-9a-f]{32}-128\.jpg$/),
      caption: 'The label',
    });
    expect(JSON.stringify((await anna.send('get', '/taps/1')).beverage)).toContain(picture.resized_url);
    const seen = await request(server.app).get(picture.resized_url).expect(200);
    expect(await sharp(seen.body as Buffer).metadata()).toMatchObject({ width: 1024, height: 512 });

    const next = await upload(server, `${path}/picture`).attach('image', label, 'label.png').expect(200);
    const { picture: second } = next.body.result[name];
    expect(second).toMatchObject({ caption: '' });
    expect(second.resized_url).not.toBe(picture.resized_url);
    await request(server.app).get(picture.resized_url).expect(404);

    expect(await anna.send('delete', `${path}/picture`)).toEqual({ correction_id: expect.any(Number) });
    expect(await anna.send('delete', `${path}/picture`)).toEqual({ correction_id: null });
    expect((await anna.send('get', path))[name].picture).toBeNull();
    await request(server.app).get(second.thumbnail_url).expect(404);
  },
);

test('refuses a file that is no picture, a missing file and an unknown beverage', async () => {
  const server = createTestServer();
  const path = '/beverages/1/picture';
  const refused = await upload(server, path).attach('image', Buffer.from('beer'), 'label.png').expect(400);
  expect(Object.keys(refused.body.error.fields)).toEqual(['image']);
  const without = await upload(server, path).field('caption', 'nothing').expect(400);
  expect(Object.keys(without.body.error.fields)).toEqual(['image']);
  await upload(server, path).send({ image: 'label.png' }).expect(415);
  await upload(server, path).field('title', 'x').attach('image', label, 'label.png').expect(400);
  await upload(server, '/beverages/99/picture').attach('image', label, 'label.png').expect(404);
  await upload(server, path, server.guestKey).attach('image', label, 'label.png').expect(403);
  expect(server.store.pictures.names()).toEqual([]);
});

test('deleting a beverage deletes its picture', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  await anna.create('/beverages', { name: 'Stout', producer_id: 1 });
  await upload(server, '/beverages/2/picture').attach('image', label, 'label.png').expect(200);
  await anna.send('delete', '/beverages/2');
  expect(server.store.pictures.names()).toEqual([]);
});
