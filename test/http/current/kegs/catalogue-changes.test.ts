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

/** A beverage with every field set. */
const imperialStout = {
  name: 'Coal Cellar',
  producer_id: '1',
  beverage_type: 'beer',
  style: 'Imperial Stout',
  description: 'Roast coffee with a cream collar.',
  vintage_year: '2024-02-29',
  abv_percent: 10.5,
  calories_per_ml: 1,
  carbs_per_ml: 0.1,
  color_hex: '#2b1',
  original_gravity: 1.102,
  specific_gravity: 1.024,
  srm: 60,
  ibu: 75.5,
  star_rating: 4.5,
  untappd_beer_id: 16_630,
  allergens: 'Barley, oats',
};

test('stores and changes every field of a beverage', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const { beverage } = await anna.create('/beverages', imperialStout);
  expect(beverage).toEqual({
    id: '2',
    name: 'Coal Cellar',
    style_id: 'Imperial Stout',
    brewer_id: '1',
    abv: 10.5,
    calories_oz: expect.closeTo(29.57, 2),
    beverage_type: 'beer',
    color_hex: '#22bb11',
    description: 'Roast coffee with a cream collar.',
    vintage_year: '2024-02-29',
    calories_per_ml: 1,
    carbs_per_ml: 0.1,
    original_gravity: 1.102,
    specific_gravity: 1.024,
    srm: 60,
    ibu: 75.5,
    star_rating: 4.5,
    untappd_beer_id: 16_630,
    allergens: 'Barley, oats',
    picture: null,
    producer: expect.objectContaining({ id: 1, name: 'Hausbrauerei' }),
  });
  expect((await anna.send('get', '/beverages/2')).beverage).toEqual(beverage);

  const changed = await anna.send('patch', '/beverages/2', { ibu: null, star_rating: 5, description: null });
  expect(changed.beverage).toEqual({ ...beverage, ibu: null, star_rating: 5, description: '' });
  const { beverage_producer: maker } = await anna.create('/beverage-producers', { name: 'Schwarz' });
  const moved = await anna.send('put', '/beverages/2', { name: 'Coal', producer_id: maker.id });
  expect(moved.beverage).toMatchObject({ name: 'Coal', brewer_id: String(maker.id), srm: 60, abv: 10.5 });
  expect(await anna.send('delete', '/beverages/2')).toEqual({ correction_id: expect.any(Number) });
  await anna.expectError(404, 'delete', '/beverages/2');
});

test.each<[string, object]>([
  ['producer_id', { producer_id: 99 }],
  ['vintage_year', { vintage_year: '2023-02-29' }],
  ['vintage_year', { vintage_year: '2023' }],
  ['color_hex', { color_hex: 'gold' }],
  ['abv_percent', { abv_percent: 101 }],
  ['star_rating', { star_rating: 5.5 }],
  ['ibu', { ibu: -1 }],
  ['original_gravity', { original_gravity: 1.201 }],
  ['specific_gravity', { specific_gravity: 10.1 }],
  ['srm', { srm: 'dark' }],
  ['beverage_type', { beverage_type: 'water' }],
  ['name', { name: '  ' }],
  ['untappd_beer_id', { untappd_beer_id: 1.5 }],
  ['abv', { abv: 5 }],
])('refuses a beverage with an invalid %s, %j', async (field, wrong) => {
  const anna = createStaffClient(createTestServer());
  const { fields } = await anna.expectError(400, 'post', '/beverages', { ...imperialStout, ...wrong });
  expect(Object.keys(fields)).toEqual([field]);
  expect(Object.keys((await anna.expectError(400, 'patch', '/beverages/1', wrong)).fields)).toEqual([field]);
});

test('stores and changes every field of a producer', async () => {
  const anna = createStaffClient(createTestServer());
  const schwarz = {
    name: 'Schwarz',
    country: 'DEU',
    origin_state: 'Bavaria',
    origin_city: 'Bamberg',
    is_homebrew: true,
    url: 'https://schwarz.example/beer',
    description: 'Brews on Mondays.',
  };
  const { beverage_producer: created } = await anna.create('/beverage-producers', schwarz);
  expect(created).toEqual({ id: 2, ...schwarz, picture: null });
  const { beverage_producer: changed } = await anna.send('patch', '/beverage-producers/2', { url: null });
  expect(changed).toEqual({ ...created, url: '' });
  await anna.send('put', '/beverage-producers/2', { name: 'Schwarz & Sohn' });
  expect((await anna.send('get', '/beverage-producers/2')).beverage_producer).toMatchObject({
    name: 'Schwarz & Sohn',
    country: 'DEU',
  });
  for (const [field, value] of [
    // A page that shows it as a link would run it.
    ['url', 'javascript:alert(1)'],
    ['url', 'https://'],
    ['country', 'Germany'],
    ['name', ''],
    ['is_homebrew', 'yes'],
  ]) {
    const { fields } = await anna.expectError(400, 'patch', '/beverage-producers/2', { [field!]: value });
    expect(Object.keys(fields)).toEqual([field]);
  }
  expect(await anna.send('delete', '/beverage-producers/2')).toEqual({
    correction_id: expect.any(Number),
  });
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
  const { beverage } = await anna.create('/beverages', imperialStout);
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
  await anna.create('/beverages', imperialStout);
  await upload(server, '/beverages/2/picture').attach('image', label, 'label.png').expect(200);
  await anna.send('delete', '/beverages/2');
  expect(server.store.pictures.names()).toEqual([]);
});
