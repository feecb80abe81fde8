import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { openingMs } from '../test-server.ts';
import { createPopulatedServer, type PopulatedServer } from './populated-server.ts';

interface PageOfList {
  readonly paging: {
    readonly total: number;
    readonly limit: number;
    readonly pos: number;
    readonly next: string | null;
    readonly prev: string | null;
  };
  readonly rows: readonly { readonly id?: number | string }[];
}

const lists = [
  '/drinks',
  '/drinks?user=bert',
  '/drinks?keg=1',
  '/drinks?session=1',
  '/drinks?tap=1',
  '/drinks?user=bert&keg=1',
  '/drinks?since=2026-05-02T17:05:00Z',
  '/drinks?order=time',
  '/drinks?order=time&user=bert',
  '/drinks?order=time&tap=1',
  '/drinks?order=time&since=2026-05-02T17:05:00Z',
  '/sessions?order=time',
  '/events?order=time&keg=1',
  '/users/bert/drinks?order=time',
  '/kegs/1/drinks?order=time',
  '/kegs',
  '/kegs?status=offline',
  '/kegs/1/drinks',
  '/kegs/1/sessions',
  '/keg-sizes',
  '/beverages',
  '/beverage-producers',
  '/sessions',
  '/sessions?year=2026',
  '/events',
  '/events?keg=1',
  '/events?kind=drink_poured',
  '/users',
  '/users/bert/drinks',
  '/auth-tokens',
  '/controllers',
  '/flow-meters',
  '/flow-toggles',
  '/thermo-sensors',
  '/thermo-logs',
  '/thermo-logs?sensor=1',
  '/thermo-logs?sensor=1&since=2026-05-02T17:00:00Z',
  '/claims',
  '/held-pours',
  '/audit',
  '/audit?action=token.created',
  '/api-keys',
  '/plugin-data',
  '/admin/outbox',
];

async function getPage(server: PopulatedServer, address: string): Promise<PageOfList> {
  const reply = await request(server.app).get(address).set('X-Kegbot-Api-Key', server.staffKey).expect(200);
  const { paging, ...rest } = reply.body.result;
  return { paging, rows: Object.values(rest)[0] as PageOfList['rows'] };
}

const withQuery = (path: string, query: string) => `/api${path}${path.includes('?') ? '&' : '?'}${query}`;
const toKey = (row: { readonly id?: unknown }) => JSON.stringify(row.id ?? row);

/** A minute after everything in the populated server. */
const laterMinute = (minute: number) => ({
  monoMs: 500 * 3_600_000,
  wallMs: Date.UTC(2026, 4, 3, 18, minute),
  synced: true,
  bootId: 'boot-1',
});

/** Adds one item to every list. */
function addRows({ engine, store }: PopulatedServer, round: number): void {
  const now = laterMinute(round);
  insertDrink(store, { tap: 'pi.flow0', ticks: 100, username: 'bert' }, now);
  insertDrink(store, { tap: 'pi.flow2', ticks: 100 }, now);
  engine.kegs.create({ beverage: { name: `${round}`, producerName: `${round}`, styleName: 'Ale' } }, now);
  engine.users.addUser({ username: `guest${round}` }, now);
  engine.access.tokens.create({ device: 'pin', value: `${round}` }, now);
  engine.temperatures.log({ sensor: '28-0000000000a1', tempC: round }, now);
  engine.temperatures.log({ sensor: `new${round}`, tempC: round }, now);
  engine.notifications.pluginData.add({ pluginName: 'scale', key: `${round}`, value: '1' });
}

