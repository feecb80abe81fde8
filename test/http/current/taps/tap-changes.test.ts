import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

const ale = { beverage_name: 'Ale', producer_name: 'Schwarz', style_name: 'Pale Ale' };

test('creates, renames and deletes a tap', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const created = await anna.create('/taps', { name: ' Garden ', notes: 'needs a new seal', sort_order: 7 });
  expect(created).toMatchObject({
    tap: { id: '4', name: 'Garden', notes: 'needs a new seal', sort_order: 7, meter_name: null },
    keg: null,
    beverage: null,
  });
  expect(await anna.send('patch', '/taps/4', { sort_order: 0 })).toMatchObject({
    tap: { name: 'Garden', notes: 'needs a new seal', sort_order: 0 },
  });
  expect(await anna.send('put', '/taps/4', { name: 'Beer garden', notes: null })).toMatchObject({
    tap: { name: 'Beer garden', notes: '', sort_order: 0 },
  });
  expect(await anna.send('delete', '/taps/4')).toEqual({ correction_id: expect.any(Number) });
  await anna.expectError(404, 'get', '/taps/4');
});

test('only staff see the notes of taps and kegs', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  await anna.send('patch', '/taps/pi.flow0', { notes: 'sticks' });
  await anna.send('patch', '/kegs/1', { notes: 'paid in cash' });
  for (const path of ['/taps', '/taps/1', '/kegs', '/kegs/1', '/status']) {
    for (const key of ['', server.guestKey]) {
      const reply = await request(server.app).get(`/api${path}`).set('X-Kegbot-Api-Key', key).expect(200);
      expect(reply.text).not.toMatch(/sticks|paid in cash/);
    }
  }
  expect((await anna.send('get', '/taps')).taps[0]).toMatchObject({
    tap: { notes: 'sticks' },
    keg: { notes: 'paid in cash' },
  });
});

test('refuses to delete a tap with a keg, and frees the meter of a deleted tap', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const refusal = await anna.expectError(409, 'delete', '/taps/pi.flow0');
  expect(refusal.message).toContain('Keg 1');
  insertDrink(server.store, { tap: 'pi.flow0', ticks: 600 }, server.now());
  await anna.send('post', '/taps/pi.flow0/end-keg');
  await anna.send('delete', '/taps/pi.flow0');
  const { flow_meter: meter } = await anna.send('get', '/flow-meters/1');
  expect(meter.tap_id).toBeNull();
  expect((await anna.send('get', '/flow-toggles/1')).flow_toggle.tap_id).toBeNull();
  // The drinks stay.
  expect((await anna.send('get', '/kegs/1/drinks')).drinks).toHaveLength(1);
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test('a keg can be attached, ended and reactivated', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const { keg } = await anna.create('/kegs', { ...ale, keg_type: 'corny' });
  expect(await anna.send('post', '/taps/pi.flow1/attach-keg', { keg_id: keg.id })).toMatchObject({
    tap: { id: '2', current_keg_id: keg.id },
    keg: { state: 'on_tap', status: 'online' },
    beverage: { name: 'Ale', style_id: 'Pale Ale', producer: { name: 'Schwarz' } },
  });
  expect(await anna.expectError(409, 'post', '/taps/3/attach-keg', { keg_id: keg.id })).toMatchObject({
    message: expect.stringContaining('another tap'),
  });
  expect(await anna.expectError(409, 'post', '/taps/1/attach-keg', { keg_id: keg.id })).toMatchObject({
    message: expect.stringContaining('Keg 1'),
  });
  server.setClock({ wallMs: server.now().wallMs + 3_600_000 });
  expect(await anna.send('post', '/taps/pi.flow1/end-keg')).toMatchObject({
    tap: { current_keg_id: null },
    keg: null,
  });
  expect((await anna.send('get', `/kegs/${keg.id}`)).keg).toMatchObject({
    state: 'finished',
    finished_time: '2026-05-02T18:00:00Z',
  });
  const refusal = await anna.expectError(409, 'post', '/taps/2/attach-keg', { keg_id: String(keg.id) });
  expect(refusal.message).toContain('finished');
  expect((await anna.expectError(409, 'post', '/taps/2/end-keg')).message).toContain('no keg');
  await anna.send('post', `/kegs/${keg.id}/reactivate`);
  await anna.send('post', '/taps/3/attach-keg', { keg_id: String(keg.id) });
  const kinds = server.engine.lists.events({ kegId: keg.id }).items.map(({ kind }) => kind);
  expect(kinds).toEqual(['keg_ended', 'keg_tapped']);
  expect(await anna.expectError(400, 'post', '/taps/2/attach-keg', { keg_id: 99 })).toMatchObject({
    fields: { keg_id: 'must be the id of a keg' },
  });
});

