import sharp from 'sharp';
import request from 'supertest';
import { beforeAll, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

let label: Buffer;

beforeAll(async () => {
  label = await sharp({ create: { width: 60, height: 60, channels: 3, background: 'gold' } })
    .png()
    .toBuffer();
});

type Client = ReturnType<typeof createStaffClient>;

const undo = (anna: Client, id: number) => anna.send('post', `/corrections/${id}/undo`);

const upload = async (server: TestServer, path: string): Promise<{ correction_id: number }> =>
  (
    await request(server.app)
      .post(`/api${path}/picture`)
      .set('X-Kegbot-Api-Key', server.staffKey)
      .attach('image', label, 'label.png')
      .expect(200)
  ).body.result;

test.each([
  ['beverage', '/beverages/1', { name: 'Renamed', abv_percent: 6.5, description: 'Hoppy.' }],
  ['beverage_producer', '/beverage-producers/1', { name: 'Renamed', country: 'DEU', is_homebrew: true }],
])('a change of a %s is undone from the change log, once', async (item, path, values) => {
  const anna = createStaffClient(createTestServer());
  const before = await anna.send('get', path);
  const { correction_id: id, [item]: changed } = await anna.send('patch', path, values);
  expect(changed.name).toBe('Renamed');
  const [entry] = (await anna.send('get', '/audit?limit=1')).entries;
  expect(entry).toMatchObject({ id, can_undo: true });
  await undo(anna, id);
  expect(await anna.send('get', path)).toEqual(before);
  const again = await anna.expectError(409, 'post', `/corrections/${id}/undo`);
  expect(again.reason).toEqual({ name: 'already_undone' });
});

test('an undo keeps what was changed in other fields since, and refuses when the same field was', async () => {
  const anna = createStaffClient(createTestServer());
  const { beverage: before } = await anna.send('get', '/beverages/1');
  const first = await anna.send('patch', '/beverages/1', { name: 'First', ibu: 20 });
  await anna.send('patch', '/beverages/1', { description: 'Later.' });
  const third = await anna.send('patch', '/beverages/1', { name: 'Third' });
  const refused = await anna.expectError(409, 'post', `/corrections/${first.correction_id}/undo`);
  expect(refused.reason).toEqual({ name: 'record_changed_since' });
  await undo(anna, third.correction_id);
  await undo(anna, first.correction_id);
  const { beverage } = await anna.send('get', '/beverages/1');
  expect(beverage).toEqual({ ...before, description: 'Later.' });
});

test('a change that changes nothing has nothing to undo', async () => {
  const anna = createStaffClient(createTestServer());
  const { beverage } = await anna.send('get', '/beverages/1');
  expect(await anna.send('patch', '/beverages/1', { name: beverage.name })).toEqual({
    beverage,
    correction_id: null,
  });
});

test('a beer is not moved back to a brewery that was deleted since', async () => {
  const anna = createStaffClient(createTestServer());
  const { beverage_producer: maker } = await anna.create('/beverage-producers', { name: 'Neu' });
  const { correction_id: id } = await anna.send('patch', '/beverages/1', { producer_id: maker.id });
  await anna.send('delete', '/beverage-producers/1');
  const refused = await anna.expectError(409, 'post', `/corrections/${id}/undo`);
  expect(refused.reason).toEqual({ name: 'record_changed_since' });
});

test.each([
  ['beverage', '/beverages/1'],
  ['beverage_producer', '/beverage-producers/1'],
])('setting, replacing and removing the picture of a %s are undone, the latest first', async (item, path) => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const picture = async () => (await anna.send('get', path))[item].picture;
  const first = await upload(server, path);
  const firstPicture = await picture();
  const second = await upload(server, path);
  const secondPicture = await picture();
  const { correction_id: removed } = await anna.send('delete', `${path}/picture`);
  await request(server.app).get(secondPicture.resized_url).expect(404);
  await anna.expectError(409, 'post', `/corrections/${second.correction_id}/undo`);

  await undo(anna, removed);
  expect(await picture()).toEqual(secondPicture);
  await request(server.app).get(secondPicture.resized_url).expect(200);
  await undo(anna, second.correction_id);
  expect(await picture()).toEqual(firstPicture);
  await request(server.app).get(firstPicture.resized_url).expect(200);
  await undo(anna, first.correction_id);
  expect(await picture()).toBeNull();
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test('the removal of a picture whose files are gone is not undone', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  await upload(server, '/beverages/1');
  const [name] = server.store.pictures.names();
  const { correction_id: id } = await anna.send('delete', '/beverages/1/picture');
  server.store.transaction(() => server.store.pictures.restore(name!));
  const refused = await anna.expectError(409, 'post', `/corrections/${id}/undo`);
  expect(refused.reason).toEqual({ name: 'picture_gone' });
});
