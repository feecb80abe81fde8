import request from 'supertest';
import { beforeAll, expect, test } from 'vitest';
import { createTestServer, openingMs, type TestServer } from '../../test-server.ts';

/** One field as a client sees it, and the stored value. */
interface Row {
  readonly field: string;
  readonly read: (fixture: Fixture) => unknown;
  readonly expected: unknown;
  readonly readStored: (server: TestServer) => unknown;
  /** Absent: the same as `expected`. */
  readonly stored?: unknown;
}

type Fixture = Awaited<ReturnType<typeof createFixture>>;

/** Bert drinks 330 mL of Helles, nobody 200 mL from the tap without a keg; the thermo sensor shows 4.5 °C. */
async function createFixture() {
  const server = createTestServer();
  const now = { monoMs: 0, wallMs: openingMs, synced: true, bootId: 'boot-1' };
  server.engine.access.tokens.create({ device: 'core.rfid', value: '0089f2c4', username: 'bert' }, now);
  server.engine.temperatures.log({ sensor: 'cellar', tempC: 4.5 }, now);
  const post = async (tap: string, fields: object) => {
    const body = { api_key: server.staffKey, ...fields };
    const reply = await request(server.app).post(`/api/v1/tap/${tap}/`).type('form').send(body).expect(200);
    return reply.body.result;
  };
  const get = async (path: string) =>
    (await request(server.app).get(path).set('Authorization', `Bearer ${server.staffKey}`).expect(200)).body;
  const poured = await post('1', { ticks: 660, username: 'bert', duration: 9 });
  const anonymous = await post('2', { ticks: 1000 });
  const { taps } = (await get('/api/v1/taps')).result;
  return {
    server,
    poured,
    anonymous,
    left: taps[0],
    right: taps[1],
    attic: taps[2],
    token: (await get('/api/v1/auth-tokens/core.rfid.0089f2c4/')).result.token,
    thermo: (await get('/api/v1/thermo-sensors/cellar/')).result,
    drinks: (await get('/api/drinks?start=2&limit=1')).result,
  };
}

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});

const drink = ({ engine }: TestServer) => engine.drinks.get(1)!.drink;
const keg = ({ engine }: TestServer) => engine.kegs.get(1)!;
const tap = ({ engine }: TestServer) => engine.taps.find(1)!.tap;
const beverage = ({ engine }: TestServer) => engine.kegs.beverage(1)!;
const bert = ({ engine }: TestServer) => engine.users.user('bert')!;
const session = ({ engine }: TestServer) => engine.drinks.events.session(1)!;
const token = ({ engine }: TestServer) => engine.users.token('core.rfid', '0089f2c4')!;
const opening = '2026-05-02T17:00:00Z';

