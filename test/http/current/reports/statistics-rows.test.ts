import fc from 'fast-check';
import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer } from '../../test-server.ts';
import { createPopulatedServer } from '../populated-server.ts';

interface Row {
  readonly id: number;
  readonly user_id: string | null;
  readonly keg_id: number | null;
  readonly session_id: string | null;
  readonly stats: { readonly total_volume_ml: number };
}

const getResult = async ({ app }: Pick<ReturnType<typeof createTestServer>, 'app'>, path: string) =>
  (await request(app).get(`/api${path}`).expect(200)).body.result;

test('there is a row for the site and for each user, keg and session with drinks', async () => {
  const server = createPopulatedServer();
  const { rows, stats, paging } = await getResult(server, '/stats');
  const subject = ({ user_id, keg_id, session_id }: Row) => {
    if (user_id !== null) return user_id;
    if (keg_id !== null) return `keg ${keg_id}`;
    return session_id === null ? 'site' : `session ${session_id}`;
  };
  expect(Object.fromEntries(rows.map((row: Row) => [subject(row), row.stats.total_volume_ml]))).toEqual({
    site: 1900,
    anna: 800,
    bert: 900,
    'keg 1': 1700,
    'session 1': 1400,
    'session 2': 500,
  });
  expect(paging).toMatchObject({ total: 6, limit: 10, pos: 0 });
  const site = rows.find((row: Row) => subject(row) === 'site');
  expect(site).toEqual({
    id: 1,
    time: '2026-05-03T17:01:00Z',
    drink_id: 6,
    user_id: null,
    keg_id: null,
    session_id: null,
    stats,
  });
});

test('each row is found by its id, and its statistics are those of its subject', async () => {
  const server = createPopulatedServer();
  const { rows } = await getResult(server, '/stats');
  for (const row of rows as readonly Row[]) {
    expect(await getResult(server, `/stats/${row.id}`)).toEqual({ row });
    const path =
      row.user_id !== null
        ? `/users/${row.user_id}/stats`
        : row.keg_id !== null
          ? `/kegs/${row.keg_id}/stats`
          : row.session_id !== null
            ? `/sessions/${row.session_id}/stats`
            : '/stats/system';
    expect((await getResult(server, path)).stats).toEqual(row.stats);
  }
  for (const id of [2, 5, 1_000_000, Number.MAX_SAFE_INTEGER])
    await request(server.app).get(`/api/stats/${id}`).expect(404);
});

test('pages have the rows in descending order, each once', async () => {
  const server = createPopulatedServer();
  const all = ((await getResult(server, '/stats')).rows as readonly Row[]).map(({ id }) => id);
  expect(all).toEqual(all.toSorted((one, other) => other - one));
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 0, max: 15 }),
      async (limit, start) => {
        const { rows } = await getResult(server, `/stats?limit=${limit}&start=${start}`);
        const expected = all.filter((id) => start === 0 || id <= start).slice(0, limit);
        expect((rows as readonly Row[]).map(({ id }) => id)).toEqual(expected);
      },
    ),
    { numRuns: 20 },
  );
  await request(server.app).get('/api/stats?limit=101').expect(400);
});

test('without drinks there are no rows', async () => {
  const server = createTestServer();
  expect(await getResult(server, '/stats')).toMatchObject({ paging: { total: 0 }, rows: [], stats: {} });
  await request(server.app).get('/api/stats/1').expect(404);
});

test('a drink without a user has no row of a user', async () => {
  const server = createTestServer();
  const now = { monoMs: 0, wallMs: Date.UTC(2026, 4, 2, 18), synced: true, bootId: 'boot-1' };
  insertDrink(server.store, { tap: 'pi.flow0', ticks: 200 }, now);
  const { rows } = await getResult(server, '/stats');
  expect(rows.map(({ user_id, keg_id, session_id }: Row) => [user_id, keg_id, session_id])).toEqual([
    [null, null, '1'],
    [null, 1, null],
    [null, null, null],
  ]);
});
