import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

const stout = {
  beverage: { name: 'Stout', producerName: 'Schwarz', styleName: 'Dry Stout' },
  sizeKey: 'corny',
} as const;

let server: TestServer;
let anna: ReturnType<typeof createStaffClient>;

beforeEach(() => {
  server = createTestServer();
  anna = createStaffClient(server);
});

const addKeg = () => server.engine.kegs.create(stout, server.now());
const nextOf = async (tap: number) => (await anna.send('get', `/taps/${tap}`)).next?.keg_id ?? null;
const setNext = async (tap: number, kegId: number): Promise<number> =>
  (await anna.send('put', `/taps/${tap}/next`, { keg_id: kegId })).correction_id;
const undo = (id: number) => anna.send('post', `/corrections/${id}/undo`);
const refusal = async (id: number) =>
  (await anna.expectError(409, 'post', `/corrections/${id}/undo`)).reason.name;

test('a next beer that was set, replaced or removed is undone, the latest first', async () => {
  const [first, second] = [addKeg(), addKeg()];
  const set = await setNext(1, first.id);
  const replaced = await setNext(1, second.id);
  const { correction_id: removed } = await anna.send('delete', '/taps/1/next');
  const [entry] = (await anna.send('get', '/audit?limit=1')).entries;
  expect(entry).toMatchObject({ id: removed, action: 'tap.next_set', can_undo: true });
  expect(await refusal(replaced)).toBe('tap_changed_since');
  await undo(removed);
  expect(await nextOf(1)).toBe(second.id);
  await undo(replaced);
  expect(await nextOf(1)).toBe(first.id);
  await undo(set);
  expect(await nextOf(1)).toBeNull();
  expect(await refusal(set)).toBe('already_undone');
});

test('a keg that was announced elsewhere returns there', async () => {
  const keg = addKeg();
  await setNext(1, keg.id);
  const moved = await setNext(2, keg.id);
  await undo(moved);
  expect([await nextOf(1), await nextOf(2)]).toEqual([keg.id, null]);
});

test('what comes next without a keg is undone, and not once the beverage is deleted', async () => {
  const { beverage } = await anna.create('/beverages', { name: 'Bock', producer_id: 1 });
  await anna.send('put', '/taps/1/next', { beverage_id: beverage.id });
  const { correction_id: removed } = await anna.send('delete', '/taps/1/next');
  await undo(removed);
  expect((await anna.send('get', '/taps/1')).next).toMatchObject({
    keg_id: null,
    beverage: { name: 'Bock' },
  });
  const { correction_id: again } = await anna.send('delete', '/taps/1/next');
  await anna.send('delete', `/beverages/${beverage.id}`);
  expect(await refusal(again)).toBe('record_changed_since');
});

test('the undo is refused once the keg is on a tap, or announced on another one', async () => {
  const [tapped, moved] = [addKeg(), addKeg()];
  await setNext(1, tapped.id);
  const { correction_id: removed } = await anna.send('delete', '/taps/1/next');
  await anna.send('post', '/taps/2/attach-keg', { keg_id: tapped.id });
  expect(await refusal(removed)).toBe('keg_not_available');

  await setNext(1, moved.id);
  const { correction_id: again } = await anna.send('delete', '/taps/1/next');
  await setNext(3, moved.id);
  expect(await refusal(again)).toBe('tap_changed_since');
  expect([await nextOf(1), await nextOf(3)]).toEqual([null, moved.id]);
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test('what was not changed has no undo', async () => {
  expect((await anna.send('delete', '/taps/1/next')).correction_id).toBeNull();
  const keg = addKeg();
  await setNext(1, keg.id);
  expect(await setNext(1, keg.id)).toBeNull();
});

test('it is undone by PIN on a shared tablet, as it was set', async () => {
  const id = await setNext(1, addKeg().id);
  await request(server.app)
    .post(`/api/corrections/${id}/undo`)
    .set(server.createUnlockedTablet('Bar', 'anna'))
    .send({})
    .expect(200);
  expect(await nextOf(1)).toBeNull();
});