const rows: Row[] = [
  {
    field: 'Drink id',
    read: (replies) => replies.poured.drink.id,
    expected: 1,
    readStored: (server) => drink(server).id,
  },
  {
    field: 'Drink volume_ml',
    read: (replies) => replies.poured.drink.volume_ml,
    expected: 330,
    readStored: (server) => drink(server).volumeMl,
  },
  {
    field: 'Drink user_id',
    read: (replies) => replies.poured.drink.user_id,
    expected: 'bert',
    readStored: (server) => drink(server).username,
  },
  {
    field: 'Drink user_id, null when unattributed',
    read: (replies) => replies.anonymous.drink.user_id,
    expected: null,
    readStored: (server) => server.engine.drinks.get(2)!.drink.username,
  },
  {
    field: 'Drink ticks',
    read: (replies) => replies.poured.drink.ticks,
    expected: 660,
    readStored: (server) => drink(server).ticks,
  },
  {
    field: 'Drink session_id, a text',
    read: (replies) => replies.poured.drink.session_id,
    expected: '1',
    readStored: (server) => drink(server).sessionId,
    stored: 1,
  },
  {
    field: 'Drink is_valid',
    read: (replies) => replies.poured.drink.is_valid,
    expected: true,
    readStored: (server) => drink(server).isValid,
  },
  {
    field: 'Drink pour_time',
    read: (replies) => replies.poured.drink.pour_time,
    expected: opening,
    readStored: (server) => drink(server).pourTimeMs,
    stored: openingMs,
  },
  {
    field: 'Drink duration, in seconds',
    read: (replies) => replies.poured.drink.duration,
    expected: 9,
    readStored: (server) => drink(server).durationMs,
    stored: 9_000,
  },
  {
    field: 'Drink keg_id',
    read: (replies) => replies.poured.drink.keg_id,
    expected: 1,
    readStored: (server) => drink(server).kegId,
  },
  {
    field: 'Drink keg_id, null without a keg',
    read: (replies) => replies.anonymous.drink.keg_id,
    expected: null,
    readStored: (server) => server.engine.drinks.get(2)!.drink.kegId,
  },
  {
    field: 'Drink user, null when there is none',
    read: (replies) => replies.anonymous.user,
    expected: null,
    readStored: (server) => server.engine.drinks.get(2)!.user,
  },

  {
    field: 'Keg id',
    read: (replies) => replies.left.keg.id,
    expected: 1,
    readStored: (server) => keg(server).id,
  },
  {
    field: 'Keg status',
    read: (replies) => replies.left.keg.status,
    expected: 'online',
    readStored: (server) => keg(server).state,
    stored: 'on_tap',
  },
  {
    field: 'Keg volume_ml_remain',
    read: (replies) => replies.left.keg.volume_ml_remain,
    expected: 29_670,
    readStored: (server) => keg(server).servedVolumeMl,
    stored: 330,
  },
  {
    field: 'Keg percent_full, a fraction',
    read: (replies) => replies.left.keg.percent_full,
    expected: 0.989,
    readStored: (server) => keg(server).fullVolumeMl,
    stored: 30_000,
  },
  {
    field: 'Keg description',
    read: (replies) => replies.left.keg.description,
    expected: '',
    readStored: (server) => keg(server).description,
  },
  {
    field: 'Keg type_id',
    read: (replies) => replies.left.keg.type_id,
    expected: '1',
    readStored: (server) => keg(server).beverageId,
    stored: 1,
  },
  {
    field: 'Keg size_id',
    read: (replies) => replies.left.keg.size_id,
    expected: 7,
    readStored: (server) => server.engine.kegs.sizes().find(({ id }) => id === keg(server).sizeId)?.key,
    stored: 'euro-30-liter',
  },
  {
    field: 'Keg started_time',
    read: (replies) => replies.left.keg.started_time,
    expected: opening,
    readStored: (server) => keg(server).startedTimeMs,
    stored: openingMs,
  },
  {
    field: 'Keg finished_time, null until it is done',
    read: (replies) => replies.left.keg.finished_time,
    expected: null,
    readStored: (server) => keg(server).finishedTimeMs,
  },

  {
    field: 'KegTap id, a text',
    read: (replies) => replies.left.tap.id,
    expected: '1',
    readStored: (server) => tap(server).id,
    stored: 1,
  },
  {
    field: 'KegTap name',
    read: (replies) => replies.left.tap.name,
    expected: 'Left',
    readStored: (server) => tap(server).name,
  },
  {
    field: 'KegTap meter_name',
    read: (replies) => replies.left.tap.meter_name,
    expected: 'pi.flow0',
    readStored: (server) => tap(server).meter?.name,
  },
  {
    field: 'KegTap ml_per_tick',
    read: (replies) => replies.left.tap.ml_per_tick,
    expected: 0.5,
    readStored: (server) => tap(server).meter?.ticksPerMl,
    stored: 2,
  },
  {
    field: 'KegTap thermo_sensor_id, a text',
    read: (replies) => replies.left.tap.thermo_sensor_id,
    expected: '1',
    readStored: (server) => tap(server).thermoSensor?.rawName,
    stored: '28-0000000000a1',
  },
  {
    field: 'KegTap current_keg_id',
    read: (replies) => replies.left.tap.current_keg_id,
    expected: 1,
    readStored: (server) => tap(server).kegId,
  },
  {
    field: 'KegTap current_keg_id, null when none',
    read: (replies) => replies.right.tap.current_keg_id,
    expected: null,
    readStored: (server) => server.engine.taps.find(2)!.keg,
  },

  {
    field: 'BeerType id, a text',
    read: (replies) => replies.left.beverage.id,
    expected: '1',
    readStored: (server) => beverage(server).id,
    stored: 1,
  },
  {
    field: 'BeerType name',
    read: (replies) => replies.left.beverage.name,
    expected: 'Haus Helles',
    readStored: (server) => beverage(server).name,
  },
  {
    field: 'BeerType style_id',
    read: (replies) => replies.left.beverage.style_id,
    expected: 'Helles',
    readStored: (server) => beverage(server).style,
  },
  {
    field: 'BeerType brewer_id, a text',
    read: (replies) => replies.left.beverage.brewer_id,
    expected: '1',
    readStored: (server) => beverage(server).producer.name,
    stored: 'Hausbrauerei',
  },
  {
    field: 'BeerType abv',
    read: (replies) => replies.left.beverage.abv,
    expected: 4.9,
    readStored: (server) => beverage(server).abvPercent,
  },
  {
    field: 'BeerType calories_oz, null when unknown',
    read: (replies) => replies.left.beverage.calories_oz,
    expected: null,
    readStored: (server) => beverage(server).caloriesPerMl,
  },

  {
    field: 'User username',
    read: (replies) => replies.poured.user.username,
    expected: 'bert',
    readStored: (server) => bert(server).username,
  },
  {
    field: 'User joined_time',
    read: (replies) => replies.poured.user.joined_time,
    expected: opening,
    readStored: (server) => bert(server).joinedTimeMs,
    stored: openingMs,
  },
  {
    field: 'User mugshot_url, empty without a picture',
    read: (replies) => replies.poured.user.mugshot_url,
    expected: '',
    readStored: (server) => bert(server).username,
    stored: 'bert',
  },
  {
    field: 'User is_active',
    read: (replies) => replies.poured.user.is_active,
    expected: true,
    readStored: (server) => bert(server).isActive,
  },
  {
    field: 'User is_superuser, in drink detail',
    read: (replies) => replies.poured.user.is_superuser,
    expected: false,
    readStored: (server) => bert(server).isSuperuser,
  },
  {
    field: 'User is_staff, in drink detail',
    read: (replies) => replies.poured.user.is_staff,
    expected: false,
    readStored: (server) => bert(server).isStaff,
  },

  {
    field: 'Session id, a text',
    read: (replies) => replies.poured.session.id,
    expected: '1',
    readStored: (server) => session(server).id,
    stored: 1,
  },
  {
    field: 'Session start_time',
    read: (replies) => replies.poured.session.start_time,
    expected: opening,
    readStored: (server) => session(server).startTimeMs,
    stored: openingMs,
  },
  {
    field: 'Session end_time, three hours after the last drink',
    read: (replies) => replies.poured.session.end_time,
    expected: '2026-05-02T20:00:00Z',
    readStored: (server) => session(server).endTimeMs - openingMs,
    stored: 3 * 3_600_000,
  },
  {
    field: 'Session volume_ml, of all that were there',
    read: (replies) => replies.anonymous.session.volume_ml,
    expected: 530,
    readStored: (server) => session(server).volumeMl,
  },

  {
    field: 'Auth token id, device and value joined by a bar',
    read: (replies) => replies.token.id,
    expected: 'core.rfid|0089f2c4',
    readStored: (server) => server.engine.users.tokenByText('core.rfid|0089f2c4')?.id,
    stored: 1,
  },
  {
    field: 'Auth token auth_device',
    read: (replies) => replies.token.auth_device,
    expected: 'core.rfid',
    readStored: (server) => token(server).authDevice,
  },
  {
    field: 'Auth token token_value',
    read: (replies) => replies.token.token_value,
    expected: '0089f2c4',
    readStored: (server) => token(server).tokenValue,
  },
  {
    field: 'Auth token created_time',
    read: (replies) => replies.token.created_time,
    expected: opening,
    readStored: (server) => token(server).createdTimeMs,
    stored: openingMs,
  },
  {
    field: 'Auth token enabled',
    read: (replies) => replies.token.enabled,
    expected: true,
    readStored: (server) => token(server).enabled,
  },

  {
    field: 'Thermo sensor record',
    read: (replies) => replies.thermo,
    expected: { sensor: { id: '2', name: 'cellar', nice_name: '' }, last_temp: 4.5, last_time: opening },
    readStored: ({ engine }) => engine.temperatures.find('cellar')?.last?.tempC,
    stored: 4.5,
  },

  {
    field: 'Paging object total',
    read: (replies) => replies.drinks.paging.total,
    expected: 2,
    readStored: ({ engine }) => engine.drinks.list({}).total,
  },
  {
    field: 'Paging object limit',
    read: (replies) => replies.drinks.paging.limit,
    expected: 1,
    readStored: ({ engine }) => engine.drinks.list({ limit: 1 }).items.length,
  },
  {
    field: 'Paging object pos, the start that was asked for',
    read: (replies) => replies.drinks.paging.pos,
    expected: 2,
    readStored: ({ engine }) => engine.drinks.list({ start: 2 }).items[0]?.id,
  },
];

