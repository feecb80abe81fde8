import { beforeEach, expect, test } from 'vitest';
import { stock } from '../../../../src/extensions/stock/extension.ts';
import { createStaffClient } from '../../../http/current/staff-client.ts';
import { createTestServer } from '../../../http/test-server.ts';
import { switchOn } from '../../../kit/extensions.ts';

const { all, engine, http } = await switchOn([stock]);
let staff: ReturnType<typeof createStaffClient>;

beforeEach(() => {
  staff = createStaffClient(
    createTestServer({
      switchedOn: { all, engine: { ...engine, loaded: [] }, http: { ...http, routes: [] } },
    }),
  );
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
