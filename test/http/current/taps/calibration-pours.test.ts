import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';

function createServerWithStaff() {
  const server = createTestServer();
  const staff = (method: 'get' | 'post', path: string, body: object = {}) => {
    const sending = request(server.app)[method](`/api/${path}`).set('X-Kegbot-Api-Key', server.staffKey);
    return method === 'get' ? sending : sending.send(body);
  };
  const estimate = (...pours: object[]) => staff('post', 'flow-meters/1/calibration-estimate', { pours });
  return { ...server, staff, estimate };
}

test('estimates a factor and its spread from three measured pours', async () => {
  const { estimate } = createServerWithStaff();
  const { body } = await estimate(
    { ticks: 1_000, volume_ml: 200 },
    { ticks: 2_040, volume_ml: 400 },
    { ticks: 1_000, volume_ml: 300 },
  ).expect(200);
  const { ticks_per_ml: figure, ticks_per_ml_before: before, spread, pours } = body.result;
  expect([figure, before]).toEqual([4_040 / 900, 2]);
  expect(spread).toBeCloseTo((5.1 - 10 / 3) / (4_040 / 900), 9);
  expect(pours.map((pour: { is_outlier: boolean }) => pour.is_outlier)).toEqual([false, false, true]);
});

test('converts weight to volume by gravity and subtracts the tare', async () => {
  const { estimate } = createServerWithStaff();
  const { body } = await estimate(
    { ticks: 1_000, grams: 812, tare_grams: 312, final_gravity: 1.01, temp_c: 5 },
    { ticks: 1_000, grams: 500 },
  ).expect(200);
  const volumes = body.result.pours.map((pour: { volume_ml: number }) => pour.volume_ml);
  expect(volumes[0]).toBeCloseTo(495.7, 1);
  expect(volumes[1]).toBe(volumes[0]);
});

test.each([
  [{ ticks: 100 }, 'pours.0.volume_ml'],
  [{ ticks: 100, volume_ml: 10, grams: 10 }, 'pours.0.volume_ml'],
  [{ ticks: 100, grams: 300, tare_grams: 300 }, 'pours.0.grams'],
  [{ ticks: 0, volume_ml: 10 }, 'pours.0.ticks'],
  [{ ticks: 100, volume_ml: 0 }, 'pours.0.volume_ml'],
  [{ ticks: 100, grams: 300, final_gravity: 1.9 }, 'pours.0.final_gravity'],
  [{ ticks: 100, grams: 300, temp_c: 80 }, 'pours.0.temp_c'],
])('refuses %j and names its field', async (pour, field) => {
  const { estimate } = createServerWithStaff();
  const { body } = await estimate(pour).expect(400);
  expect(Object.keys(body.error.fields)).toEqual([field]);
});

test('refuses no pours, an unknown meter and a non-staff user', async () => {
  const { estimate, staff, app, guestKey } = createServerWithStaff();
  await estimate().expect(400);
  await staff('post', 'flow-meters/99/calibration-estimate', {
    pours: [{ ticks: 1, volume_ml: 1 }],
  }).expect(404);
  await request(app).get('/api/flow-meters/1/pours').set('X-Kegbot-Api-Key', guestKey).expect(403);
});

test('lists only the pours of the meter, held pours included', async () => {
  const { staff, engine, now } = createServerWithStaff();
  const report = (tap: string, ticks: number) =>
    engine.pours.report({ tap, ticks, durationMs: 5_000, source: 'post' }, now());
  report('pi.flow0', 600);
  report('pi.flow1', 700);
  report('pi.flow2', 800);
  report('pi.flow0', 900);
  const listed = async (id: number) =>
    (await staff('get', `flow-meters/${id}/pours`).expect(200)).body.result.pours;
  expect(await listed(1)).toMatchObject([
    { ticks: 900, is_valid: true, keg_id: 1 },
    { ticks: 600, volume_ml: 300 },
  ]);
  expect(await listed(3)).toMatchObject([{ ticks: 800, is_valid: false, keg_id: null }]);
  await staff('get', 'flow-meters/99/pours').expect(404);
});
