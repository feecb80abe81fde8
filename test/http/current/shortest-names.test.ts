import { expect, test } from 'vitest';
import { extensionCases } from '../../kit/extension-cases.ts';
import { createTestServer } from '../test-server.ts';
import { createSuperuserClient } from './staff-client.ts';

const schedule = {
  is_enabled: true,
  weekdays: [1],
  starts: '17:00',
  ends: '18:00',
  first_on: null,
  last_on: null,
  percent_off: 50,
  prices: [],
};

/** Records that people name. */
const records: readonly (readonly [path: string, field: string, others: object])[] = [
  ['/taps', 'name', {}],
  ['/controllers', 'name', {}],
  ['/flow-meters', 'port_name', { controller_id: 1, ticks_per_ml: 2 }],
  ['/beverage-producers', 'name', {}],
  ['/beverages', 'name', { producer_id: 1 }],
  ['/price-schedules', 'name', schedule],
  ['/tablets', 'name', {}],
  ['/admin/alarm-channels', 'name', { kind: 'ntfy', topic: 'bar' }],
  ...extensionCases.flatMap(({ namedRecords = [] }) => namedRecords),
];

test.each(records)('POST %s: %s is one character or longer', async (path, field, others) => {
  const root = createSuperuserClient(createTestServer());
  const { fields } = await root.expectError(400, 'post', path, { ...others, [field]: '' });
  expect(Object.keys(fields)).toEqual([field]);
  expect(JSON.stringify(await root.create(path, { ...others, [field]: '7' }))).toContain('"7"');
});