test('start-keg creates a keg, also a partly filled one, on an empty tap', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const started = await anna.send('post', '/taps/2/start-keg', {
    beverage_id: '1',
    keg_type: 'euro-half',
    full_volume_ml: 31_000,
    notes: 'left over from the wedding',
  });
  expect(started).toMatchObject({
    keg: { state: 'on_tap', full_volume_ml: 31_000, size_id: 8, notes: 'left over from the wedding' },
    beverage: { id: '1', name: 'Haus Helles' },
  });
  await anna.expectError(409, 'post', '/taps/2/start-keg', { beverage_id: 1 });
  // A refused start creates nothing.
  expect((await anna.send('get', '/kegs')).paging.total).toBe(2);
  expect(await anna.send('post', '/taps/3/start-keg', { ...ale, beverage_type: 'kombucha' })).toMatchObject({
    keg: { full_volume_ml: 58_673.9, size_id: 9 },
    beverage: { beverage_type: 'kombucha' },
  });
});

test.each<[string, object, string]>([
  ['nothing in it', {}, 'beverage_id'],
  ['two beers in it', { ...ale, beverage_id: 1 }, 'beverage_name'],
  ['no producer', { beverage_name: 'Ale', style_name: 'Ale' }, 'producer_name'],
  ['no style', { beverage_name: 'Ale', producer_name: 'Schwarz' }, 'style_name'],
  ['a blank style', { ...ale, style_name: ' ' }, 'style_name'],
  ['a beer nobody brews', { beverage_id: 99 }, 'beverage_id'],
  ['no volume', { beverage_id: 1, full_volume_ml: 0 }, 'full_volume_ml'],
  ['a volume below none', { beverage_id: 1, full_volume_ml: -1 }, 'full_volume_ml'],
  ['a size of its own and no volume', { beverage_id: 1, keg_type: 'other' }, 'full_volume_ml'],
  ['a size nobody makes', { beverage_id: 1, keg_type: 'bathtub' }, 'keg_type'],
  ['two sizes', { beverage_id: 1, keg_type: 'corny', size_id: 4 }, 'size_id'],
  ['a typing error', { beverage_id: 1, full_volume: 3 }, 'full_volume'],
])('refuses a keg with %s', async (_label, body, field) => {
  const anna = createStaffClient(createTestServer());
  for (const path of ['/kegs', '/taps/2/start-keg']) {
    const { code, fields } = await anna.expectError(400, 'post', path, body);
    expect(code).toBe('BadRequestError');
    expect(Object.keys(fields)).toEqual([field]);
  }
  expect((await anna.send('get', '/kegs')).paging.total).toBe(1);
});

test('two taps exchange their meters, with or without the factors; undo restores both', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const metersOf = async () => {
    const get = async (id: number) => (await anna.send('get', `/flow-meters/${id}`)).flow_meter;
    const meters = [await get(1), await get(2)];
    return meters.map(({ tap_id: tap, ticks_per_ml: factor }) => [tap, factor]);
  };
  const before = await metersOf();
  const [left, right] = before.map(([, factor]) => factor);
  const swapped = await anna.send('post', '/taps/1/swap-meters', { tap: 'pi.flow1' });
  expect(swapped.tap).toMatchObject({ id: '1', meter_name: 'pi.flow1' });
  expect(await metersOf()).toEqual([
    ['2', left],
    ['1', right],
  ]);
  await anna.send('post', `/corrections/${swapped.correction_id}/undo`);
  expect(await metersOf()).toEqual(before);
  const exchanged = await anna.send('post', '/taps/1/swap-meters', { tap: '2', exchange_factors: true });
  expect(await metersOf()).toEqual([
    ['2', right],
    ['1', left],
  ]);
  await anna.send('post', `/corrections/${exchanged.correction_id}/undo`);
  expect(await metersOf()).toEqual(before);
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test('the swap of meters is refused for the same tap, an unknown one and taps without meters', async () => {
  const anna = createStaffClient(createTestServer());
  const same = await anna.expectError(400, 'post', '/taps/1/swap-meters', { tap: '1' });
  expect(JSON.stringify(same)).toContain('must be another tap');
  const unknown = await anna.expectError(400, 'post', '/taps/1/swap-meters', { tap: '99' });
  expect(JSON.stringify(unknown)).toContain('must be the id or meter of a tap');
  await anna.expectError(404, 'post', '/taps/99/swap-meters', { tap: '1' });
  for (const tap of [1, 2]) await anna.send('post', `/taps/${tap}/connect-meter`, { meter_id: null });
  const none = await anna.expectError(409, 'post', '/taps/1/swap-meters', { tap: '2' });
  expect(none).toMatchObject({ reason: { name: 'no_meters' } });
});

test('hardware can be moved between taps, and null disconnects it', async () => {
  const anna = createStaffClient(createTestServer());
  expect(await anna.send('post', '/taps/3/connect-meter', { meter_id: 1, move: true })).toMatchObject({
    tap: { id: '3', meter_name: 'pi.flow0', meter_id: 1, ml_per_tick: 0.5 },
  });
  expect((await anna.send('get', '/taps/1')).tap).toMatchObject({ meter_name: null, ml_per_tick: 0 });
  // A second meter replaces the first.
  await anna.send('post', '/taps/3/connect-meter', { meter_id: '3' });
  expect((await anna.send('get', '/flow-meters/1')).flow_meter.tap_id).toBeNull();
  expect(
    (await anna.send('post', '/taps/pi.flow2/connect-meter', { meter_id: null })).tap.meter_id,
  ).toBeNull();
  expect(
    (await anna.send('post', '/taps/2/connect-toggle', { toggle_id: 1, move: true })).tap.toggle_id,
  ).toBe(1);
  expect((await anna.send('get', '/taps/1')).tap.toggle_id).toBeNull();
  expect((await anna.send('post', '/taps/2/connect-toggle', { toggle_id: null })).tap.toggle_id).toBeNull();
  // Two taps can share a thermo sensor.
  await anna.send('post', '/taps/2/connect-thermo', { thermo_sensor_id: '1' });
  expect((await anna.send('get', '/taps')).taps.map(({ tap }: { tap: object }) => tap)).toMatchObject([
    { thermo_sensor_id: '1' },
    { thermo_sensor_id: '1' },
    { thermo_sensor_id: null },
  ]);
  await anna.send('post', '/taps/2/connect-thermo', { thermo_sensor_id: null });
  for (const [part, field] of [
    ['meter', 'meter_id'],
    ['toggle', 'toggle_id'],
    ['thermo', 'thermo_sensor_id'],
  ] as const) {
    const { fields } = await anna.expectError(400, 'post', `/taps/1/connect-${part}`, { [field]: 99 });
    expect(Object.keys(fields)).toEqual([field]);
    await anna.expectError(400, 'post', `/taps/1/connect-${part}`, {});
    await anna.expectError(404, 'post', `/taps/99/connect-${part}`, { [field]: null });
  }
});

test('every change publishes database.changed, and no refusal does', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  let changeCount = 0;
  server.bus.on('database.changed', () => {
    changeCount++;
  });
  await anna.create('/taps', { name: 'Garden' });
  await anna.send('post', '/taps/2/start-keg', { beverage_id: 1 });
  await anna.send('post', '/taps/2/connect-meter', { meter_id: null });
  await anna.send('post', '/taps/2/end-keg');
  expect(changeCount).toBe(4);
  await anna.expectError(409, 'post', '/taps/2/end-keg');
  await anna.expectError(400, 'post', '/taps', { name: '' });
  expect(changeCount).toBe(4);
});

