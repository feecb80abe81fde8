import sharp from 'sharp';
import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

let server: TestServer;
let anna: ReturnType<typeof createStaffClient>;

/** Two beverages of one brewery: Haus Helles (1) with the keg of the test server, and its duplicate. */
let duplicate: { readonly id: string };

beforeEach(async () => {
  server = createTestServer();
  anna = createStaffClient(server);
  ({ beverage: duplicate } = await anna.create('/beverages', {
    name: 'Haus-Helles',
    producer_id: 1,
    description: 'With an "accent": é',
    abv_percent: 4.9,
  }));
});

const beverageOfKeg = async (id: number) => (await anna.send('get', `/kegs/${id}`)).keg.type_id;

async function uploadLabel(id: string): Promise<string> {
  const label = await sharp({ create: { width: 60, height: 80, channels: 3, background: 'gold' } })
    .png()
    .toBuffer();
  const reply = await request(server.app)
    .post(`/api/beverages/${id}/picture`)
    .set('X-Kegbot-Api-Key', server.staffKey)
    .attach('image', label, 'label.png')
    .expect(200);
  return reply.body.result.beverage.picture.resized_url;
}

test('moves kegs and announcements of the duplicate to the kept beverage, and undo moves them back', async () => {
  const { keg } = await anna.create('/kegs', { beverage_id: duplicate.id });
  await anna.send('put', '/taps/2/next', { beverage_id: duplicate.id });
  const before = (await anna.send('get', `/beverages/${duplicate.id}`)).beverage;

  const merged = await anna.send('post', '/beverages/1/merge', { beverage_id: duplicate.id });
  expect(merged).toEqual({
    beverage: expect.objectContaining({ id: '1', name: 'Haus Helles' }),
    merge_id: expect.any(Number),
  });
  await anna.expectError(404, 'get', `/beverages/${duplicate.id}`);
  expect(await beverageOfKeg(keg.id)).toBe('1');
  expect((await anna.send('get', '/taps/2')).next.beverage.id).toBe('1');

  const own = (await anna.create('/kegs', { beverage_id: 1 })).keg;
  expect(await anna.send('post', `/merges/${merged.merge_id}/undo`)).toEqual({});
  expect((await anna.send('get', `/beverages/${duplicate.id}`)).beverage).toEqual(before);
  expect(await beverageOfKeg(keg.id)).toBe(duplicate.id);
  expect(await beverageOfKeg(own.id)).toBe('1');
  expect((await anna.send('get', '/taps/2')).next.beverage.id).toBe(duplicate.id);

  const again = await anna.expectError(409, 'post', `/merges/${merged.merge_id}/undo`);
  expect(again.reason).toEqual({ name: 'already_undone' });
});

test('the audit log has the merge with both records and its undo', async () => {
  const { merge_id } = await anna.send('post', '/beverages/1/merge', { beverage_id: duplicate.id });
  await anna.send('post', `/merges/${merge_id}/undo`);
  const { items } = server.engine.audit.list({ limit: 2 });
  expect(items.map(({ action, subject }) => [action, subject])).toEqual([
    ['beverage.merge_undone', { kind: 'beverage', id: '1' }],
    ['beverage.merged', { kind: 'beverage', id: '1' }],
  ]);
  expect(items[1]!.id).toBe(merge_id);
  expect(JSON.parse(items[1]!.before!)).toMatchObject({
    kept: { name: 'Haus Helles' },
    merged: { name: 'Haus-Helles', abvPercent: 4.9 },
  });
});

test('the picture of the duplicate moves to a beverage without one, and back', async () => {
  const picture = await uploadLabel(duplicate.id);
  const { beverage, merge_id } = await anna.send('post', '/beverages/1/merge', { beverage_id: duplicate.id });
  expect(beverage.picture.resized_url).toBe(picture);
  await request(server.app).get(picture).expect(200);
  await anna.send('post', `/merges/${merge_id}/undo`);
  expect((await anna.send('get', '/beverages/1')).beverage.picture).toBeNull();
  const restored = (await anna.send('get', `/beverages/${duplicate.id}`)).beverage.picture;
  expect(restored.resized_url).toBe(picture);
});

