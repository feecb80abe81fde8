import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink, insertPour } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer } from '../../test-server.ts';

const calibrated = { ticks_per_ml: 2, uncertainty: 0.01 };

function createServer() {
  const server = createTestServer();
  const staff = (method: 'get' | 'post', path: string, body: object = {}) => {
    const sending = request(server.app)[method](`/api/${path}`).set('X-Kegbot-Api-Key', server.staffKey);
    return method === 'get' ? sending : sending.send(body);
  };
  const pour = (ticks: number, volumeMl?: number) =>
    insertDrink(server.store, { ticks, durationMs: 8_333, ...(volumeMl && { volumeMl }) }, server.now());
  const result = async (path: string) => (await staff('get', path).expect(200)).body.result;
  return { ...server, staff, pour, result };
}

test('a drink of a calibrated meter is more certain than one of an uncalibrated meter', async () => {
  const { staff, pour, result } = createServer();
  pour(1_000);
  expect((await result('drinks/1')).drink.uncertainty_ml).toBeCloseTo(60.3, 1);
  await staff('post', 'flow-meters/1/calibrate', calibrated).expect(200);
  expect((await result('drinks/1')).drink.uncertainty_ml).toBeCloseTo(6.4, 1);
});

test('a drink whose factor has changed since tells the difference', async () => {
  const { staff, pour, result } = createServer();
  pour(1_000);
  await staff('post', 'flow-meters/1/calibrate', { ...calibrated, ticks_per_ml: 2.5 }).expect(200);
  expect((await result('drinks/1')).drink.uncertainty_ml).toBeGreaterThan(100);
});

test('a volume that was given has no uncertainty, and says why', async () => {
  const { pour, result } = createServer();
  pour(1_000, 480);
  expect((await result('drinks/1')).drink).toMatchObject({
    uncertainty_ml: null,
    uncertainty_unknown: 'volume_given',
  });
});

test('keg, session and report tell the uncertainty of their sums', async () => {
  const { staff, pour, result } = createServer();
  await staff('post', 'flow-meters/1/calibrate', calibrated).expect(200);
  for (let i = 0; i < 10; i++) pour(1_000);
  const session = await result('sessions/1');
  // 5 L within 1 %, and the scatter of ten pours.
  expect(session.uncertainty_ml).toBeGreaterThan(50);
  expect(session.uncertainty_ml).toBeLessThan(70);
  const { keg, remain_uncertainty_ml: ofKeg } = await result('kegs/1');
  expect(ofKeg).toBeCloseTo(Math.hypot(2 * 0.006 * keg.full_volume_ml, session.uncertainty_ml), 6);
  const { day } = await result('reports/days/2026-05-02');
  expect(day.poured_uncertainty_ml).toBeCloseTo(session.uncertainty_ml, 1);
});

test('the ± of a day contains its held pours, and those that may belong to another day', async () => {
  const { store, now, pour, result } = createServer();
  pour(1_000);
  const uncertainty = async () => (await result('reports/days/2026-05-02')).day.poured_uncertainty_ml;
  const before = await uncertainty();
  const later = { ...now(), monoMs: now().monoMs + 60_000, wallMs: now().wallMs + 60_000 };
  const held = { ticks: 2_000, durationMs: 8_000, series: '0:2000', heldReason: 'simultaneous' };
  const { volumeMl } = insertPour(store, held, later);
  expect(await uncertainty()).toBeCloseTo(Math.hypot(before, volumeMl), 0);
});
