import request from 'supertest';
import { expect, test } from 'vitest';
import { createPopulatedServer, type PopulatedServer } from './populated-server.ts';

type Row = { readonly id: number | string; readonly time?: string };

const read = async (server: PopulatedServer, path: string, key = server.staffKey) => {
  const reply = await request(server.app).get(`/api${path}`).set('X-Kegbot-Api-Key', key).expect(200);
  const { paging, ...lists } = reply.body.result;
  const [rows] = Object.values(lists) as [Row[]];
  return { paging, rows, ids: rows.map(({ id }) => Number(id)) };
};

test.each([
  ['/drinks?user=anna', [3, 1]],
  ['/drinks?user=bert', [6, 5, 2]],
  ['/drinks?user=nobody', []],
  ['/drinks?keg=1', [5, 4, 3, 2, 1]],
  ['/drinks?keg=2', []],
  ['/drinks?session=1', [4, 3, 2, 1]],
  ['/drinks?tap=1', [5, 4, 3, 2, 1]],
  ['/drinks?tap=pi.flow1', [6]],
  ['/drinks?user=bert&session=2', [6, 5]],
  ['/drinks?user=bert&keg=1', [5, 2]],
  ['/drinks?user=bert&tap=pi.flow0&session=1&keg=1', [2]],
  ['/drinks?since=2026-05-02T17:10:00Z', [6, 5, 4, 3]],
  ['/drinks?until=2026-05-02T17:10:00Z', [2, 1]],
  ['/drinks?since=2026-05-02T17:05:00Z&until=2026-05-02T17:15:00Z', [3, 2]],
  ['/drinks?since=2026-05-02T19:05:00%2B02:00&until=1777742100', [3, 2]],
  ['/drinks?since=2026-05-02T19:05:00+02:00&until=2026-05-02T17:15Z', [3, 2]],
  ['/drinks?since=2026-05-02T17:05&until=2026-05-02t17:15:00z', [3, 2]],
  ['/drinks?since=2026-05-03T00:00:00Z&user=bert&limit=1', [6]],
  ['/drinks?is_valid=false', [7]],
  ['/drinks?is_valid=false&since=2026-05-03T00:00:00Z', [7]],
  ['/drinks?is_valid=false&user=bert', []],
  ['/drinks?is_valid=false&keg=1', []],
  ['/drinks?is_valid=true&start=2', [2, 1]],
  ['/kegs?status=online', [1]],
  ['/kegs?status=offline', [3, 2]],
  ['/kegs?status=finished', [3]],
  ['/kegs?state=available', [2]],
  ['/kegs?state=on_tap', [1]],
  ['/kegs/2/sessions', []],
  ['/sessions?year=2026', [2, 1]],
  ['/sessions?year=2026&month=5', [2, 1]],
  ['/sessions?year=2026&month=5&day=2', [1]],
  ['/sessions?year=2026&month=5&day=4', []],
  ['/sessions?year=2026&day=2', [2, 1]],
  ['/sessions?year=2026&month=2&day=30', []],
  ['/sessions?year=2025', []],
  ['/events?kind=keg_tapped', [1]],
  ['/events?keg=1&kind=keg_tapped', [1]],
  ['/events?user=nobody', []],
])('%s lists exactly the matching items', async (path, ids) => {
  const page = await read(createPopulatedServer(), path);
  expect(page.ids).toEqual(ids);
  if (!path.includes('start') && !path.includes('limit')) expect(page.paging.total).toBe(ids.length);
});

test('filters sessions by the day in the site’s time zone', async () => {
  const server = createPopulatedServer();
  server.engine.users.changeSite({ timeZone: 'Pacific/Auckland' });
  // 17:00 on Saturday in Greenwich is 05:00 on Sunday in Auckland.
  expect((await read(server, '/sessions?year=2026&month=5&day=2')).ids).toEqual([]);
  expect((await read(server, '/sessions?year=2026&month=5&day=3')).ids).toEqual([1]);
});