test.each(lists)('following next in %s reads each row once, in order, while rows are added', async (path) => {
  const server = createPopulatedServer();
  if (path === '/claims') server.setClock({ wallMs: openingMs + 15 * 60_000 });
  const full = await getPage(server, withQuery(path, 'limit=1000'));
  expect(full.rows).toHaveLength(full.paging.total);
  expect(full.paging).toMatchObject({ limit: 1000, pos: 0, next: null, prev: null });
  const ids = full.rows.flatMap(({ id }) => (typeof id === 'number' ? [id] : []));
  expect(ids).toEqual([...ids].sort((a, b) => b - a));

  for (const limit of [1, 2]) {
    const collected: string[] = [];
    let pages = 0;
    for (let next: string | null = withQuery(path, `limit=${limit}`); next !== null; pages += 1) {
      const current = await getPage(server, next);
      expect(current.rows.length).toBeLessThanOrEqual(limit);
      expect(current.paging).toMatchObject({ limit, pos: 0 });
      expect(current.paging.prev === null).toBe(pages === 0);
      collected.push(...current.rows.map(toKey));
      // Rows added later are newer than the first page and must not appear.
      if (limit === 2) addRows(server, pages);
      next = current.paging.next;
    }
    expect(collected).toEqual(full.rows.map(toKey));
    // The last page is full, and says all the same that it is the last.
    expect(pages).toBe(Math.max(1, Math.ceil(full.rows.length / limit)));
  }
});

test.each(lists)(
  'following prev in %s from the end reads the same rows the other way round',
  async (path) => {
    const server = createPopulatedServer();
    if (path === '/claims') server.setClock({ wallMs: openingMs + 15 * 60_000 });
    const full = await getPage(server, withQuery(path, 'limit=1000'));
    let last = await getPage(server, withQuery(path, 'limit=2'));
    while (last.paging.next !== null) last = await getPage(server, last.paging.next);
    const collected = last.rows.map(toKey).reverse();
    for (let { prev } = last.paging; prev !== null; ) {
      const current = await getPage(server, prev);
      collected.push(...current.rows.map(toKey).reverse());
      expect(current.paging.next).not.toBeNull();
      ({ prev } = current.paging);
    }
    expect(collected).toEqual(full.rows.map(toKey).reverse());
  },
);

const wholeLists = [
  '/taps',
  '/account/logins',
  '/flow-meters/1/pours',
  '/admin/unknown-tokens',
  '/admin/plugins',
  '/admin/webhooks',
];

test.each(wholeLists)('%s is answered whole, with its number of rows', async (path) => {
  const server = createPopulatedServer();
  const reply = await request(server.app)
    .get(`/api${path}`)
    .set('X-Kegbot-Api-Key', server.staffKey)
    .expect(200);
  const { paging, ...rest } = reply.body.result;
  const rows = Object.values(rest).find(Array.isArray)!;
  expect(paging).toEqual({ total: rows.length, limit: rows.length, pos: 0, next: null, prev: null });
});

test('next and prev keep the filters, encoded, and never the key', async () => {
  const server = createPopulatedServer();
  const { engine } = server;
  for (const value of ['1', '2', '3'])
    engine.access.tokens.create({ device: 'pin', value, niceName: 'ö & co+1' }, laterMinute(0));
  const query = 'search=%C3%B6+%26%20co%2B1&limit=1';
  const first = await request(server.app)
    .get(`/api/auth-tokens/?api_key=${server.staffKey}&start=1000&${query}`)
    .expect(200);
  const { next } = first.body.result.paging;
  expect(next).toMatch(/^\/api\/auth-tokens\?search=%C3%B6\+%26\+co%2B1&limit=1&cursor=b\d+$/);
  const second = await getPage(server, next);
  expect(second).toMatchObject({ rows: [{ nice_name: 'ö & co+1' }], paging: { pos: 0, total: 3 } });
  expect(second.paging.prev).toContain('search=%C3%B6+%26+co%2B1&limit=1&cursor=a');
});

test('next and prev encode the parameters of the path', async () => {
  const server = createPopulatedServer();
  server.engine.users.addUser({ username: 'zoë@bar' }, laterMinute(0));
  for (const minute of [1, 2])
    insertDrink(server.store, { tap: 'pi.flow0', ticks: 100, username: 'zoë@bar' }, laterMinute(minute));
  const page = await getPage(server, `/api/users/${encodeURIComponent('zoë@bar')}/drinks?limit=1`);
  expect(page.paging.next).toMatch(/^\/api\/users\/zo%C3%AB%40bar\/drinks\?limit=1&cursor=b\d+$/);
  expect((await getPage(server, page.paging.next!)).rows).toHaveLength(1);
});

