import { expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

test('staff weigh a keg, correct and delete the weighing, and undo each', async () => {
  const anna = createStaffClient(createTestServer());
  const before = await anna.send('get', '/kegs/1');
  expect(await anna.send('get', '/kegs/1/weighings')).toMatchObject({ weighings: [] });
  const body = { weight_g: 25_000, empty_weight_g: 9_000, balance_g: 60 };
  const { weighing, correction_id: added } = await anna.create('/kegs/1/weighings', body);
  expect(weighing).toMatchObject({ ...body, used_empty_weight_g: 9_000, username: 'anna' });
  expect(weighing.left_ml).toBeCloseTo(before.keg.volume_ml_remain, -5);
  expect(weighing.counted_ml).toBeCloseTo(before.keg.volume_ml_remain, 6);
  const path = `/kegs/1/weighings/${weighing.id}`;
  const changed = await anna.send('patch', path, { weight_g: 24_000 });
  expect(changed.weighing).toMatchObject({ weight_g: 24_000, empty_weight_g: 9_000 });
  await anna.send('post', `/corrections/${changed.correction_id}/undo`);
  const { correction_id: removed } = await anna.send('delete', path);
  expect((await anna.send('get', '/kegs/1/weighings')).weighings).toEqual([]);
  await anna.send('post', `/corrections/${removed}/undo`);
  expect((await anna.send('get', '/kegs/1/weighings')).weighings).toEqual([weighing]);
  await anna.send('post', `/corrections/${added}/undo`);
  expect((await anna.send('get', '/kegs/1/weighings')).weighings).toEqual([]);
  expect(await anna.send('get', '/kegs/1')).toEqual(before);
});

test.each([
  [{ weight_g: 499 }, 'weight_g', null],
  [{ weight_g: 8_000, empty_weight_g: 9_000 }, 'weight_g', 'lighter_than_empty'],
  [{ weight_g: 299_000, empty_weight_g: 9_000 }, 'weight_g', 'heavier_than_full'],
  [{ weight_g: 20_000, empty_weight_g: 1 }, 'empty_weight_g', null],
  [{ weight_g: 20_000, balance_g: 5_001 }, 'balance_g', null],
  [{ weight_g: 20_000, empty_weight_g: 9_000, time: '2099-01-01T00:00:00Z' }, 'time', 'keg_time'],
  [{ empty_weight_g: 9_000 }, 'weight_g', null],
])('the weighing %j is refused at %s', async (body, field, rule) => {
  const anna = createStaffClient(createTestServer());
  const error = await anna.expectError(400, 'post', '/kegs/1/weighings', body);
  expect(error.fields).toHaveProperty(field);
  if (rule !== null) expect(JSON.stringify(error)).toContain(rule);
});

test('a weighing of another keg is not found, and guests see none', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const body = { weight_g: 20_000, empty_weight_g: 9_000 };
  const { weighing } = await anna.create('/kegs/1/weighings', body);
  await anna.expectError(404, 'patch', `/kegs/2/weighings/${weighing.id}`, { weight_g: 21_000 });
  await anna.expectError(404, 'get', '/kegs/99/weighings');
  expect(await anna.send('get', '/flow-meters/1/learning')).toHaveProperty('evidence');
});

test('a keg is weighed 50 times at most', async () => {
  const anna = createStaffClient(createTestServer());
  const body = { weight_g: 20_000, empty_weight_g: 9_000 };
  for (let n = 0; n < 50; n++) await anna.create('/kegs/1/weighings', body);
  expect(await anna.expectError(409, 'post', '/kegs/1/weighings', body)).toMatchObject({
    reason: { name: 'too_many_weighings', most: 50 },
  });
});
