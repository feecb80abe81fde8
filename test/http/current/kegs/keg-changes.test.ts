import { expect, test } from 'vitest';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
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
  await anna.expectError(400, 'patch', '/kegs/2', { beverage_id: 99 });
  expect(await anna.send('delete', '/kegs/2')).toEqual({ correction_id: expect.any(Number) });
  await anna.expectError(404, 'get', '/kegs/2');
  await anna.expectError(404, 'delete', '/kegs/2');
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test('refuses to delete a keg with drinks or spills', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  expect((await anna.expectError(409, 'delete', '/kegs/1')).message).toContain('on tap “Left”');
  for (const ticks of [600, 800]) {
    insertDrink(server.store, { tap: 'pi.flow0', ticks }, server.now());
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
  expect(server.engine.site.checkDatabase()).toEqual([]);
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

test('changes the beer and the times of a keg, and undoes both', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const { beverage_producer: maker } = await anna.create('/beverage-producers', { name: 'Brewery' });
  const { beverage } = await anna.create('/beverages', { name: 'Stout', producer_id: maker.id });
  const before = (await anna.send('get', '/kegs/1')).keg;
  const changed = await anna.send('patch', '/kegs/1', {
    beverage_id: beverage.id,
    started_time: '2026-05-01T10:00:00Z',
  });
  expect(changed).toMatchObject({
    keg: { type_id: beverage.id, started_time: '2026-05-01T10:00:00Z' },
    type: { name: 'Stout' },
  });
  const [entry] = (await anna.send('get', '/audit?limit=1')).entries;
  expect(entry).toMatchObject({ id: changed.correction_id, action: 'keg.changed', can_undo: true });
  await anna.send('post', `/corrections/${changed.correction_id}/undo`);
  expect((await anna.send('get', '/kegs/1')).keg).toEqual(before);
  expect((await anna.send('patch', '/kegs/1', { description: before.description })).correction_id).toBeNull();
});

test('refuses times of a keg that contradict each other', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const expectFault = async (body: object, field: string, what: string) => {
    const { rules } = await anna.expectError(400, 'patch', '/kegs/1', body);
    expect(rules).toEqual({ [field]: { name: 'keg_time', what } });
  };
  await expectFault({ started_time: '2090-01-01T00:00:00Z' }, 'started_time', 'future');
  await expectFault({ finished_time: '2026-05-01T10:00:00Z' }, 'finished_time', 'not_finished');
  await anna.send('post', '/taps/1/end-keg');
  await expectFault({ finished_time: '2090-01-01T00:00:00Z' }, 'finished_time', 'future');
  await expectFault({ finished_time: '2001-01-01T00:00:00Z' }, 'finished_time', 'start');
});

test('a deleted keg is there again after undo, under its id and announced at its tap', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const { keg } = await anna.create('/kegs', { beverage_id: 1, notes: 'behind the crates' });
  await anna.send('put', '/taps/1/next', { keg_id: keg.id });
  const { correction_id: id } = await anna.send('delete', `/kegs/${keg.id}`);
  await anna.expectError(404, 'get', `/kegs/${keg.id}`);
  await anna.send('post', `/corrections/${id}/undo`);
  expect((await anna.send('get', `/kegs/${keg.id}`)).keg).toEqual(keg);
  expect((await anna.send('get', '/taps/1')).next).toMatchObject({ keg_id: keg.id });
  const again = await anna.expectError(409, 'post', `/corrections/${id}/undo`);
  expect(again.reason).toEqual({ name: 'already_undone' });
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test('a deleted keg is not restored when its beer was deleted since', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const { beverage } = await anna.create('/beverages', { name: 'Stout', producer_id: 1 });
  const { keg } = await anna.create('/kegs', { beverage_id: beverage.id });
  const kegUndo = (await anna.send('delete', `/kegs/${keg.id}`)).correction_id;
  const beerUndo = (await anna.send('delete', `/beverages/${beverage.id}`)).correction_id;
  const refused = await anna.expectError(409, 'post', `/corrections/${kegUndo}/undo`);
  expect(refused.reason).toEqual({ name: 'record_changed_since' });
  await anna.send('post', `/corrections/${beerUndo}/undo`);
  await anna.send('post', `/corrections/${kegUndo}/undo`);
  expect((await anna.send('get', `/kegs/${keg.id}`)).type.name).toBe('Stout');
});