test('start is the highest id of the page, and pos repeats it', async () => {
  const server = createPopulatedServer();
  const page = await getPage(server, '/api/drinks?start=3&limit=2');
  expect(page.rows.map(({ id }) => id)).toEqual([3, 2]);
  expect(page.paging).toMatchObject({ pos: 3, next: expect.any(String), prev: expect.any(String) });
  const above = await getPage(server, page.paging.prev!);
  expect(above.rows.map(({ id }) => id)).toEqual([5, 4]);
  const beyond = await getPage(server, '/api/drinks?start=1000');
  expect(beyond.paging).toMatchObject({ pos: 1000, prev: null });
  expect(beyond.rows.map(({ id }) => id)).toEqual([6, 5, 4, 3, 2, 1]);
});

test('a cursor stays valid when its row and all rows beside it are deleted', async () => {
  const server = createPopulatedServer();
  const page = await getPage(server, '/api/drinks?limit=2');
  const prev = (await getPage(server, page.paging.next!)).paging.prev!;
  const cancel = (id: number) => server.engine.drinks.cancel(id, { spilled: false }, laterMinute(0));
  for (const id of [4, 5]) cancel(id);
  const next = await getPage(server, page.paging.next!);
  expect(next.rows.map(({ id }) => id)).toEqual([3, 2]);
  cancel(6);
  const empty = await getPage(server, prev);
  expect(empty.rows).toEqual([]);
  expect(empty.paging).toMatchObject({ prev: null, next: expect.any(String) });
  expect((await getPage(server, empty.paging.next!)).rows.map(({ id }) => id)).toEqual([3, 2]);
});

test.each([
  'b',
  'x12',
  '12',
  'b-1',
  'b1e3',
  'b99999999999999999',
  'b9999999999999999',
  'b1.2.3',
  'b17.5',
  `b${'1'.repeat(50)}`,
])('a damaged cursor %s is refused in words', async (cursor) => {
  const { app } = createPopulatedServer();
  const reply = await request(app).get('/api/sessions').query({ cursor }).expect(400);
  expect(reply.body.error).toMatchObject({ code: 'BadRequestError', fields: { cursor: expect.any(String) } });
});

test('start and cursor exclude each other', async () => {
  const { app } = createPopulatedServer();
  const reply = await request(app).get('/api/drinks?start=3&cursor=b3').expect(400);
  expect(reply.body.error.fields).toEqual({ start: 'must not be sent with cursor' });
});

test('a pour that arrives late stands first by id, and at its time by time', async () => {
  const server = createPopulatedServer();
  const { app, store } = server;
  const late = { ...laterMinute(0), wallMs: openingMs + 7 * 60_000 };
  insertDrink(store, { tap: 'pi.flow0', ticks: 100, username: 'anna' }, late);
  const ids = async (query: string) =>
    (await getPage(server, `/api/drinks?${query}`)).rows.map(({ id }) => id);
  expect(await ids('')).toEqual([8, 6, 5, 4, 3, 2, 1]);
  expect(await ids('order=id')).toEqual(await ids(''));
  expect(await ids('order=time')).toEqual([6, 5, 4, 3, 8, 2, 1]);
  expect(await ids('order=time&user=anna')).toEqual([3, 8, 1]);
  const page = await getPage(server, '/api/drinks?order=time&limit=4');
  expect((await getPage(server, page.paging.next!)).rows.map(({ id }) => id)).toEqual([8, 2, 1]);

  const byId = (await getPage(server, '/api/drinks?limit=1')).paging.next!;
  for (const [query, field] of [
    [`order=time&${byId.split('?')[1]}`, 'cursor'],
    [page.paging.next!.split('?')[1]!.replace('order=time&', ''), 'cursor'],
    ['order=time&start=3', 'start'],
    ['order=volume', 'order'],
  ] as const) {
    const reply = await request(app).get(`/api/drinks?${query}`).expect(400);
    expect(Object.keys(reply.body.error.fields), query).toEqual([field]);
  }
});
