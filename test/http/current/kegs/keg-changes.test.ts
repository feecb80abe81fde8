import { expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

test('creates, changes and deletes a keg without drinks', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const created = await anna.create('/kegs', {
    beverage_name: 'Haus Helles',
    producer_name: 'Hausbrauerei',
    style_name: 'Helles',
    size_id: '4',
    description: 'for Sunday',
  });
  expect(created).toMatchObject({
    keg: {
      id: 2,
      state: 'available',
      full_volume_ml: 18_927.1,
      volume_ml_remain: 18_927.1,
      description: 'for Sunday',
      notes: '',
      type_id: '1',
      finished_time: null,
    },
    type: { id: '1', name: 'Haus Helles' },
    size: { key: 'corny' },
  });
  // A new size does not change the full volume.
  const changed = await anna.send('patch', '/kegs/2', { keg_type: 'euro', notes: 'behind the crates' });
  expect(changed.keg).toMatchObject({ size_id: 10, full_volume_ml: 18_927.1, notes: 'behind the crates' });
  const other = await anna.send('put', '/kegs/2', { full_volume_ml: 20_000, description: '' });
  expect(other.keg).toMatchObject({ full_volume_ml: 20_000, description: '', notes: 'behind the crates' });
  const empty = await anna.expectError(400, 'patch', '/kegs/2', { full_volume_ml: 0 });
  expect(empty.rules).toEqual({ full_volume_ml: { name: 'above', limit: 0 } });
  await anna.expectError(400, 'patch', '/kegs/2', { beverage_id: 1 });
  expect(await anna.send('delete', '/kegs/2')).toEqual({});
  await anna.expectError(404, 'get', '/kegs/2');
  await anna.expectError(404, 'delete', '/kegs/2');
  expect(server.engine.checkDatabase()).toEqual([]);
});

test('refuses to delete a keg with drinks or spills', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  expect((await anna.expectError(409, 'delete', '/kegs/1')).message).toContain('on tap “Left”');
  for (const ticks of [600, 800]) {
    server.engine.pours.report({ tap: 'pi.flow0', ticks, source: 'post' }, server.now());
  }
  await anna.send('post', '/kegs/1/spill', { volume_ml: 250 });
  await anna.send('post', '/taps/1/end-keg');
  expect((await anna.expectError(409, 'delete', '/kegs/1')).message).toBe(
    '2 drinks and 1 spill came from keg 1, so it cannot be deleted: finish it instead.',
  );
  expect((await anna.send('get', '/kegs/1')).drinks).toHaveLength(2);
});

test('deletes a tapped keg without drinks together with its events', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  await anna.send('post', '/taps/1/end-keg');
  expect(server.engine.lists.events({}).total).toBe(2);
  await anna.send('delete', '/kegs/1');
  expect(server.engine.lists.events({}).total).toBe(0);
  expect(server.engine.checkDatabase()).toEqual([]);
  expect(server.store.faults()).toEqual([]);
});

test('a spill reduces the keg and creates no drink or event', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const { keg } = await anna.send('post', '/kegs/1/spill', { volume_ml: 400.5 });
  expect(keg).toMatchObject({ spilled_ml: 400.5, volume_ml_remain: 29_599.5, served_volume_ml: 0 });
  await anna.send('post', '/kegs/1/spill', { volume_ml: 0 });
  await anna.expectError(400, 'post', '/kegs/1/spill', { volume_ml: -1 });
  await anna.expectError(400, 'post', '/kegs/1/spill', {});
  await anna.expectError(404, 'post', '/kegs/99/spill', { volume_ml: 1 });
  expect(server.engine.lists.events({}).items.map(({ kind }) => kind)).toEqual(['keg_tapped']);
  expect((await anna.send('get', '/drinks')).paging.total).toBe(0);
});

test('ends and reactivates a keg that is on no tap', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const refusal = await anna.expectError(409, 'post', '/kegs/1/end');
  expect(refusal.message).toContain('on tap “Left”');
  const { keg } = await anna.create('/kegs', { beverage_id: 1 });
  await anna.expectError(409, 'post', `/kegs/${keg.id}/reactivate`);
  const ended = await anna.send('post', `/kegs/${keg.id}/end`);
  expect(ended.keg).toMatchObject({ state: 'finished', finished_time: '2026-05-02T17:00:00Z' });
  server.setClock({ wallMs: server.now().wallMs + 60_000 });
  expect(await anna.send('post', `/kegs/${keg.id}/end`)).toEqual(ended);
  const reactivated = await anna.send('post', `/kegs/${keg.id}/reactivate`);
  expect(reactivated.keg).toMatchObject({ state: 'available', finished_time: null });
  expect((await anna.send('get', '/kegs?state=available')).kegs).toHaveLength(1);
});
