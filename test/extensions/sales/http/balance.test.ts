import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { createPopulatedServer } from '../../../http/current/populated-server.ts';
import { createStaffClient } from '../../../http/current/staff-client.ts';

const month = '2020-02';

/** A bar whose till sold ten half litres on 3 February 2020, when nothing was poured. */
async function createBar() {
  const server = createPopulatedServer();
  const client = createStaffClient(server);
  const headers = { 'X-Kegbot-Api-Key': server.staffKey };
  const { till } = await client.create('/tills', { name: 'Front' });
  await client.send('post', '/sales', {
    till: till.name,
    time_meaning: 'ring',
    sales: [
      { external_id: '1', time: '2020-02-03T19:00:00Z', item_name: 'Half', quantity: 10, net_minor: 4_000 },
    ],
  });
  const { items } = await client.send('get', `/tills/${till.id}/items`);
  const { beverages } = await client.send('get', '/beverages');
  await client.send('put', `/till-items/${items[0].id}/mapping`, {
    components: [{ beverage_id: Number(beverages[0].id), serving_size_id: null, count: 1, liquid_ml: 500 }],
  });
  const get = (path: string) => request(server.app).get(`/api${path}`).set(headers);
  const post = (path: string) => request(server.app).post(`/api${path}`).set(headers).send({});
  return { ...client, get, post, server, beverage: beverages[0] };
}

describe('poured against sold', () => {
  test('is answered for days and for a month, without a sign and without a person', async () => {
    const { get, beverage } = await createBar();
    const { body } = await get(`/sales/months/${month}`).expect(200);
    const view = body.result.month;
    expect(view).toMatchObject({
      month,
      first: '2020-02-01',
      last: '2020-02-29',
      is_over: true,
      sale_lines: 1,
      closed: null,
    });
    expect(view.beverages).toMatchObject([
      {
        beverage_id: String(beverage.id),
        is_compared: false,
        poured_ml: 0,
        sold_ml: 5_000,
        servings: 10,
        net_sales: 40,
        verdict: { kind: 'rung_not_poured', volume_ml: 5_000 },
      },
    ]);
    expect(view.findings).toMatchObject([{ kind: 'not_poured_at_all', volume_ml: 5_000 }]);
    expect(JSON.stringify(view)).not.toMatch(/user|username/);
    const days = await get('/sales/balance?first=2020-02-03&last=2020-02-03').expect(200);
    expect(days.body.result.balance.days).toHaveLength(1);
  });

  test('is for staff only, and names a wrong month or span', async () => {
    const { get, server } = await createBar();
    await request(server.app).get(`/api/sales/months/${month}`).expect(401);
    await get('/sales/months/2020-13').expect(400);
    await get('/sales/balance?first=2020-01-01&last=2020-12-31').expect(400);
  });

  test('is exported as CSV and as a workbook, with one line for each part', async () => {
    const { get } = await createBar();
    const csv = await get('/sales/balance/balance.csv?first=2020-02-01&last=2020-02-29').expect(200);
    const lines = csv.text.trim().split('\r\n');
    expect(lines[0]).toMatch(/^of,id,name,first,last,poured_ml,drinks_ml,/);
    // The total, the beverage, five weeks and 29 days.
    expect(lines).toHaveLength(1 + 1 + 1 + 5 + 29);
    expect(csv.headers['content-disposition']).toContain('tapster-balance-2020-02-01-to-2020-02-29.csv');
    const workbook = await get('/sales/balance/balance.xlsx?first=2020-02-03')
      .query({ last: '2020-02-03' })
      .buffer()
      .parse((response, done) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => done(null, Buffer.concat(pieces)));
      });
    expect(workbook.status).toBe(200);
    expect((workbook.body as Buffer).subarray(0, 2).toString()).toBe('PK');
  });

  test('of a month is frozen by closing it, and open again by reopening it', async () => {
    const { get, post } = await createBar();
    const closed = await post(`/sales/months/${month}/close`).expect(200);
    expect(closed.body.result.month.closed).toMatchObject({ corrections: [] });
    await post(`/sales/months/${month}/close`).expect(409);
    await post(`/sales/months/${month}/reopen`).expect(200);
    await post(`/sales/months/${month}/reopen`).expect(404);
    const { body } = await get(`/sales/months/${month}`);
    expect(body.result.month.closed).toBeNull();
  });
});
