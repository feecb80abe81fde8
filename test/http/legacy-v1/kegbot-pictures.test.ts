import sharp from 'sharp';
import request from 'supertest';
import { beforeAll, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../test-server.ts';

let photo: Buffer;

beforeAll(async () => {
  photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'gold' } })
    .png()
    .toBuffer();
});

const getLegacy = (server: TestServer, path: string) =>
  request(server.app).get(`/api/v1${path}`).set('X-Kegbot-Api-Key', server.staffKey).expect(200);

const uploadPicture = (server: TestServer, path: string, key: string, caption?: string) => {
  const upload = request(server.app).post(`/api${path}`).set('X-Kegbot-Api-Key', key);
  if (caption !== undefined) void upload.field('caption', caption);
  return upload.attach('image', photo, 'picture.png').expect(200);
};

test('includes pictures of users, beverages and producers', async () => {
  const server = createTestServer();
  await uploadPicture(server, '/account/mugshot', server.guestKey);
  await uploadPicture(server, '/beverages/1/picture', server.staffKey, 'The label');
  await uploadPicture(server, '/beverage-producers/1/picture', server.staffKey);
  const posted = await request(server.app)
    .post('/api/v1/taps/pi.flow0')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .send({ ticks: 660, username: 'bert' })
    .expect(200);

  const { image } = posted.body.object.user;
  expect(image).toEqual({
    url: expect.stringMatching(/-1024\.jpg$/),
    thumbnail_url: expect.stringMatching(/-128\.jpg$/),
    original_url: image.url,
    user_id: 'bert',
  });
  const { picture, producer } = posted.body.object.keg.beverage;
  expect(picture).toEqual({
    url: expect.stringMatching(/-1024\.jpg$/),
    thumbnail_url: expect.stringMatching(/-128\.jpg$/),
    original_url: picture.url,
    caption: 'The label',
  });
  expect(producer.picture.url).not.toBe(picture.url);
  for (const { url, thumbnail_url } of [image, picture, producer.picture]) {
    for (const path of [url, thumbnail_url]) await request(server.app).get(path).expect(200);
  }

  const { objects } = (await getLegacy(server, '/events')).body;
  const imageUrls = Object.fromEntries(
    objects.map(({ kind, image: picture }: { kind: string; image?: { url: string } }) => [
      kind,
      picture?.url,
    ]),
  );
  expect(imageUrls).toEqual({
    drink_poured: image.url,
    session_joined: image.url,
    session_started: image.url,
    keg_tapped: picture.url,
  });
  const { events, active_users } = (await getLegacy(server, '/status')).body.object;
  expect(events.find(({ kind }: { kind: string }) => kind === 'drink_poured').image).toEqual(image);
  expect(active_users[0].image).toEqual(image);
});

test('leaves out missing pictures', async () => {
  const server = createTestServer();
  await request(server.app)
    .post('/api/v1/taps/pi.flow0')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .send({ ticks: 660 })
    .expect(200);
  const { objects } = (await getLegacy(server, '/events')).body;
  expect(objects).toHaveLength(4);
  for (const event of objects) expect(event).not.toHaveProperty('image');
});

test('includes the known fields of a beverage and leaves out the others', async () => {
  const server = createTestServer();
  await request(server.app)
    .patch('/api/beverages/1')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .send({
      description: 'Bready.',
      vintage_year: '2024-02-29',
      carbs_per_ml: 0.03,
      original_gravity: 1.048,
      specific_gravity: 1.01,
      srm: 4,
      ibu: 0,
      star_rating: 4,
      untappd_beer_id: 16_630,
    })
    .expect(200);
  const { beverage } = (await getLegacy(server, '/taps/pi.flow0')).body.object.current_keg;
  expect(beverage).toMatchObject({
    description: 'Bready.',
    vintage_year: 2024,
    carbs_per_ml: 0.03,
    original_gravity: 1.048,
    specific_gravity: 1.01,
    srm: 4,
    star_rating: 4,
    untappd_id: '16630',
  });
  expect(beverage).not.toHaveProperty('ibu');
  expect(beverage).not.toHaveProperty('calories_per_ml');
});