test('of two pictures that of the kept beverage stays, and undo restores the other', async () => {
  const kept = await uploadLabel('1');
  const other = await uploadLabel(duplicate.id);
  const { beverage, merge_id } = await anna.send('post', '/beverages/1/merge', { beverage_id: duplicate.id });
  expect(beverage.picture.resized_url).toBe(kept);
  await request(server.app).get(other).expect(404);
  await anna.send('post', `/merges/${merge_id}/undo`);
  await request(server.app).get(other).expect(200);
  expect((await anna.send('get', '/beverages/1')).beverage.picture.resized_url).toBe(kept);
});

test('moves the beverages of a duplicate producer, and undo moves them back', async () => {
  const { beverage_producer: maker } = await anna.create('/beverage-producers', { name: 'Haus-Brauerei' });
  await anna.send('patch', `/beverages/${duplicate.id}`, { producer_id: maker.id });
  const merged = await anna.send('post', '/beverage-producers/1/merge', { producer_id: maker.id });
  expect(merged.beverage_producer).toMatchObject({ id: 1, name: 'Hausbrauerei' });
  const producerOf = async (id: string) => (await anna.send('get', `/beverages/${id}`)).beverage.producer.id;
  expect(await producerOf(duplicate.id)).toBe(1);
  await anna.send('post', `/merges/${merged.merge_id}/undo`);
  expect(await producerOf(duplicate.id)).toBe(maker.id);
  expect(await producerOf('1')).toBe(1);
});

test('a merge is not undone when the kept record was merged or deleted since', async () => {
  const { merge_id } = await anna.send('post', '/beverages/1/merge', { beverage_id: duplicate.id });
  const { beverage: third } = await anna.create('/beverages', { name: 'Helles', producer_id: 1 });
  const later = await anna.send('post', `/beverages/${third.id}/merge`, { beverage_id: 1 });
  const { reason } = await anna.expectError(409, 'post', `/merges/${merge_id}/undo`);
  expect(reason).toEqual({ name: 'merged_since' });
  await anna.send('post', `/merges/${later.merge_id}/undo`);
  await anna.send('post', `/merges/${merge_id}/undo`);
  expect((await anna.send('get', `/beverages/${duplicate.id}`)).beverage.name).toBe('Haus-Helles');
});

test('refuses to merge a record with itself, with an unknown one, and by guests', async () => {
  const itself = await anna.expectError(400, 'post', '/beverages/1/merge', { beverage_id: 1 });
  expect(itself.rules).toEqual({ beverage_id: { name: 'different' } });
  const unknown = await anna.expectError(400, 'post', '/beverages/1/merge', { beverage_id: 99 });
  expect(unknown.rules).toEqual({ beverage_id: { name: 'exists', what: 'beverage' } });
  await anna.expectError(404, 'post', '/beverages/99/merge', { beverage_id: 1 });
  await anna.expectError(404, 'post', '/merges/99/undo');
  await request(server.app).post('/api/beverages/1/merge').send({ beverage_id: 2 }).expect(401);
  await request(server.app)
    .post('/api/beverages/1/merge')
    .set('X-Kegbot-Api-Key', server.guestKey)
    .send({ beverage_id: 2 })
    .expect(403);
});

test('prices of the duplicate move to a beverage without any, and undo restores them in each case', async () => {
  const [size] = (await anna.send('get', '/serving-sizes')).serving_sizes;
  const setPrice = (id: string, price_minor: number) =>
    anna.send('put', `/beverages/${id}/prices`, { prices: [{ serving_size_id: size.id, price_minor }] });
  const pricesOf = async (id: string) =>
    (await anna.send('get', `/beverages/${id}/prices`)).prices.map(
      ({ price_minor }: { readonly price_minor: number }) => price_minor,
    );
  await setPrice(duplicate.id, 350);
  const first = await anna.send('post', '/beverages/1/merge', { beverage_id: duplicate.id });
  expect(await pricesOf('1')).toEqual([350]);
  await anna.send('post', `/merges/${first.merge_id}/undo`);
  expect([await pricesOf('1'), await pricesOf(duplicate.id)]).toEqual([[], [350]]);

  await setPrice('1', 420);
  const second = await anna.send('post', '/beverages/1/merge', { beverage_id: duplicate.id });
  expect(await pricesOf('1')).toEqual([420]);
  await anna.send('post', `/merges/${second.merge_id}/undo`);
  expect([await pricesOf('1'), await pricesOf(duplicate.id)]).toEqual([[420], [350]]);
});
