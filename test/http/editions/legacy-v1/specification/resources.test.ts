import request from 'supertest';
import { beforeAll, expect, test } from 'vitest';
import { createTestServer, openingMs, type TestServer } from '../../../test-server.ts';

/** One field as a client sees it, and what the ledger holds for it. */
interface Row {
  readonly field: string;
  readonly seen: (evening: Evening) => unknown;
  readonly is: unknown;
  readonly kept: (server: TestServer) => unknown;
  /** Absent: the same as what is seen. */
  readonly as?: unknown;
}

type Evening = Awaited<ReturnType<typeof spendEvening>>;

/** Bert drinks 330 mL of Helles with his blue fob, somebody a glass from the keg-less tap; the cellar is at 4.5 °C. */
async function spendEvening() {
  const server = createTestServer();
  const now = { monoMs: 0, wallMs: openingMs, synced: true, bootId: 'boot-1' };
  server.engine.people.addToken({ device: 'core.rfid', value: '0089f2c4', username: 'bert' }, now);
  server.engine.thermo.log({ sensor: 'cellar', tempC: 4.5 }, now);
  const post = async (tap: string, fields: object) => {
    const body = { api_key: server.staffKey, ...fields };
    const reply = await request(server.app).post(`/api/v1/tap/${tap}/`).type('form').send(body).expect(200);
    return reply.body.result;
  };
  const get = async (path: string) =>
    (await request(server.app).get(path).set('Authorization', `Bearer ${server.staffKey}`).expect(200)).body;
  const poured = await post('1', { ticks: 660, username: 'bert', duration: 9 });
  const nobodys = await post('2', { ticks: 1000 });
  const { taps } = (await get('/api/v1/taps')).result;
  return {
    server,
    poured,
    nobodys,
    left: taps[0],
    right: taps[1],
    attic: taps[2],
    token: (await get('/api/v1/auth-tokens/core.rfid.0089f2c4/')).result.token,
    thermo: (await get('/api/v1/thermo-sensors/cellar/')).result,
    drinks: (await get('/api/drinks?start=2&limit=1')).result,
  };
}

let evening: Evening;
beforeAll(async () => {
  evening = await spendEvening();
});

const drink = ({ engine }: TestServer) => engine.drinks.get(1)!.drink;
const keg = ({ engine }: TestServer) => engine.kegs.get(1)!;
const tap = ({ engine }: TestServer) => engine.taps.find(1)!.tap;
const beverage = ({ engine }: TestServer) => engine.kegs.beverage(1)!;
const bert = ({ engine }: TestServer) => engine.people.user('bert')!;
const session = ({ engine }: TestServer) => engine.diary.session(1)!;
const token = ({ engine }: TestServer) => engine.people.token('core.rfid', '0089f2c4')!;
const opening = '2026-05-02T17:00:00Z';