test('filters events by id and by subject', async () => {
  const server = createPopulatedServer();
  const { ids, paging } = await read(server, '/events');
  expect(paging.total).toBe(ids.length);
  expect((await read(server, `/events?since=${ids[2]}`)).ids).toEqual(ids.slice(0, 2));
  expect((await read(server, `/events?since=${ids[0]}`)).rows).toEqual([]);
  const everything = (await read(server, '/events')).rows as unknown as Record<string, unknown>[];
  for (const [query, field, value] of [
    ['user=anna', 'user_id', 'anna'],
    ['keg=1', 'keg_id', 1],
    ['session=2', 'session_id', '2'],
    ['kind=drink_poured', 'kind', 'drink_poured'],
  ] as const) {
    const expected = everything.filter((event) => event[field] === value);
    expect(expected.length).toBeGreaterThan(0);
    const page = await read(server, `/events?${query}`);
    expect(page.rows).toEqual(expected);
    expect(page.paging.total).toBe(expected.length);
  }
});

test.each([
  ['', [21.5, 6, 5, 4]],
  ['?sensor=attic', [21.5]],
  ['?sensor=1', [6, 5, 4]],
  ['?sensor=28-0000000000a1&limit=1', [6]],
  ['?sensor=1&since=2026-05-02T17:01:00Z', [6, 5]],
  ['?sensor=1&until=2026-05-02T17:01:00Z', [4]],
  ['?since=2026-05-02T17:01:00Z&until=2026-05-02T17:02:00Z', [21.5, 5]],
])('lists the temperatures of “%s”', async (query, temps) => {
  const { rows, paging } = await read(createPopulatedServer(), `/thermo-logs${query}`);
  expect(rows.map((row) => (row as unknown as { temp_c: number }).temp_c)).toEqual(temps);
  if (!query.includes('limit')) expect(paging.total).toBe(temps.length);
});

test.each([
  ['/drinks?limit=0', 'limit'],
  ['/kegs?limit=1001', 'limit'],
  ['/sessions?start=-5', 'start'],
  ['/events?start=abc', 'start'],
  ['/users?start=1.5', 'start'],
  ['/auth-tokens?limit=ten', 'limit'],
  ['/thermo-logs?limit=0', 'limit'],
  ['/keg-sizes?start=-5', 'start'],
  ['/beverages?limit=-1', 'limit'],
  ['/kegs/1/drinks?start=abc', 'start'],
  ['/kegs/1/sessions?limit=0', 'limit'],
  ['/users/anna/drinks?limit=0', 'limit'],
  ['/drinks?keg=99', 'keg'],
  ['/drinks?keg=one', 'keg'],
  ['/drinks?session=99', 'session'],
  ['/drinks?tap=99', 'tap'],
  ['/drinks?tap=pi.flow2', 'tap'],
  ['/drinks?since=yesterday', 'since'],
  ['/drinks?until=2026-13-45T00:00:00Z', 'until'],
  ['/drinks?since=2026-05-02', 'since'],
  ['/drinks?is_valid=maybe', 'is_valid'],
  ['/kegs?status=empty', 'status'],
  ['/kegs?status=online&state=on_tap', 'status'],
  ['/sessions?month=5', 'month'],
  ['/sessions?year=2026&month=13', 'month'],
  ['/sessions?year=26', 'year'],
  ['/events?since=-1', 'since'],
  ['/events?kind=keg_stolen', 'kind'],
  ['/events?keg=99', 'keg'],
  ['/thermo-logs?sensor=nobody', 'sensor'],
  ['/drinks/0', 'id'],
  ['/kegs/one', 'id'],
])('refuses %s and names the field %s', async (path, field) => {
  const server = createPopulatedServer();
  const reply = await request(server.app)
    .get(`/api${path}`)
    .set('X-Kegbot-Api-Key', server.staffKey)
    .expect(400);
  expect(reply.body.error).toMatchObject({
    code: 'BadRequestError',
    fields: { [field]: expect.any(String) },
  });
});
