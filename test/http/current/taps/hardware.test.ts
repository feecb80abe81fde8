import { expect, test } from 'vitest';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

test('creates, changes and deletes a controller with its meter and toggle', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const { controller } = await anna.create('/controllers', { name: 'annex', model_name: 'Kegboard' });
  const noTexts = { nice_name: '', notes: '' };
  expect(controller).toEqual({
    id: 2,
    name: 'annex',
    model_name: 'Kegboard',
    serial_number: null,
    ...noTexts,
    last_seen_time: null,
  });
  const { flow_meter: meter } = await anna.create('/flow-meters', { controller: '2', port_name: 'flow0' });
  expect(meter).toEqual({
    id: 4,
    name: 'annex.flow0',
    controller_id: 2,
    port_name: 'flow0',
    tap_id: null,
    ticks_per_ml: 2.724,
    calibrated: false,
    uncertainty: null,
    ...noTexts,
    last_counted_time: null,
  });
  await anna.create('/flow-meters', { controller_id: 2, port_name: 'flow1', ticks_per_ml: 5.4 });
  await anna.create('/flow-toggles', { controller_id: '2', port_name: 'relay0' });
  await anna.send('post', '/taps/3/connect-meter', { meter_id: 4 });

  expect(await anna.send('patch', '/flow-meters/4', { ticks_per_ml: 3 })).toMatchObject({
    flow_meter: { ticks_per_ml: 3, calibrated: true, port_name: 'flow0' },
  });
  expect(await anna.send('put', '/flow-meters/4', { port_name: 'left' })).toMatchObject({
    flow_meter: { name: 'annex.left', ticks_per_ml: 3, tap_id: '3' },
  });
  expect(await anna.send('patch', '/flow-toggles/2', { port_name: 'valve' })).toMatchObject({
    flow_toggle: { name: 'annex.valve' },
  });
  const renamed = await anna.send('patch', '/controllers/2', { name: 'attic', model_name: null });
  expect(renamed.controller).toMatchObject({ id: 2, name: 'attic', model_name: null, serial_number: null });
  expect((await anna.send('get', '/taps/attic.left')).tap.id).toBe('3');

  insertDrink(server.store, { tap: 'attic.left', ticks: 900 }, server.now());
  expect(await anna.send('delete', '/controllers/2')).toEqual({ correction_id: expect.any(Number) });
  expect((await anna.send('get', '/flow-meters')).paging.total).toBe(3);
  expect((await anna.send('get', '/flow-toggles')).paging.total).toBe(1);
  expect((await anna.send('get', '/taps/3')).tap.meter_name).toBeNull();
  // Its drinks stay.
  expect((await anna.send('get', '/drinks')).drinks[0]).toMatchObject({ ticks: 900, volume_ml: 300 });
  expect(server.engine.site.checkDatabase()).toEqual([]);
  expect(server.store.faults()).toEqual([]);
});

test.each<[path: string, body: object, field: string]>([
  ['/controllers', { name: 'pi' }, 'name'],
  ['/controllers', { name: 'a.b' }, 'name'],
  ['/controllers', {}, 'name'],
  ['/flow-meters', { port_name: 'flow9' }, 'controller'],
  ['/flow-meters', { controller: 99, port_name: 'flow9' }, 'controller'],
  ['/flow-meters', { controller: 1, controller_id: 2, port_name: 'flow9' }, 'controller_id'],
  ['/flow-meters', { controller: 1, port_name: 'flow0' }, 'port_name'],
  ['/flow-meters', { controller: 1, port_name: 'flow9', ticks_per_ml: 0 }, 'ticks_per_ml'],
  ['/flow-meters', { controller: 1, port_name: 'flow9', ticks_per_ml: -2 }, 'ticks_per_ml'],
  ['/flow-toggles', { controller: 1, port_name: 'relay0' }, 'port_name'],
  ['/flow-toggles', { controller: 'pi', port_name: 'relay9' }, 'controller'],
])('POST %s refuses %j because of %s', async (path, body, field) => {
  const { fields } = await createStaffClient(createTestServer()).expectError(400, 'post', path, body);
  expect(Object.keys(fields)).toEqual([field]);
});

test('refuses duplicate names of controllers, meters and toggles', async () => {
  const anna = createStaffClient(createTestServer());
  await anna.create('/controllers', { name: 'annex' });
  for (const port_name of ['flow0', 'flow1']) await anna.create('/flow-meters', { controller: 2, port_name });
  for (const port_name of ['a', 'b']) await anna.create('/flow-toggles', { controller: 2, port_name });
  await anna.expectError(400, 'patch', '/flow-meters/4', { port_name: 'flow1' });
  await anna.expectError(400, 'patch', '/flow-toggles/2', { port_name: 'b' });
  await anna.expectError(400, 'patch', '/controllers/2', { name: 'pi' });
  // Sending the current name is no conflict.
  await anna.send('patch', '/flow-meters/4', { port_name: 'flow0' });
  await anna.send('patch', '/controllers/2', { name: 'annex' });
});

