import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

const raw = 'annex.thermo-28ff';

function createServer() {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const undo = (reply: { correction_id: number }) =>
    anna.send('post', `/corrections/${reply.correction_id}/undo`);
  const log = (tempC: number) => server.engine.temperatures.log({ sensor: raw, tempC }, server.now());
  return { server, anna, undo, log };
}

test('offset, place and taps of a thermo sensor are changed together, and undone together', async () => {
  const { server, anna, undo, log } = createServer();
  log(4);
  const changes = { nice_name: 'Fridge left', place: 'Keg fridge', offset_c: -0.5, tap_ids: ['1', 2] };
  const changed = await anna.send('patch', `/thermo-sensors/${raw}`, changes);
  expect(changed.sensor).toMatchObject({ nice_name: 'Fridge left', place: 'Keg fridge', offset_c: -0.5 });
  // The stored reading stays; the next one has the offset.
  expect(changed.last_temp).toBe(4);
  expect(log(6.1).log.tempC).toBe(5.6);
  const { id } = changed.sensor;
  const sensorOf = async (tap: number) => (await anna.send('get', `/taps/${tap}`)).tap.thermo_sensor_id;
  expect([await sensorOf(1), await sensorOf(2), await sensorOf(3)]).toEqual([id, id, null]);

  await undo(changed);
  expect((await anna.send('get', `/thermo-sensors/${raw}`)).sensor).toMatchObject({
    nice_name: '',
    place: '',
    offset_c: 0,
  });
  expect(await sensorOf(2)).toBeNull();
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test.each<[body: object, field: string]>([
  [{ offset_c: 10.1 }, 'offset_c'],
  [{ offset_c: -11 }, 'offset_c'],
  [{ place: 'x'.repeat(129) }, 'place'],
  [{ tap_ids: [1, 99] }, 'tap_ids'],
])('a thermo sensor refuses %j because of %s', async (body, field) => {
  const { anna, log } = createServer();
  log(4);
  const refused = await anna.expectError(400, 'patch', `/thermo-sensors/${raw}`, body);
  expect(JSON.stringify(refused)).toContain(field);
});

test('an undone deletion gives a thermo sensor its readings and taps back, with the readings taken since', async () => {
  const { server, anna, undo, log } = createServer();
  const { sensor } = log(4);
  await anna.send('patch', `/thermo-sensors/${raw}`, { nice_name: 'Fridge', tap_ids: [1] });
  const deleted = await anna.send('delete', `/thermo-sensors/${raw}`);
  expect((await anna.send('get', '/thermo-logs')).logs).toEqual([]);
  // It keeps measuring, so that it is created again.
  server.setClock({ wallMs: server.now().wallMs + 60_000 });
  const again = log(5).sensor;
  expect(again.id).not.toBe(sensor.id);

  await undo(deleted);
  expect(server.engine.temperatures.find(raw)?.sensor).toMatchObject({ id: sensor.id, niceName: 'Fridge' });
  expect(server.engine.temperatures.find(again.id)).toBeNull();
  expect((await anna.send('get', '/taps/1')).tap.thermo_sensor_id).toBe(String(sensor.id));
  const { logs } = await anna.send('get', '/thermo-logs');
  expect(logs.map((one: { temp_c: number }) => one.temp_c)).toEqual([5, 4]);
  expect(server.engine.site.checkDatabase()).toEqual([]);
  await anna.expectError(409, 'post', `/corrections/${deleted.correction_id}/undo`);
});

test('a meter gets a name and notes and moves to another tap; undo gives both meters their taps back', async () => {
  const { server, anna, undo } = createServer();
  const [first, second] = server.engine.taps.hardware.meters();
  const changed = await anna.send('patch', `/flow-meters/${first!.id}`, {
    nice_name: 'SF800 left',
    notes: 'Behind the panel',
    tap_id: String(second!.tapId),
    move: true,
  });
  expect(changed.flow_meter).toMatchObject({
    nice_name: 'SF800 left',
    notes: 'Behind the panel',
    tap_id: String(second!.tapId),
  });
  expect((await anna.send('get', `/flow-meters/${second!.id}`)).flow_meter.tap_id).toBeNull();
  await undo(changed);
  const tapOf = async (id: number) => (await anna.send('get', `/flow-meters/${id}`)).flow_meter.tap_id;
  expect([await tapOf(first!.id), await tapOf(second!.id)]).toEqual([
    String(first!.tapId),
    String(second!.tapId),
  ]);
  await anna.expectError(400, 'patch', `/flow-meters/${first!.id}`, { tap_id: 99 });
});

test('a meter that was taken off its tap cannot be put back by undo when the tap has another one since', async () => {
  const { server, anna } = createServer();
  const [first, second] = server.engine.taps.hardware.meters();
  const removed = await anna.send('patch', `/flow-meters/${first!.id}`, { tap_id: null });
  await anna.send('patch', `/flow-meters/${second!.id}`, { tap_id: String(first!.tapId), move: true });
  const refused = await anna.expectError(409, 'post', `/corrections/${removed.correction_id}/undo`);
  expect(JSON.stringify(refused)).toContain('device_changed_since');
});

test('an undone deletion gives a controller its meters, valves, taps and calibration back', async () => {
  const { server, anna, undo } = createServer();
  await anna.create('/controllers', { name: 'annex', nice_name: 'Annex board', notes: 'On the wall' });
  const { flow_meter: meter } = await anna.create('/flow-meters', {
    controller_id: 2,
    port_name: 'flow0',
    ticks_per_ml: 5.4,
  });
  await anna.create('/flow-toggles', { controller_id: 2, port_name: 'relay0' });
  await anna.send('patch', `/flow-meters/${meter.id}`, { tap_id: '3' });
  insertDrink(server.store, { tap: 'annex.flow0', ticks: 540 }, server.now());
  const seen = (await anna.send('get', '/controllers/2')).controller.last_seen_time;
  expect(seen).not.toBeNull();
  const before = await anna.send('get', `/flow-meters/${meter.id}`);
  expect(before.flow_meter.last_counted_time).toBe(seen);

  const deleted = await anna.send('delete', '/controllers/2');
  await anna.expectError(404, 'get', `/flow-meters/${meter.id}`);
  await undo(deleted);
  expect(await anna.send('get', `/flow-meters/${meter.id}`)).toEqual(before);
  expect((await anna.send('get', '/taps/3')).tap.meter_id).toBe(meter.id);
  expect((await anna.send('get', '/controllers/2')).controller).toMatchObject({
    nice_name: 'Annex board',
    notes: 'On the wall',
  });
  expect((await anna.send('get', '/flow-toggles')).paging.total).toBe(2);
  expect(server.engine.site.checkDatabase()).toEqual([]);
  expect(server.store.faults()).toEqual([]);
});

test('an undone deletion of a meter replaces the one that its controller created again', async () => {
  const { server, anna, undo } = createServer();
  await anna.create('/controllers', { name: 'annex' });
  const { flow_meter: meter } = await anna.create('/flow-meters', { controller: 2, port_name: 'flow0' });
  await anna.send('patch', `/flow-meters/${meter.id}`, { nice_name: 'Old', tap_id: '3' });
  insertDrink(server.store, { tap: 'annex.flow0', ticks: 540 }, server.now());
  const deleted = await anna.send('delete', `/flow-meters/${meter.id}`);
  const { flow_meter: again } = await anna.create('/flow-meters', { controller: 2, port_name: 'flow0' });
  await undo(deleted);
  await anna.expectError(404, 'get', `/flow-meters/${again.id}`);
  expect((await anna.send('get', `/flow-meters/${meter.id}`)).flow_meter).toMatchObject({
    nice_name: 'Old',
    tap_id: '3',
  });
  expect(server.engine.taps.hardware.meters().find(({ id }) => id === meter.id)?.ticksTotal).toBe(540);
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test('only staff change hardware', async () => {
  const { server, log } = createServer();
  log(4);
  const guest = await request(server.app).patch(`/api/thermo-sensors/${raw}`).send({ offset_c: 1 });
  expect(guest.status).toBe(401);
});
