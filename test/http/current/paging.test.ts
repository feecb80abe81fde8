import request from 'supertest';
import { expect, test } from 'vitest';
import { createPopulatedServer, type PopulatedServer } from './populated-server.ts';

interface PageOfList {
  readonly paging: { readonly total: number; readonly pos: number; readonly next?: number | null };
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
];

async function page(server: PopulatedServer, path: string, query: string): Promise<PageOfList> {
  const reply = await request(server.app)
    .get(`/api${path}${path.includes('?') ? '&' : '?'}${query}`)
    .set('X-Kegbot-Api-Key', server.staffKey)
    .expect(200);
  const { paging, ...rest } = reply.body.result;
  return { paging, rows: Object.values(rest)[0] as PageOfList['rows'] };
}

/** The start of the next page: given by `next`, or one below the last id. */
function nextStart({ paging, rows }: PageOfList): number | null {
  if (paging.next !== undefined) return paging.next;
  const last = rows.at(-1);
  return last === undefined || Number(last.id) === 1 ? null : Number(last.id) - 1;
}

/** Adds one item to every list. */
function addRows({ engine }: PopulatedServer, round: number): void {
  const now = {
    monoMs: 500 * 3_600_000,
    wallMs: Date.UTC(2026, 4, 3, 18, round),
    synced: true,
    bootId: 'boot-1',
  };
  engine.pours.report({ tap: 'pi.flow0', ticks: 100, username: 'bert', source: 'post' }, now);
  engine.kegs.create({ beverage: { name: `${round}`, producerName: `${round}`, styleName: 'Ale' } }, now);
  engine.users.addUser({ username: `guest${round}` }, now);
  engine.tokens.create({ device: 'pin', value: `${round}` }, now);
  engine.thermo.log({ sensor: '28-0000000000a1', tempC: round }, now);
  engine.thermo.log({ sensor: `new${round}`, tempC: round }, now);
}

test.each(lists)('paging through %s lists each row once, in order, while rows are added', async (path) => {
  const server = createPopulatedServer();
  const full = await page(server, path, 'limit=1000');
  expect(full.rows).toHaveLength(full.paging.total);
  expect(full.rows.length).toBeGreaterThan(0);
  const ids = full.rows.flatMap(({ id }) => (typeof id === 'number' ? [id] : []));
  expect(ids).toEqual([...ids].sort((a, b) => b - a));

  for (const limit of [1, 2]) {
    const collected: unknown[] = [];
    let start: number | null = null;
    for (let round = 0; round === 0 || start !== null; round++) {
      const current = await page(server, path, `limit=${limit}${start === null ? '' : `&start=${start}`}`);
      expect(current.rows.length).toBeLessThanOrEqual(limit);
      expect(current.paging.pos).toBe(start ?? 0);
      collected.push(...current.rows);
      // Rows added later are newer than the first page and must not appear.
      if (limit === 2) addRows(server, round);
      start = current.rows.length === 0 ? null : nextStart(current);
    }
    const toKey = (row: unknown) => JSON.stringify((row as { id?: unknown }).id ?? row);
    expect(collected.map(toKey)).toEqual(full.rows.map(toKey));
  }
});