test.each([
  ['/controllers/1', { name: 'other' }],
  ['/flow-meters/1', { port_name: 'other' }],
  ['/flow-toggles/1', { port_name: 'other' }],
])('refuses to rename or delete %s, which is in the configuration file', async (path, body) => {
  const anna = createStaffClient(createTestServer());
  expect((await anna.expectError(409, 'delete', path)).message).toContain('configuration file');
  expect((await anna.expectError(409, 'patch', path, body)).message).toContain('configuration file');
  // Calibration and serial number can still be changed.
  await anna.send('patch', '/flow-meters/1', { ticks_per_ml: 2.2 });
  await anna.send('patch', '/controllers/1', { serial_number: '100000003d1d1c36' });
});

test('refuses to delete a plugged-in serial board', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const board = { modelName: 'Kegboard', serialNumber: null, meters: ['flow0'], toggles: ['relay0'] };
  server.engine.taps.hardware.registerBoard({ name: 'kegboard-1', ...board });
  for (const path of ['/controllers/2', '/flow-meters/4', '/flow-toggles/2']) {
    expect((await anna.expectError(409, 'delete', path)).message).toContain('unplug');
  }
});

test('a meter created again under the same name keeps its total ticks', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const createMeter = async () => {
    const { controller } = await anna.create('/controllers', { name: 'annex' });
    const { flow_meter: meter } = await anna.create('/flow-meters', {
      controller: controller.id,
      port_name: 'flow0',
    });
    return { controller, meter };
  };
  const first = await createMeter();
  insertDrink(server.store, { tap: 'annex.flow0', ticks: 900 }, server.now());
  await anna.send('delete', `/controllers/${first.controller.id}`);
  const second = await createMeter();
  const total = (id: number) => server.engine.taps.hardware.meters().find((one) => one.id === id)!.ticksTotal;
  expect(total(second.meter.id)).toBe(900);
  expect(server.engine.site.checkDatabase()).toEqual([]);
  await anna.send('patch', `/flow-meters/${second.meter.id}`, { port_name: 'flow1' });
  const { flow_meter: third } = await anna.create('/flow-meters', {
    controller: second.controller.id,
    port_name: 'flow0',
  });
  expect(total(third.id)).toBe(900);
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test('creates, renames and deletes a thermo sensor with its readings', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const created = await anna.create('/thermo-sensors', {
    raw_name: 'annex.thermo-28ff',
    nice_name: 'Annex',
  });
  expect(created).toEqual({
    sensor: { id: '2', name: 'annex.thermo-28ff', nice_name: 'Annex', place: '', offset_c: 0 },
    last_temp: null,
    last_time: null,
    last_seen: null,
    is_stale: false,
    correction_id: null,
  });
  server.engine.temperatures.log({ sensor: 'annex.thermo-28ff', tempC: 4.5 }, server.now());
  expect(await anna.send('patch', '/thermo-sensors/Annex', { nice_name: 'Cooler' })).toEqual({
    sensor: { ...created.sensor, nice_name: 'Cooler' },
    last_temp: 4.5,
    last_time: '2026-05-02T17:00:00Z',
    last_seen: '2026-05-02T17:00:00Z',
    is_stale: false,
    correction_id: expect.any(Number),
  });
  await anna.send('put', '/thermo-sensors/2', { name: 'annex.thermo-28fe', nice_name: null });
  expect((await anna.send('get', '/thermo-sensors/annex.thermo-28fe')).sensor.nice_name).toBe('');
  for (const body of [
    {},
    { nice_name: 'x' },
    { raw_name: 'a', name: 'b' },
    { raw_name: '28-0000000000a1' },
  ]) {
    await anna.expectError(400, 'post', '/thermo-sensors', body);
    await anna.expectError(400, 'put', '/thermo-sensors/2', body);
  }
  await anna.send('post', '/taps/3/connect-thermo', { thermo_sensor_id: 2 });
  expect(await anna.send('delete', '/thermo-sensors/2')).toEqual({ correction_id: expect.any(Number) });
  expect((await anna.send('get', '/taps/3')).tap.thermo_sensor_id).toBeNull();
  expect((await anna.send('get', '/thermo-logs')).logs).toEqual([]);
  await anna.expectError(404, 'delete', '/thermo-sensors/2');
  expect(server.engine.site.checkDatabase()).toEqual([]);
});
