import request from 'supertest';
import { beforeAll, expect, test } from 'vitest';
import { createTestServer, openingMs, type TestServer } from '../../../test-server.ts';

/** One field as a client sees it, and what the ledger holds for it. */
interface Row {
  readonly field: string;
  readonly read: (fixture: Fixture) => unknown;
  readonly expected: unknown;
  readonly readStored: (server: TestServer) => unknown;
  /** Absent: the same as what is seen. */
  readonly stored?: unknown;
}

type Fixture = Awaited<ReturnType<typeof createFixture>>;

/** Bert drinks 330 mL of Helles with his blue fob, somebody a glass from the keg-less tap; the cellar is at 4.5 °C. */
async function createFixture() {
  const server = createTestServer();
  const now = { monoMs: 0, wallMs: openingMs, synced: true, bootId: 'boot-1' };
  server.engine.users.addToken({ device: 'core.rfid', value: '0089f2c4', username: 'bert' }, now);
  server.engine.thermo.log({ sensor: 'cellar', tempC: 4.5 }, now);
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
const session = ({ engine }: TestServer) => engine.events.session(1)!;
const token = ({ engine }: TestServer) => engine.users.token('core.rfid', '0089f2c4')!;
const opening = '2026-05-02T17:00:00Z';

const rows: Row[] = [
  { field: 'Drink id', read: (e) => e.poured.drink.id, expected: 1, readStored: (h) => drink(h).id },
  {
    field: 'Drink volume_ml',
    read: (e) => e.poured.drink.volume_ml,
    expected: 330,
    readStored: (h) => drink(h).volumeMl,
  },
  {
    field: 'Drink user_id',
    read: (e) => e.poured.drink.user_id,
    expected: 'bert',
    readStored: (h) => drink(h).username,
  },
  {
    field: 'Drink user_id, null when unattributed',
    read: (e) => e.anonymous.drink.user_id,
    expected: null,
    readStored: (h) => h.engine.drinks.get(2)!.drink.username,
  },
  {
    field: 'Drink ticks',
    read: (e) => e.poured.drink.ticks,
    expected: 660,
    readStored: (h) => drink(h).ticks,
  },
  {
    field: 'Drink session_id, a text',
    read: (e) => e.poured.drink.session_id,
    expected: '1',
    readStored: (h) => drink(h).sessionId,
    stored: 1,
  },
  {
    field: 'Drink is_valid',
    read: (e) => e.poured.drink.is_valid,
    expected: true,
    readStored: (h) => drink(h).isValid,
  },
  {
    field: 'Drink pour_time',
    read: (e) => e.poured.drink.pour_time,
    expected: opening,
    readStored: (h) => drink(h).pourTimeMs,
    stored: openingMs,
  },
  {
    field: 'Drink duration, in seconds',
    read: (e) => e.poured.drink.duration,
    expected: 9,
    readStored: (h) => drink(h).durationMs,
    stored: 9_000,
  },
  {
    field: 'Drink keg_id',
    read: (e) => e.poured.drink.keg_id,
    expected: 1,
    readStored: (h) => drink(h).kegId,
  },
  {
    field: 'Drink keg_id, null without a keg',
    read: (e) => e.anonymous.drink.keg_id,
    expected: null,
    readStored: (h) => h.engine.drinks.get(2)!.drink.kegId,
  },
  {
    field: 'Drink user, null when there is none',
    read: (e) => e.anonymous.user,
    expected: null,
    readStored: (h) => h.engine.drinks.get(2)!.user,
  },

  { field: 'Keg id', read: (e) => e.left.keg.id, expected: 1, readStored: (h) => keg(h).id },
  {
    field: 'Keg status',
    read: (e) => e.left.keg.status,
    expected: 'online',
    readStored: (h) => keg(h).state,
    stored: 'on_tap',
  },
  {
    field: 'Keg volume_ml_remain',
    read: (e) => e.left.keg.volume_ml_remain,
    expected: 29_670,
    readStored: (h) => keg(h).servedVolumeMl,
    stored: 330,
  },
  {
    field: 'Keg percent_full, a fraction',
    read: (e) => e.left.keg.percent_full,
    expected: 0.989,
    readStored: (h) => keg(h).fullVolumeMl,
    stored: 30_000,
  },
  {
    field: 'Keg description',
    read: (e) => e.left.keg.description,
    expected: '',
    readStored: (h) => keg(h).description,
  },
  {
    field: 'Keg type_id',
    read: (e) => e.left.keg.type_id,
    expected: '1',
    readStored: (h) => keg(h).beverageId,
    stored: 1,
  },
  {
    field: 'Keg size_id',
    read: (e) => e.left.keg.size_id,
    expected: 7,
    readStored: (h) => h.engine.kegs.sizes().find(({ id }) => id === keg(h).sizeId)?.key,
    stored: 'euro-30-liter',
  },
  {
    field: 'Keg started_time',
    read: (e) => e.left.keg.started_time,
    expected: opening,
    readStored: (h) => keg(h).startedTimeMs,
    stored: openingMs,
  },
  {
    field: 'Keg finished_time, null until it is done',
    read: (e) => e.left.keg.finished_time,
    expected: null,
    readStored: (h) => keg(h).finishedTimeMs,
  },

  {
    field: 'KegTap id, a text',
    read: (e) => e.left.tap.id,
    expected: '1',
    readStored: (h) => tap(h).id,
    stored: 1,
  },
  { field: 'KegTap name', read: (e) => e.left.tap.name, expected: 'Left', readStored: (h) => tap(h).name },
  {
    field: 'KegTap meter_name',
    read: (e) => e.left.tap.meter_name,
    expected: 'pi.flow0',
    readStored: (h) => tap(h).meter?.name,
  },
  {
    field: 'KegTap ml_per_tick',
    read: (e) => e.left.tap.ml_per_tick,
    expected: 0.5,
    readStored: (h) => tap(h).meter?.ticksPerMl,
    stored: 2,
  },
  {
    field: 'KegTap thermo_sensor_id, a text',
    read: (e) => e.left.tap.thermo_sensor_id,
    expected: '1',
    readStored: (h) => tap(h).thermoSensor?.rawName,
    stored: '28-0000000000a1',
  },
  {
    field: 'KegTap current_keg_id',
    read: (e) => e.left.tap.current_keg_id,
    expected: 1,
    readStored: (h) => tap(h).kegId,
  },
  {
    field: 'KegTap current_keg_id, null when none',
    read: (e) => e.right.tap.current_keg_id,
    expected: null,
    readStored: (h) => h.engine.taps.find(2)!.keg,
  },

  {
    field: 'BeerType id, a text',
    read: (e) => e.left.beverage.id,
    expected: '1',
    readStored: (h) => beverage(h).id,
    stored: 1,
  },
  {
    field: 'BeerType name',
    read: (e) => e.left.beverage.name,
    expected: 'Haus Helles',
    readStored: (h) => beverage(h).name,
  },
  {
    field: 'BeerType style_id',
    read: (e) => e.left.beverage.style_id,
    expected: 'Helles',
    readStored: (h) => beverage(h).style,
  },
  {
    field: 'BeerType brewer_id, a text',
    read: (e) => e.left.beverage.brewer_id,
    expected: '1',
    readStored: (h) => beverage(h).producer.name,
    stored: 'Hausbrauerei',
  },
  {
    field: 'BeerType abv',
    read: (e) => e.left.beverage.abv,
    expected: 4.9,
    readStored: (h) => beverage(h).abvPercent,
  },
  {
    field: 'BeerType calories_oz, null when unknown',
    read: (e) => e.left.beverage.calories_oz,
    expected: null,
    readStored: (h) => beverage(h).caloriesPerMl,
  },

  {
    field: 'User username',
    read: (e) => e.poured.user.username,
    expected: 'bert',
    readStored: (h) => bert(h).username,
  },
  {
    field: 'User joined_time',
    read: (e) => e.poured.user.joined_time,
    expected: opening,
    readStored: (h) => bert(h).joinedTimeMs,
    stored: openingMs,
  },
  {
    field: 'User mugshot_url, empty without a picture',
    read: (e) => e.poured.user.mugshot_url,
    expected: '',
    readStored: (h) => bert(h).username,
    stored: 'bert',
  },
  {
    field: 'User is_active',
    read: (e) => e.poured.user.is_active,
    expected: true,
    readStored: (h) => bert(h).isActive,
  },
  {
    field: 'User is_superuser, in drink detail',
    read: (e) => e.poured.user.is_superuser,
    expected: false,
    readStored: (h) => bert(h).isSuperuser,
  },
  {
    field: 'User is_staff, in drink detail',
    read: (e) => e.poured.user.is_staff,
    expected: false,
    readStored: (h) => bert(h).isStaff,
  },

  {
    field: 'Session id, a text',
    read: (e) => e.poured.session.id,
    expected: '1',
    readStored: (h) => session(h).id,
    stored: 1,
  },
  {
    field: 'Session start_time',
    read: (e) => e.poured.session.start_time,
    expected: opening,
    readStored: (h) => session(h).startTimeMs,
    stored: openingMs,
  },
  {
    field: 'Session end_time, three hours after the last drink',
    read: (e) => e.poured.session.end_time,
    expected: '2026-05-02T20:00:00Z',
    readStored: (h) => session(h).endTimeMs - openingMs,
    stored: 3 * 3_600_000,
  },
  {
    field: 'Session volume_ml, of all that were there',
    read: (e) => e.anonymous.session.volume_ml,
    expected: 530,
    readStored: (h) => session(h).volumeMl,
  },

  {
    field: 'Auth token id, device and value joined by a bar',
    read: (e) => e.token.id,
    expected: 'core.rfid|0089f2c4',
    readStored: (h) => h.engine.users.tokenByText('core.rfid|0089f2c4')?.id,
    stored: 1,
  },
  {
    field: 'Auth token auth_device',
    read: (e) => e.token.auth_device,
    expected: 'core.rfid',
    readStored: (h) => token(h).authDevice,
  },
  {
    field: 'Auth token token_value',
    read: (e) => e.token.token_value,
    expected: '0089f2c4',
    readStored: (h) => token(h).tokenValue,
  },
  {
    field: 'Auth token created_time',
    read: (e) => e.token.created_time,
    expected: opening,
    readStored: (h) => token(h).createdTimeMs,
    stored: openingMs,
  },
  {
    field: 'Auth token enabled',
    read: (e) => e.token.enabled,
    expected: true,
    readStored: (h) => token(h).enabled,
  },

  {
    field: 'Thermo sensor record',
    read: (e) => e.thermo,
    expected: { sensor: { id: '2', name: 'cellar', nice_name: '' }, last_temp: 4.5, last_time: opening },
    readStored: ({ engine }) => engine.thermo.find('cellar')?.last?.tempC,
    stored: 4.5,
  },

  {
    field: 'Paging object total',
    read: (e) => e.drinks.paging.total,
    expected: 2,
    readStored: ({ engine }) => engine.drinks.list({}).total,
  },
  {
    field: 'Paging object limit',
    read: (e) => e.drinks.paging.limit,
    expected: 1,
    readStored: ({ engine }) => engine.drinks.list({ limit: 1 }).items.length,
  },
  {
    field: 'Paging object pos, the start that was asked for',
    read: (e) => e.drinks.paging.pos,
    expected: 2,
    readStored: ({ engine }) => engine.drinks.list({ start: 2 }).items[0]?.id,
  },
];

test.each(rows)('$field', ({ read, expected, readStored, stored }) => {
  expect(read(fixture)).toEqual(expected);
  expect(readStored(fixture.server)).toEqual(stored === undefined ? expected : stored);
});

test('KegSize id, name and volume_ml are no longer told by the old face, which has retired their list', async () => {
  const reply = await request(fixture.server.app).get('/api/v1/keg-sizes/').expect(410);
  expect(reply.body.error.code).toBe('GoneError');
});

test('a keg can hold less than nothing, and says so', async () => {
  const { app, engine, staffKey } = createTestServer();
  const fields = { api_key: staffKey, ticks: 0, volume_ml: 33_000 };
  const reply = await request(app).post('/api/v1/tap/1/').type('form').send(fields).expect(200);
  expect(reply.body.result.keg).toMatchObject({ volume_ml_remain: -3_000, percent_full: -0.1 });
  expect(engine.kegs.get(1)?.servedVolumeMl).toBe(33_000);
});

test('a keg gets its finished_time when it is done, and is offline then', async () => {
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
