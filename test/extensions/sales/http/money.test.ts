import request from 'supertest';
import { expect, test } from 'vitest';
import { createPopulatedServer } from '../../../http/current/populated-server.ts';
import { createStaffClient } from '../../../http/current/staff-client.ts';

const day = 'first=2020-02-03&last=2020-02-03';

async function createBar() {
  const server = createPopulatedServer();
  const client = createStaffClient(server);
  const { till } = await client.create('/tills', { name: 'Front' });
  const line = { time: '2020-02-03T19:00:00Z', item_name: 'Half' };
  await client.send('post', '/sales', {
    till: till.name,
    time_meaning: 'ring',
    sales: [
      { ...line, external_id: '1', quantity: 10, net_minor: 4_000 },
      { ...line, external_id: '2', quantity: 1, net_minor: 400, kind: 'comp' },
    ],
  });
  const { items } = await client.send('get', `/tills/${till.id}/items`);
  const { beverages } = await client.send('get', '/beverages');
  await client.send('put', `/till-items/${items[0].id}/mapping`, {
    components: [{ beverage_id: Number(beverages[0].id), serving_size_id: null, count: 1, liquid_ml: 500 }],
  });
  return { ...client, server, beverage: beverages[0] };
}

test('income of days is what tills sold, without a margin while no cost is known', async () => {
  const { send, beverage } = await createBar();
  const { money } = await send('get', `/reports/money?${day}`);
  expect(money).toMatchObject({
    first: '2020-02-03',
    last: '2020-02-03',
    is_over: true,
    total: { income_minor: 4_000, cost_minor: null, margin_minor: null, pour_cost: null },
    beverages: [{ beverage_id: String(beverage.id), income_from: 'till', income_minor: 4_000 }],
  });
  expect(money.till).toEqual([
    { kind: 'comp', lines: 1, servings: 1, net_minor: 0 },
    { kind: 'sale', lines: 1, servings: 10, net_minor: 4_000 },
  ]);
});

test('the file for accountants has one line for each beverage and day', async () => {
  const { server } = await createBar();
  const csv = await request(server.app)
    .get('/api/reports/money/csv?first=2020-02-01&last=2020-02-29')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .expect(200);
  const lines = csv.text.trim().split('\r\n');
  expect(lines[0]).toMatch(/^date,beverage_id,beverage,poured_ml,/);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^2020-02-03,\d+,.*,4000,till,/);
  expect(csv.headers['content-disposition']).toContain('tapster-money-2020-02-01-to-2020-02-29.csv');
});

test('money is for staff only, and more than 92 days are refused', async () => {
  const { server, expectError } = await createBar();
  await request(server.app).get('/api/reports/money').expect(401);
  await request(server.app).get('/api/reports/money/csv').expect(401);
  await expectError(400, 'get', '/reports/money?first=2020-01-01&last=2020-12-31');
});