const rows: Row[] = [
  { field: 'Drink id', seen: (e) => e.poured.drink.id, is: 1, kept: (h) => drink(h).id },
  {
    field: 'Drink volume_ml',
    seen: (e) => e.poured.drink.volume_ml,
    is: 330,
    kept: (h) => drink(h).volumeMl,
  },
  { field: 'Drink user_id', seen: (e) => e.poured.drink.user_id, is: 'bert', kept: (h) => drink(h).username },
  {
    field: 'Drink user_id, null when unattributed',
    seen: (e) => e.nobodys.drink.user_id,
    is: null,
    kept: (h) => h.engine.drinks.get(2)!.drink.username,
  },
  { field: 'Drink ticks', seen: (e) => e.poured.drink.ticks, is: 660, kept: (h) => drink(h).ticks },
  {
    field: 'Drink session_id, a text',
    seen: (e) => e.poured.drink.session_id,
    is: '1',
    kept: (h) => drink(h).sessionId,
    as: 1,
  },
  { field: 'Drink is_valid', seen: (e) => e.poured.drink.is_valid, is: true, kept: (h) => drink(h).isValid },
  {
    field: 'Drink pour_time',
    seen: (e) => e.poured.drink.pour_time,
    is: opening,
    kept: (h) => drink(h).pourTimeMs,
    as: openingMs,
  },
  {
    field: 'Drink duration, in seconds',
    seen: (e) => e.poured.drink.duration,
    is: 9,
    kept: (h) => drink(h).durationMs,
    as: 9_000,
  },
  { field: 'Drink keg_id', seen: (e) => e.poured.drink.keg_id, is: 1, kept: (h) => drink(h).kegId },
  {
    field: 'Drink keg_id, null without a keg',
    seen: (e) => e.nobodys.drink.keg_id,
    is: null,
    kept: (h) => h.engine.drinks.get(2)!.drink.kegId,
  },
  {
    field: 'Drink user, null when there is none',
    seen: (e) => e.nobodys.user,
    is: null,
    kept: (h) => h.engine.drinks.get(2)!.user,
  },

  { field: 'Keg id', seen: (e) => e.left.keg.id, is: 1, kept: (h) => keg(h).id },
  {
    field: 'Keg status',
    seen: (e) => e.left.keg.status,
    is: 'online',
    kept: (h) => keg(h).state,
    as: 'on_tap',
  },
  {
    field: 'Keg volume_ml_remain',
    seen: (e) => e.left.keg.volume_ml_remain,
    is: 29_670,
    kept: (h) => keg(h).servedVolumeMl,
    as: 330,
  },
  {
    field: 'Keg percent_full, a fraction',
    seen: (e) => e.left.keg.percent_full,
    is: 0.989,
    kept: (h) => keg(h).fullVolumeMl,
    as: 30_000,
  },
  { field: 'Keg description', seen: (e) => e.left.keg.description, is: '', kept: (h) => keg(h).description },
  { field: 'Keg type_id', seen: (e) => e.left.keg.type_id, is: '1', kept: (h) => keg(h).beverageId, as: 1 },
  {
    field: 'Keg size_id',
    seen: (e) => e.left.keg.size_id,
    is: 7,
    kept: (h) => h.engine.kegs.sizes().find(({ id }) => id === keg(h).sizeId)?.key,
    as: 'euro-30-liter',
  },
  {
    field: 'Keg started_time',
    seen: (e) => e.left.keg.started_time,
    is: opening,
    kept: (h) => keg(h).startedTimeMs,
    as: openingMs,
  },
  {
    field: 'Keg finished_time, null until it is done',
    seen: (e) => e.left.keg.finished_time,
    is: null,
    kept: (h) => keg(h).finishedTimeMs,
  },

  { field: 'KegTap id, a text', seen: (e) => e.left.tap.id, is: '1', kept: (h) => tap(h).id, as: 1 },
  { field: 'KegTap name', seen: (e) => e.left.tap.name, is: 'Left', kept: (h) => tap(h).name },
  {
    field: 'KegTap meter_name',
    seen: (e) => e.left.tap.meter_name,
    is: 'pi.flow0',
    kept: (h) => tap(h).meter?.name,
  },
  {
    field: 'KegTap ml_per_tick',
    seen: (e) => e.left.tap.ml_per_tick,
    is: 0.5,
    kept: (h) => tap(h).meter?.ticksPerMl,
    as: 2,
  },
  {
    field: 'KegTap thermo_sensor_id, a text',
    seen: (e) => e.left.tap.thermo_sensor_id,
    is: '1',
    kept: (h) => tap(h).thermoSensor?.rawName,
    as: '28-0000000000a1',
  },
  {
    field: 'KegTap current_keg_id',
    seen: (e) => e.left.tap.current_keg_id,
    is: 1,
    kept: (h) => tap(h).kegId,
  },
  {
    field: 'KegTap current_keg_id, null when none',
    seen: (e) => e.right.tap.current_keg_id,
    is: null,
    kept: (h) => h.engine.taps.find(2)!.keg,
  },

  {
    field: 'BeerType id, a text',
    seen: (e) => e.left.beverage.id,
    is: '1',
    kept: (h) => beverage(h).id,
    as: 1,
  },
  {
    field: 'BeerType name',
    seen: (e) => e.left.beverage.name,
    is: 'Haus Helles',
    kept: (h) => beverage(h).name,
  },
  {
    field: 'BeerType style_id',
    seen: (e) => e.left.beverage.style_id,
    is: 'Helles',
    kept: (h) => beverage(h).style,
  },
  {
    field: 'BeerType brewer_id, a text',
    seen: (e) => e.left.beverage.brewer_id,
    is: '1',
    kept: (h) => beverage(h).producer.name,
    as: 'Hausbrauerei',
  },
  { field: 'BeerType abv', seen: (e) => e.left.beverage.abv, is: 4.9, kept: (h) => beverage(h).abvPercent },
  {
    field: 'BeerType calories_oz, null when unknown',
    seen: (e) => e.left.beverage.calories_oz,
    is: null,
    kept: (h) => beverage(h).caloriesPerMl,
  },

  { field: 'User username', seen: (e) => e.poured.user.username, is: 'bert', kept: (h) => bert(h).username },
  {
    field: 'User joined_time',
    seen: (e) => e.poured.user.joined_time,
    is: opening,
    kept: (h) => bert(h).joinedTimeMs,
    as: openingMs,
  },
  {
    field: 'User mugshot_url, empty without a picture',
    seen: (e) => e.poured.user.mugshot_url,
    is: '',
    kept: (h) => bert(h).username,
    as: 'bert',
  },
  { field: 'User is_active', seen: (e) => e.poured.user.is_active, is: true, kept: (h) => bert(h).isActive },
  {
    field: 'User is_superuser, in drink detail',
    seen: (e) => e.poured.user.is_superuser,
    is: false,
    kept: (h) => bert(h).isSuperuser,
  },
  {
    field: 'User is_staff, in drink detail',
    seen: (e) => e.poured.user.is_staff,
    is: false,
    kept: (h) => bert(h).isStaff,
  },

  {
    field: 'Session id, a text',
    seen: (e) => e.poured.session.id,
    is: '1',
    kept: (h) => session(h).id,
    as: 1,
  },
  {
    field: 'Session start_time',
    seen: (e) => e.poured.session.start_time,
    is: opening,
    kept: (h) => session(h).startTimeMs,
    as: openingMs,
  },
  {
    field: 'Session end_time, three hours after the last drink',
    seen: (e) => e.poured.session.end_time,
    is: '2026-05-02T20:00:00Z',
    kept: (h) => session(h).endTimeMs - openingMs,
    as: 3 * 3_600_000,
  },
  {
    field: 'Session volume_ml, of all that were there',
    seen: (e) => e.nobodys.session.volume_ml,
    is: 530,
    kept: (h) => session(h).volumeMl,
  },

  {
    field: 'Auth token id, device and value joined by a bar',
    seen: (e) => e.token.id,
    is: 'core.rfid|0089f2c4',
    kept: (h) => h.engine.people.tokenByText('core.rfid|0089f2c4')?.id,
    as: 1,
  },
  {
    field: 'Auth token auth_device',
    seen: (e) => e.token.auth_device,
    is: 'core.rfid',
    kept: (h) => token(h).authDevice,
  },
  {
    field: 'Auth token token_value',
    seen: (e) => e.token.token_value,
    is: '0089f2c4',
    kept: (h) => token(h).tokenValue,
  },
  {
    field: 'Auth token created_time',
    seen: (e) => e.token.created_time,
    is: opening,
    kept: (h) => token(h).createdTimeMs,
    as: openingMs,
  },
  { field: 'Auth token enabled', seen: (e) => e.token.enabled, is: true, kept: (h) => token(h).enabled },

  {
    field: 'Thermo sensor record',
    seen: (e) => e.thermo,
    is: { sensor: { id: '2', name: 'cellar', nice_name: '' }, last_temp: 4.5, last_time: opening },
    kept: ({ engine }) => engine.thermo.find('cellar')?.last?.tempC,
    as: 4.5,
  },

  {
    field: 'Paging object total',
    seen: (e) => e.drinks.paging.total,
    is: 2,
    kept: ({ engine }) => engine.drinks.list({}).total,
  },
  {
    field: 'Paging object limit',
    seen: (e) => e.drinks.paging.limit,
    is: 1,
    kept: ({ engine }) => engine.drinks.list({ limit: 1 }).items.length,
  },
  {
    field: 'Paging object pos, the start that was asked for',
    seen: (e) => e.drinks.paging.pos,
    is: 2,
    kept: ({ engine }) => engine.drinks.list({ start: 2 }).items[0]?.id,
  },
];

test.each(rows)('$field', ({ seen, is, kept, as }) => {
  expect(seen(evening)).toEqual(is);
  expect(kept(evening.server)).toEqual(as === undefined ? is : as);
});

test('KegSize id, name and volume_ml are no longer told by the old face, which has retired their list', async () => {
  const reply = await request(evening.server.app).get('/api/v1/keg-sizes/').expect(410);
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
