import request from 'supertest';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPopulatedServer } from '../../../http/current/populated-server.ts';
import { createStaffClient } from '../../../http/current/staff-client.ts';

let server: ReturnType<typeof createPopulatedServer>;
let staff: ReturnType<typeof createStaffClient>;

beforeEach(() => {
  server = createPopulatedServer();
  staff = createStaffClient(server);
});

async function receive(count: number, purchase: object = {}) {
  const { beverages } = await staff.send('get', '/beverages');
  return staff.create('/deliveries', {
    keg: { beverage_id: beverages[0].id, keg_type: 'euro-30-liter' },
    count,
    purchase,
  });
}

describe('a delivery', () => {
  test('is entered once for all its kegs, shown in the stock, and undone', async () => {
    const before = (await staff.send('get', '/stock')).stock;
    const delivery = await receive(2, {
      supplier: 'Drinks & Co',
      cost_minor: 9_900,
      deposit_minor: 3_000,
      best_before: '2030-01-01',
    });
    const { stock, suppliers } = await staff.send('get', '/stock');
    expect(suppliers).toEqual(['Drinks & Co']);
    expect(stock.kegs.slice(0, 2)).toMatchObject(
      delivery.keg_ids.map((keg_id: number) => ({
        keg_id,
        left_ml: 30_000,
        cost_left_minor: 9_900,
        warning: null,
        purchase: { supplier: 'Drinks & Co', deposit_minor: 3_000, best_before: '2030-01-01' },
      })),
    );
    expect(stock.deposit_minor - before.deposit_minor).toBe(6_000);
    await staff.send('post', `/corrections/${delivery.correction_id}/undo`);
    expect((await staff.send('get', '/stock')).stock).toEqual(before);
  });

  test.each([
    [{ count: 0 }, 'count'],
    [{ count: 51 }, 'count'],
    [{ purchase: { best_before: '2026-02-30' } }, 'best_before'],
    [{ purchase: { cost_minor: 1.5 } }, 'purchase.cost_minor'],
    [{ purchase: { colour: 'red' } }, 'purchase.colour'],
  ])('with %o is refused by the field', async (wrong, field) => {
    const { beverages } = await staff.send('get', '/beverages');
    const keg = { beverage_id: beverages[0].id, keg_type: 'euro-30-liter' };
    const { fields } = await staff.expectError(400, 'post', '/deliveries', { keg, count: 1, ...wrong });
    expect(Object.keys(fields)).toEqual([field]);
  });
});

describe('what is known of a keg', () => {
  test('is changed by its fields, with the audit log in the currency', async () => {
    const path = `/kegs/${(await receive(1)).keg_ids[0]}/purchase`;
    await staff.send('patch', path, { cost_minor: 12_050, batch: 'L1' });
    expect((await staff.send('get', path)).purchase).toMatchObject({ cost_minor: 12_050, batch: 'L1' });
    const [entry] = (await staff.send('get', '/audit?limit=1')).entries;
    expect(entry).toMatchObject({
      action: 'keg.purchase_changed',
      after: { cost: '120.50 EUR', batch: 'L1' },
      can_undo: true,
    });
  });

  test('is for staff only', async () => {
    await request(server.app).get('/api/stock').expect(401);
    await request(server.app).get('/api/kegs/1/purchase').expect(401);
    await request(server.app).get('/api/stock/csv').expect(401);
    const { body } = await request(server.app).get('/api/kegs/1').expect(200);
    expect(JSON.stringify(body)).not.toMatch(/cost|purchase|supplier/);
  });

  test('of a keg that does not exist is not found', async () => {
    await staff.expectError(404, 'get', '/kegs/999/purchase');
    await staff.expectError(404, 'patch', '/kegs/999/purchase', { batch: 'L1' });
  });
});

test('the stock is a CSV file with one line for each keg', async () => {
  await receive(1, { supplier: 'Smith; Sons', cost_minor: 9_900 });
  const { body } = await request(server.app).get('/api/stock').set('X-Kegbot-Api-Key', server.staffKey);
  const csv = await request(server.app)
    .get('/api/stock/csv?dialect=excel')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .expect(200);
  expect(csv.headers['content-disposition']).toMatch(/tapster-stock-\d{4}-\d\d-\d\d\.csv/);
  const lines = csv.text.trim().split('\r\n');
  const { kegs, deposits_out: out } = body.result.stock;
  expect(lines).toHaveLength(1 + kegs.length + out.length);
  expect(csv.text).toMatch(/Smith; Sons/);
});
