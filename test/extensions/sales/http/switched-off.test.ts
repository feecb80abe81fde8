import { beforeEach, expect, test } from 'vitest';
import { sales } from '../../../../src/extensions/sales/extension.ts';
import { createStaffClient } from '../../../http/current/staff-client.ts';
import { createTestServer } from '../../../http/test-server.ts';
import { switchOn } from '../../../kit/extensions.ts';

const { all, engine, http } = await switchOn([sales]);
let staff: ReturnType<typeof createStaffClient>;

beforeEach(() => {
  staff = createStaffClient(
    createTestServer({
      switchedOn: { all, engine: { ...engine, loaded: [] }, http: { ...http, routes: [] } },
    }),
  );
});

test.each([
  ['get', '/tills'],
  ['post', '/till-items/1/ignore'],
  ['post', '/sales'],
  ['get', '/sales/balance'],
  ['get', '/sales/months/2026-05'],
  ['get', '/sales/by-person'],
  ['get', '/sales-imports'],
  ['get', '/sales-files'],
  ['get', '/sales-presets'],
  ['post', '/sales-previews'],
  ['get', '/reports/money'],
  ['get', '/beverages/1/servings'],
] as const)('while the feature is off, %s %s says so', async (method, path) => {
  const { reason } = await staff.expectError(404, method, path);
  expect(reason).toEqual({ name: 'feature_off', feature: 'sales' });
});

test('serving sizes, prices, reports and shifts work without it, and other addresses are only unknown', async () => {
  const { serving_sizes: sizes } = await staff.send('get', '/serving-sizes');
  await staff.send('put', '/beverages/1/prices', {
    prices: [{ serving_size_id: sizes[0].id, price_minor: 480 }],
  });
  await staff.send('get', '/reports/days');
  const shifts = [
    { name: 'Lunch', starts: '10:00' },
    { name: 'Evening', starts: '17:00' },
  ];
  const { business } = await staff.send('patch', '/admin/business', { shifts });
  expect(business.shifts).toEqual(shifts);
  for (const path of ['/sale', '/reports/costs', '/beverages/1/sold'])
    expect((await staff.expectError(404, 'get', path)).reason).not.toMatchObject({ name: 'feature_off' });
});

test('its data is exported while it is off', async () => {
  const { sizes } = await staff.send('get', '/admin/export-sizes');
  expect(sizes).toContainEqual({ kind: 'sales', rows: 0 });
});
