import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer, openingMs } from '../http/test-server.ts';
import { type KbapiError, kbapi } from './kbapi.ts';

const now = { monoMs: 0, wallMs: openingMs, synced: true, bootId: 'boot-1' };
const nowSeconds = openingMs / 1000;

/** A pycore client with a staff key. */
function createPycore(server = createTestServer()) {
  return { server, api: kbapi(server, server.staffKey) };
}

/** The name of the error class that the call raises in pycore. */
async function errorClass(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (fault) {
    return (fault as KbapiError).code;
  }
  return 'nothing';
}

test('status, once a minute: every tap has meter_name, ml_per_tick and relay_name', async () => {
  const { api } = createPycore();
  const status = await api.status();
  const read = status.taps.map(({ meter_name, ml_per_tick, relay_name }) => [
    meter_name,
    ml_per_tick,
    relay_name,
  ]);
  expect(read).toEqual([
    ['unknown.3', 0, ''],
    ['pi.flow0', 0.5, 'pi.relay0'],
    ['pi.flow1', 0.2, ''],
  ]);
  // With this field, pycore would poll six times as often.
  expect(status).not.toHaveProperty('current_session');
});

test('status: the number of the relay is the last character of its name', async () => {
  const { server, api } = createPycore();
  const board = server.engine.taps.hardware.createController({ name: 'kegboard' });
  const toggle = server.engine.taps.hardware.createToggle({ controllerId: board.id, portName: 'relay1' });
  server.engine.taps.connectToggle(server.right.id, toggle.id);
  const right = (await api.status()).taps.find(({ id }) => id === server.right.id);
  expect(String(right?.relay_name).at(-1)).toBe('1');
});

