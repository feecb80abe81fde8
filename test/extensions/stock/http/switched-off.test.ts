import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { stock } from '../../../../src/extensions/stock/extension.ts';
import { createStaffClient } from '../../../http/current/staff-client.ts';
import { createTestServer } from '../../../http/test-server.ts';
import { switchOn } from '../../../kit/extensions.ts';

const { all, engine, http } = await switchOn([stock]);
let server: ReturnType<typeof createTestServer>;
let staff: ReturnType<typeof createStaffClient>;

beforeEach(() => {
  server = createTestServer({
    switchedOn: { all, engine: { ...engine, loaded: [] }, http: { ...http, routes: [] } },
  });
  staff = createStaffClient(server);
});

test.each([
  ['get', '/stock'],
  ['get', '/stock/csv'],
  ['get', '/stock-counts/sheet'],
  ['post', '/deliveries'],
  ['patch', '/kegs/1/purchase'],
  ['post', '/kegs/1/label'],
] as const)('while the feature is off, %s %s says so', async (method, path) => {
  const { reason } = await staff.expectError(404, method, path);
  expect(reason).toEqual({ name: 'feature_off', feature: 'stock' });
});

test('kegs are entered, listed, put on taps and ended without it, and other addresses are only unknown', async () => {
  const { keg } = await staff.create('/kegs', { beverage_id: '1', keg_type: 'corny' });
  await staff.send('post', '/taps/2/attach-keg', { keg_id: keg.id });
  await staff.send('post', '/taps/2/end-keg');
  expect((await staff.send('get', `/kegs/${keg.id}`)).keg.state).toBe('finished');
  for (const path of ['/kegs/1/purchases', '/stocks'])
    expect((await staff.expectError(404, 'get', path)).reason).not.toMatchObject({ name: 'feature_off' });
});

test('purchases of kegs and counts of the stock are exported while it is off', async () => {
  const bar = server.engine;
  bar.useExtensions(engine.loaded);
  const services = bar.serviceOf(stock);
  const context = { actor: systemActor, now: server.now() };
  const beverage = { name: 'Porter', producerName: 'Brewery', styleName: 'Porter' };
  const purchase = { batch: 'L1', costMinor: 9_000, bestBefore: '2026-08-01' };
  const { result } = services.purchases.receive(
    { keg: { beverage, sizeKey: 'corny' }, count: 1, purchase },
    context,
  );
  const { beverageId } = bar.kegs.get(result[0]!)!;
  services.counts.add({ lines: [{ beverageId, sizeKey: 'corny', counted: 0 }], isAdjusted: false }, context);
  bar.useExtensions([]);
  const rows = async (kind: string) => {
    const { text } = await request(server.app)
      .get(`/api/admin/export/${kind}.jsonl`)
      .set('X-Kegbot-Api-Key', server.staffKey)
      .buffer(true)
      .expect(200);
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  expect(await rows('purchases')).toMatchObject([
    { keg_id: result[0], beverage: 'Porter', batch: 'L1', cost_minor: 9_000, best_before: '2026-08-01' },
  ]);
  expect(await rows('stock_counts')).toMatchObject([
    { beverage: 'Porter', expected: 1, counted: 0, reason: 'unknown', is_adjusted: false },
  ]);
});