test.each(rows)('$field', ({ read, expected, readStored, stored }) => {
  expect(read(fixture)).toEqual(expected);
  expect(readStored(fixture.server)).toEqual(stored === undefined ? expected : stored);
});

test('KegSize: the legacy API has retired the list', async () => {
  const reply = await request(fixture.server.app).get('/api/v1/keg-sizes/').expect(410);
  expect(reply.body.error.code).toBe('GoneError');
});

test('the remaining volume of a keg can be negative', async () => {
  const { app, engine, staffKey } = createTestServer();
  const fields = { api_key: staffKey, ticks: 0, volume_ml: 33_000 };
  const reply = await request(app).post('/api/v1/tap/1/').type('form').send(fields).expect(200);
  expect(reply.body.result.keg).toMatchObject({ volume_ml_remain: -3_000, percent_full: -0.1 });
  expect(engine.kegs.get(1)?.servedVolumeMl).toBe(33_000);
});

test('a finished keg is offline and has a finished_time', async () => {
  const { app, engine, staffKey, keg: helles } = createTestServer();
  const fields = { api_key: staffKey, ticks: 20 };
  const poured = await request(app).post('/api/v1/tap/1/').type('form').send(fields).expect(200);
  const end = { monoMs: 0, wallMs: openingMs + 60_000, synced: true, bootId: 'boot-1' };
  engine.kegs.end(helles.id, end);
  const cancel = { api_key: staffKey, id: poured.body.result.drink.id };
  const reply = await request(app).post('/api/v1/cancel-drink').type('form').send(cancel).expect(200);
  expect(reply.body.result.keg).toMatchObject({ status: 'offline', finished_time: '2026-05-02T17:01:00Z' });
  expect(engine.kegs.get(helles.id)).toMatchObject({ state: 'finished', finishedTimeMs: end.wallMs });
});
