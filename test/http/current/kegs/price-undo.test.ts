import { expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

const later = (server: TestServer) => server.setClock({ wallMs: server.now().wallMs + 1_000 });

async function openPricedBar() {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const { beverage } = await anna.create('/beverages', { name: 'Stout', producer_id: 1 });
  const { serving_sizes: sizes } = await anna.send('get', '/serving-sizes');
  const prices = (ids: readonly number[], minor: number) => ({
    prices: ids.map((id) => ({ serving_size_id: id, price_minor: minor })),
  });
  const path = `/beverages/${beverage.id}/prices`;
  const sizeIds: readonly number[] = sizes.map(({ id }: { id: number }) => id);
  const current = async () =>
    (await anna.send('get', path)).prices.map(
      (one: { serving_size_id: number; price_minor: number }) => `${one.serving_size_id}: ${one.price_minor}`,
    );
  const undo = (id: number) => anna.send('post', `/corrections/${id}/undo`);
  return { server, anna, beverage, sizes, sizeIds, path, prices, current, undo };
}

test('prices that were set are undone, the latest first', async () => {
  const { server, anna, sizeIds, path, prices, current, undo } = await openPricedBar();
  const first = await anna.send('put', path, prices(sizeIds.slice(0, 2), 300));
  later(server);
  const second = await anna.send('put', path, prices(sizeIds.slice(0, 1), 400));
  const refused = await anna.expectError(409, 'post', `/corrections/${first.correction_id}/undo`);
  expect(refused.reason).toEqual({ name: 'record_changed_since' });
  await undo(second.correction_id);
  expect(await current()).toEqual([`${sizeIds[0]}: 300`, `${sizeIds[1]}: 300`]);
  await undo(first.correction_id);
  expect(await current()).toEqual([]);
});

test('a deleted beer has its prices and its id again after undo', async () => {
  const { anna, beverage, sizeIds, path, prices, current, undo } = await openPricedBar();
  await anna.send('put', path, prices(sizeIds, 350));
  const { correction_id: id } = await anna.send('delete', `/beverages/${beverage.id}`);
  await anna.expectError(404, 'get', path);
  await undo(id);
  expect((await anna.send('get', `/beverages/${beverage.id}`)).beverage).toEqual(beverage);
  expect(await current()).toEqual(sizeIds.map((size) => `${size}: 350`));
});

test('deleted serving sizes have their prices again after undo', async () => {
  const { server, anna, sizes, sizeIds, path, prices, current, undo } = await openPricedBar();
  await anna.send('put', path, prices(sizeIds, 350));
  later(server);
  const { correction_id: id } = await anna.send('put', '/serving-sizes', {
    serving_sizes: [{ volume_ml: 1_000, name: 'Mass' }],
  });
  expect(await current()).toEqual([]);
  await undo(id);
  expect((await anna.send('get', '/serving-sizes')).serving_sizes).toEqual(sizes);
  expect(await current()).toEqual(sizeIds.map((size) => `${size}: 350`));
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test('taps offer deleted serving sizes again after undo, unless their choice was changed since', async () => {
  const { anna, sizes, sizeIds, undo } = await openPricedBar();
  const offered = async (tap: number) => (await anna.send('get', `/taps/${tap}`)).tap.serving_size_ids;
  const { tap } = await anna.create('/taps', { name: 'Second' });
  const { tap: third } = await anna.create('/taps', { name: 'Third' });
  await anna.send('patch', '/taps/1', { serving_size_ids: sizeIds.slice(0, 2) });
  await anna.send('patch', `/taps/${tap.id}`, { serving_size_ids: sizeIds.slice(1, 2) });
  await anna.send('patch', `/taps/${third.id}`, { serving_size_ids: sizeIds.slice(0, 2) });
  const { correction_id: id } = await anna.send('put', '/serving-sizes', {
    serving_sizes: sizes.filter((size: { id: number }) => size.id !== sizeIds[1]),
  });
  expect(await offered(1)).toEqual(sizeIds.slice(0, 1));
  // Without a choice the tap offers all.
  expect(await offered(tap.id)).toEqual([]);
  await anna.send('patch', `/taps/${third.id}`, { serving_size_ids: sizeIds.slice(2, 3) });
  await undo(id);
  expect(await offered(1)).toEqual(sizeIds.slice(0, 2));
  expect(await offered(tap.id)).toEqual(sizeIds.slice(1, 2));
  expect(await offered(third.id)).toEqual(sizeIds.slice(2, 3));
});

test('serving sizes are not undone once a price uses a new one', async () => {
  const { anna, path, prices } = await openPricedBar();
  const changed = await anna.send('put', '/serving-sizes', {
    serving_sizes: [{ volume_ml: 1_000, name: 'Mass' }],
  });
  await anna.send('put', path, prices([changed.serving_sizes[0].id], 900));
  const refused = await anna.expectError(409, 'post', `/corrections/${changed.correction_id}/undo`);
  expect(refused.reason).toEqual({ name: 'record_changed_since' });
});

test('a merge is undone from the change log', async () => {
  const { anna, beverage, undo } = await openPricedBar();
  const { merge_id: id } = await anna.send('post', '/beverages/1/merge', { beverage_id: beverage.id });
  const [entry] = (await anna.send('get', '/audit?limit=1')).entries;
  expect(entry).toMatchObject({ id, action: 'beverage.merged', can_undo: true });
  await undo(id);
  expect((await anna.send('get', `/beverages/${beverage.id}`)).beverage).toEqual(beverage);
  const again = await anna.expectError(409, 'post', `/merges/${id}/undo`);
  expect(again.reason).toEqual({ name: 'already_undone' });
});
