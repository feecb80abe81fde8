import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../../../kit/drinks/insert-drink.ts';
import { createTestServer } from '../../../test-server.ts';

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
  expect(volumes[0]).toBeCloseTo(495.6, 1);
  expect(volumes[1]).toBe(volumes[0]);
});

test('gives the interval of the factor and how many more pours reach the wanted one', async () => {
  const { staff } = createServerWithStaff();
  const pours = [1_010, 990, 1_005, 995].map((ticks) => ({
    ticks,
    grams: 505,
    final_gravity: 1.01,
    temp_c: 5,
  }));
  const estimate = async (body: object) =>
    (await staff('post', 'flow-meters/1/calibration-estimate', body).expect(200)).body.result;
  const weighed = await estimate({ pours });
  expect(weighed).toMatchObject({ wanted_uncertainty: 0.005, limited_by: null, offset_ticks: null });
  // t(3) = 3.182, s = 0.91 %, and the scale.
  expect(weighed.uncertainty).toBeCloseTo(Math.hypot((3.182 * 0.00913) / 2, 0.002), 4);
  expect(weighed.more_pours).toBe(14);
  expect((await estimate({ pours, wanted_uncertainty: 0.02 })).more_pours).toBe(0);
});

test('says what keeps the interval wide, however many pours there are', async () => {
  const { estimate } = createServerWithStaff();
  const limits = async (pour: object) => {
    const { body } = await estimate(pour, pour, pour).expect(200);
    return [body.result.limited_by, body.result.more_pours];
  };
  expect(await limits({ ticks: 1_000, volume_ml: 500 })).toEqual(['jug', null]);
  expect(await limits({ ticks: 1_000, grams: 505 })).toEqual(['gravity', null]);
  expect(await limits({ ticks: 1_000, grams: 505, final_gravity: 1.012 })).toEqual([null, 0]);
});

test('a meter keeps the uncertainty that it was calibrated with, until it gets a factor without one', async () => {
  const { staff } = createServerWithStaff();
  const meter = async () => (await staff('get', 'flow-meters/1').expect(200)).body.result.flow_meter;
  expect((await meter()).uncertainty).toBeNull();
  const measured = { pours: 6, ticks: 12_600, volume_ml: 6_000 };
  const { body } = await staff('post', 'flow-meters/1/calibrate', {
    ticks_per_ml: 2.1,
    method: 'pours',
    uncertainty: 0.004,
    measured,
  }).expect(200);
  expect((await meter()).uncertainty).toBeCloseTo(0.004, 12);
  const log = await staff('get', 'audit?action=meter.calibrated').expect(200);
  expect(log.body.result.entries[0].after).toMatchObject({ method: 'pours', pours: 6, uncertainty: 0.004 });
  await staff('post', 'flow-meters/1/calibrate', { ticks_per_ml: 2.2 }).expect(200);
  expect(await meter()).toMatchObject({ ticks_per_ml: 2.2, uncertainty: null });
  await staff('post', `corrections/${body.result.correction_id}/undo`).expect(409);
});

test('undo restores the uncertainty with the factor', async () => {
  const { staff } = createServerWithStaff();
  const calibrate = async (body: object) =>
    (await staff('post', 'flow-meters/1/calibrate', body).expect(200)).body.result.correction_id;
  await calibrate({ ticks_per_ml: 2.1, uncertainty: 0.004 });
  const id = await calibrate({ ticks_per_ml: 2.2, uncertainty: 0.01 });
  await staff('post', `corrections/${id}/undo`).expect(200);
  const { flow_meter: meter } = (await staff('get', 'flow-meters/1').expect(200)).body.result;
  expect(meter).toMatchObject({ ticks_per_ml: 2.1, uncertainty: 0.004 });
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
  const { staff, store, now } = createServerWithStaff();
  const report = (tap: string, ticks: number) => insertDrink(store, { tap, ticks, durationMs: 5_000 }, now());
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