test('a thermo sensor is connected by its id, its name on the bus or its display name', async () => {
  const server = createTestServer();
  const { send, expectError } = createStaffClient(server);
  const sensor = async (fields: object) => (await send('post', '/thermo-sensors', fields, 201)).sensor.id;
  const cellar = await sensor({ raw_name: '28-00000000000c', nice_name: 'Cellar' });
  // Its name is the id of another one: a text means the name, a number the id.
  const one = await sensor({ raw_name: '1' });
  for (const [ref, id] of [
    ['Cellar', cellar],
    ['28-00000000000c', cellar],
    [Number(cellar), cellar],
    [cellar, cellar],
    ['1', one],
    [1, '1'],
  ]) {
    const { tap } = await send('post', '/taps/2/connect-thermo', { thermo_sensor_id: ref });
    expect(tap.thermo_sensor_id).toBe(id);
  }
  for (const ref of ['nobody', '', 99, 1.5, true]) {
    const { fields } = await expectError(400, 'post', '/taps/2/connect-thermo', { thermo_sensor_id: ref });
    expect(fields.thermo_sensor_id).toContain('thermo sensor');
  }
});

test('staff say of a keg that they end whether it ran dry, and undo it', async () => {
  const anna = createStaffClient(createTestServer());
  await anna.expectError(400, 'post', '/taps/1/end-keg', { ran_dry: 'yes' });
  const { correction_id: correction } = await anna.send('post', '/taps/1/end-keg', { ran_dry: false });
  expect((await anna.send('get', '/kegs/1')).keg).toMatchObject({ state: 'finished', ran_dry: false });
  await anna.send('post', `/corrections/${correction}/undo`);
  expect((await anna.send('get', '/kegs/1')).keg).toMatchObject({ state: 'on_tap', ran_dry: null });
  await anna.send('post', '/taps/1/end-keg');
  expect((await anna.send('get', '/kegs/1')).keg).toMatchObject({ ran_dry: null });
});

test('a keg that was poured from is taken off into the stock, undone, and put on again', async () => {
  const anna = createStaffClient(createTestServer());
  await anna.create('/taps/1/record-drink', { volume_ml: 400 });
  const { correction_id: correction } = await anna.send('delete', '/taps/1/kegs/1');
  expect((await anna.send('get', '/kegs/1')).keg).toMatchObject({
    state: 'available',
    served_volume_ml: 400,
    finished_time: null,
  });
  expect(await anna.send('get', '/taps/1')).toMatchObject({ state: 'empty', keg: null });
  await anna.send('post', `/corrections/${correction}/undo`);
  expect((await anna.send('get', '/taps/1')).keg).toMatchObject({ id: 1, state: 'on_tap' });
  await anna.send('delete', '/taps/1/kegs/1');
  await anna.send('post', '/taps/1/attach-keg', { keg_id: 1 });
  expect((await anna.send('get', '/kegs/1')).keg).toMatchObject({ state: 'on_tap', served_volume_ml: 400 });
});