test('status: the complete state in one reply', async () => {
  const { server, api } = createPycore();
  expect(await api.status()).not.toHaveProperty('active_session');
  await api.recordDrink('pi.flow0', { ticks: 660, username: 'bert' });
  await api.recordDrink('pi.flow0', { ticks: 660 });
  const status = await api.status();
  expect(Object.keys(status).sort()).toEqual([
    'active_kegs',
    'active_session',
    'active_users',
    'controllers',
    'drinks',
    'events',
    'meters',
    'site_info',
    'taps',
    'toggles',
  ]);
  expect(status).toMatchObject({
    site_info: { title: 'Tapster', server_version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
    active_kegs: [{ id: server.keg.id, keg_type: 'euro-30-liter', served_volume_ml: 660, online: true }],
    active_session: { id: 1, url: '/sessions/2026/5/2/1/', volume_ml: 660, name: '' },
    active_users: [{ username: 'bert', url: '/drinkers/bert/', is_active: true, display_name: 'bert' }],
    controllers: [{ id: 1, name: 'pi', model_name: 'Raspberry Pi' }],
    meters: [{ name: 'pi.flow0' }, { name: 'pi.flow1' }, { name: 'pi.flow2' }],
    toggles: [{ id: 1, name: 'pi.relay0', port_name: 'relay0' }],
    drinks: [{ id: 2 }, { id: 1, user_id: 'bert', session_id: 1 }],
  });
  const nested = ['"current_keg":', '"keg":', '"session":', '"drink":', '"is_staff"', '"email"'];
  expect(nested.filter((name) => JSON.stringify(status).includes(name))).toEqual([]);
});

test('status: five drinks and five events, the newest first', async () => {
  const { api } = createPycore();
  for (let ticks = 10; ticks <= 70; ticks += 10) await api.recordDrink('pi.flow0', { ticks });
  const { drinks, events } = (await api.status()) as unknown as Record<string, { id: number }[]>;
  expect(drinks!.map(({ id }) => id)).toEqual([7, 6, 5, 4, 3]);
  expect(events).toHaveLength(5);
});

test('taps: all, and one by its meter name', async () => {
  const { api } = createPycore();
  expect((await api.taps()).map(({ name }) => name)).toEqual(['Attic', 'Left', 'Right']);
  expect(await api.tap('pi.flow0')).toMatchObject({ id: 1, current_keg: { id: 1, percent_full: 100 } });
});

test('record: every argument that kbapi can send', async () => {
  const { server, api } = createPycore();
  const drink = await api.recordDrink('pi.flow0', {
    ticks: 2_200,
    volume_ml: 1_000.5,
    username: 'bert',
    pour_time: nowSeconds - 30,
    now: nowSeconds,
    duration: 12,
    auth_token: 'core.rfid|0089f2c4',
    spilled: false,
    shout: 'Prost, ihr Säcke!',
    tick_time_series: '0:1100 6000:1100',
  });
  expect(drink).toMatchObject({
    id: 1,
    ticks: 2_200,
    volume_ml: 1_000.5,
    time: '2026-05-02T16:59:30+00:00',
    duration: 12,
    keg_id: 1,
    user_id: 'bert',
    shout: 'Prost, ihr Säcke!',
    tick_time_series: '0:1100 6000:1100',
  });
  expect(server.engine.drinks.get(1)?.drink).toMatchObject({
    ticks: 2_200,
    volumeMl: 1_000.5,
    username: 'bert',
    pourTimeMs: openingMs - 30_000,
    durationMs: 12_000,
    authToken: 'core.rfid|0089f2c4',
    source: 'post',
  });
});

test('record: the reply always has id, volume_ml, ticks and time', async () => {
  const { api } = createPycore();
  const drink = await api.recordDrink('pi.flow1', { ticks: 500, username: '' });
  expect(drink).toMatchObject({ id: 1, ticks: 500, volume_ml: 100, time: '2026-05-02T17:00:00+00:00' });
  for (const absent of ['keg_id', 'user_id', 'user', 'keg']) expect(drink).not.toHaveProperty(absent);
});

test('record: spilled True returns an empty object, which pycore reads as nothing recorded', async () => {
  const { server, api } = createPycore();
  expect(await api.recordDrink('pi.flow0', { ticks: 200, spilled: true })).toEqual({});
  expect(server.engine.kegs.get(1)?.spilledVolumeMl).toBe(100);
  expect(server.engine.drinks.list({}).total).toBe(0);
});

test('record: a pour with an unknown username is recorded', async () => {
  const { server, api } = createPycore();
  expect(await api.recordDrink('pi.flow0', { ticks: 200, username: 'stranger' })).toMatchObject({ id: 1 });
  expect(server.engine.drinks.get(1)?.drink).toMatchObject({ username: null, claimedUsername: 'stranger' });
});

test('record: a pour on a meter without a tap succeeds, so that it is not retried', async () => {
  const { server, api } = createPycore();
  const drink = await api.recordDrink('pi.flow2', { ticks: 200, username: 'bert' });
  // All that kegbot's protobuf requires of a drink, and what its server always sends. The pour has no session yet.
  expect(drink).toEqual({
    id: 1,
    url: '/drinks/1/',
    ticks: 200,
    volume_ml: expect.any(Number),
    session_id: 0,
    time: '2026-05-02T17:00:00+00:00',
    duration: 0,
    user_id: 'bert',
    user: { username: 'bert', url: '/drinkers/bert/', is_active: true, display_name: 'bert' },
  });
  expect(drink.volume_ml).toBeGreaterThan(0);
  expect(server.engine.drinks.held()).toHaveLength(1);
});

test('cancel: returns the drink as it was, and the keg is full again', async () => {
  const { server, api } = createPycore();
  const { id } = await api.recordDrink('pi.flow0', { ticks: 660, username: 'bert' });
  expect(await api.cancelDrink(id)).toMatchObject({
    id,
    volume_ml: 330,
    user: { username: 'bert' },
    keg: { served_volume_ml: 330 },
    session: { volume_ml: 330 },
  });
  expect(server.engine.drinks.get(id as number)).toBeNull();
  expect(server.engine.kegs.get(1)).toMatchObject({ servedVolumeMl: 0, spilledVolumeMl: 0 });
  expect(await errorClass(api.cancelDrink(id))).toBe('NotFoundError');
});

test('cancel: spilled True adds to the keg’s spilled volume', async () => {
  const { server, api } = createPycore();
  const { id } = await api.recordDrink('pi.flow0', { ticks: 660 });
  await api.cancelDrink(id, true);
  expect(server.engine.kegs.get(1)).toMatchObject({ servedVolumeMl: 0, spilledVolumeMl: 330 });
});

test('sensor reading: creates a new sensor, and stores one record per minute', async () => {
  const { server, api } = createPycore();
  const name = 'kegboard.thermo-28ff64';
  const first = await api.logSensorReading(name, 4.5, { when: nowSeconds, now: nowSeconds });
  expect(first).toEqual({ id: 1, sensor_id: 2, temperature_c: 4.5, time: '2026-05-02T17:00:00+00:00' });
  server.setClock({ wallMs: openingMs + 59_999 });
  expect(await api.logSensorReading(name, 5)).toEqual({ ...first, temperature_c: 5 });
  expect(await api.thermoSensor(name)).toEqual({
    sensor: { id: 2, sensor_name: name, nice_name: '', last_log: { ...first, temperature_c: 5 } },
    last_temp: 5,
    last_time: '2026-05-02T17:00:00+00:00',
  });
});

test('sensor reading: a sensor without a reading has null', async () => {
  const { api } = createPycore();
  expect(await api.thermoSensor('28-0000000000a1')).toMatchObject({ last_temp: null, last_time: null });
  expect(await errorClass(api.thermoSensor('nowhere'))).toBe('NotFoundError');
  expect(await errorClass(api.logSensorReading('cellar', 200))).toBe('BadRequestError');
});

test('token: shows owner and state, ignoring the case of hexadecimal values', async () => {
  const { server, api } = createPycore();
  const fob = { device: 'core.rfid', value: '0089f2c4', username: 'bert', niceName: 'Blue fob' };
  server.engine.access.tokens.create(fob, now);
  const token = await api.token('core.rfid', '0089f2c4');
  expect(token).toEqual({
    id: 1,
    auth_device: 'core.rfid',
    token_value: '0089f2c4',
    created_time: '2026-05-02T17:00:00+00:00',
    enabled: true,
    username: 'bert',
    user: { username: 'bert', url: '/drinkers/bert/', is_active: true, display_name: 'bert' },
    nice_name: 'Blue fob',
  });
  expect(await api.token('core.rfid', '0089F2C4')).toEqual(token);
});

test('token: one without owner, disabled or expired is returned as it is', async () => {
  const { server, api } = createPycore();
  server.engine.access.tokens.create({ device: 'core.onewire', value: 'AA00', enabled: false }, now);
  server.engine.access.tokens.create({ device: 'nfc', value: 'Ab', expireTimeMs: openingMs - 1_000 }, now);
  const lost = await api.token('core.onewire', 'aa00');
  expect(lost.enabled).toBe(false);
  for (const absent of ['username', 'user', 'nice_name', 'expire_time'])
    expect(lost).not.toHaveProperty(absent);
  expect(await api.token('nfc', 'Ab')).toMatchObject({
    enabled: true,
    expire_time: '2026-05-02T16:59:59+00:00',
  });
});

test('token: an unknown one is NotFoundError; any other error would crash pycore’s handler', async () => {
  const { api } = createPycore();
  expect(await errorClass(api.token('core.rfid', 'ffffffff'))).toBe('NotFoundError');
  expect(await errorClass(api.token('no.such.device', 'x y/z'.replace('/', '%2F')))).toBe('NotFoundError');
});

test('a connecting board creates its controller, then flow0 and flow1 at 2.2 ticks/mL', async () => {
  const { server, api } = createPycore();
  const board = await api.createController('kegboard-0089f2c4', 'Kegboard', 'KB-0089F2C4');
  expect(board).toEqual({
    id: 2,
    name: 'kegboard-0089f2c4',
    model_name: 'Kegboard',
    serial_number: 'KB-0089F2C4',
  });
  for (const port of ['flow0', 'flow1']) await api.createFlowMeter(board.id, port, 2.2);
  const meters = (await api.flowMeters()).slice(3);
  expect(meters).toEqual([
    { id: 4, name: 'kegboard-0089f2c4.flow0', controller: board, port_name: 'flow0', ticks_per_ml: 2.2 },
    { id: 5, name: 'kegboard-0089f2c4.flow1', controller: board, port_name: 'flow1', ticks_per_ml: 2.2 },
  ]);
  expect(server.engine.taps.hardware.meters().at(-1)).toMatchObject({ ticksPerMl: 2.2, tapId: null });
  expect(await errorClass(api.tap('kegboard-0089f2c4.flow0'))).toBe('NotFoundError');
});

test('a reconnecting board gets an error for its name and ports, and nothing is created twice', async () => {
  const { server, api } = createPycore();
  const { id } = await api.createController('kegboard');
  await api.createFlowMeter(id, 'flow0', 2.2);
  expect(await errorClass(api.createController('kegboard', 'Kegboard'))).toBe('BadRequestError');
  expect(await errorClass(api.createFlowMeter(id, 'flow0', 2.2))).toBe('BadRequestError');
  expect((await api.controllers()).map(({ name }) => name)).toEqual(['pi', 'kegboard']);
  expect(server.engine.taps.hardware.meters()).toHaveLength(4);
});

test('events: at most ten, newest first, with related items and without private fields', async () => {
  const { api } = createPycore();
  for (let ticks = 10; ticks <= 120; ticks += 10)
    await api.recordDrink('pi.flow0', { ticks, username: 'bert' });
  const events = await api.events();
  expect(events).toHaveLength(10);
  expect(events[0]).toMatchObject({
    kind: 'drink_poured',
    time: '2026-05-02T17:00:00+00:00',
    drink_id: 12,
    keg_id: 1,
    session_id: 1,
    user_id: 'bert',
    drink: { id: 12, user: { username: 'bert' }, keg: { id: 1 }, session: { id: 1 } },
    keg: { id: 1 },
    session: { id: 1, is_active: true },
    user: { username: 'bert', display_name: 'bert' },
  });
  const text = JSON.stringify(events);
  for (const secret of ['email', 'is_staff', 'is_superuser', 'last_login', 'date_joined']) {
    expect(text).not.toContain(secret);
  }
});

test('events: since lists newer events', async () => {
  const { api } = createPycore();
  await api.recordDrink('pi.flow0', { ticks: 10 });
  const newest = (await api.events())[0]?.id as number;
  expect(await api.events(newest)).toEqual([]);
  await api.recordDrink('pi.flow0', { ticks: 10 });
  expect((await api.events(newest)).map(({ kind }) => kind)).toEqual(['drink_poured']);
});

test('errors: pycore knows each by its class', async () => {
  const server = createTestServer();
  const withKey = (key: string) => kbapi(server, key);
  const drink = { ticks: 100 };
  expect(await errorClass(withKey('').recordDrink('pi.flow0', drink))).toBe('NoAuthTokenError');
  expect(await errorClass(withKey('wrong').recordDrink('pi.flow0', drink))).toBe('BadApiKeyError');
  expect(await errorClass(withKey(server.guestKey).recordDrink('pi.flow0', drink))).toBe(
    'PermissionDeniedError',
  );
  expect(await errorClass(withKey(server.staffKey).recordDrink('pi.flow0', {}))).toBe('BadRequestError');
  expect(await errorClass(withKey(server.staffKey).recordDrink('no.meter', drink))).toBe('NotFoundError');
  expect(server.engine.drinks.list({}).total).toBe(0);
});

test('errors: a temporary fault is never NotFoundError, at which pycore would drop the pour', async () => {
  const { server, api } = createPycore();
  server.store.close();
  expect(await errorClass(api.recordDrink('pi.flow0', { ticks: 100 }))).toBe('ServerError');
  expect(await errorClass(api.token('core.rfid', '0089f2c4'))).toBe('ServerError');
  expect(await errorClass(api.status())).toBe('ServerError');
});

test('a pour retried with the same pour_id creates one drink', async () => {
  const { server, api } = createPycore();
  const pour = { ticks: 660, pour_id: 'kegboard.flow0-17' };
  const first = await api.recordDrink('pi.flow0', pour);
  expect(await api.recordDrink('pi.flow0', pour)).toEqual(first);
  expect(server.engine.drinks.list({}).total).toBe(1);
});

test('the retired drinks list, which pycore’s LCD daemon reads, is an error it can show', async () => {
  const { server } = createPycore();
  const reply = await request(server.app)
    .get('/api/v1/drinks')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .expect(410);
  expect(reply.body).toEqual({
    error: { code: 'GoneError', message: expect.any(String) },
    meta: { result: 'error' },
  });
});

test('with kbapi’s default base address every call of pycore fails with the address it needs', async () => {
  const server = createTestServer();
  const api = kbapi(server, server.staffKey, '/api');
  const calls = [
    // First of all, pycore asks for the status and ends when that fails.
    () => api.status(),
    () => api.recordDrink('pi.flow0', { ticks: 200 }),
    () => api.cancelDrink(1),
    () => api.logSensorReading('kegboard.thermo-1', 4.5),
    () => api.createController('kegboard'),
    () => api.createFlowMeter(1, 'flow9', 2.2),
  ];
  for (const call of calls)
    await expect(call()).rejects.toThrow(/--api_url=http:\/\/<this server>\/api\/v1\//);
  expect(server.engine.drinks.list({}).total).toBe(0);
  expect(server.engine.drinks.held()).toEqual([]);
});
