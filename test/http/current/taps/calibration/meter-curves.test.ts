import request from 'supertest';
import { expect, test } from 'vitest';
import { workingHardware } from '../../../fuzz/working-hardware.ts';
import { createTestServer, openingMs } from '../../../test-server.ts';

const points = [
  { hz: 50, ticks_per_ml: 1.9 },
  { hz: 100, ticks_per_ml: 2 },
];

function createServerWithStaff() {
  const hardware = workingHardware();
  const snapshot = () => {
    const view = hardware.snapshot();
    return { ...view, meters: view.meters.map((meter) => ({ ...meter, model: 'swissflow-sf800' })) };
  };
  const server = createTestServer({ services: { machineHardware: { ...hardware, snapshot } } });
  const staff = (method: 'get' | 'post' | 'put' | 'delete', path: string, body: object = {}) => {
    const sending = request(server.app)[method](`/api/${path}`).set('X-Kegbot-Api-Key', server.staffKey);
    return method === 'get' ? sending : sending.send(body);
  };
  let pours = 0;
  /** A pour of 200 ticks on the left tap at a steady rate. */
  const record = (hz: number) => {
    const count = 2_000 / hz;
    const pour = {
      pourId: `pour-${++pours}`,
      meter: 'pi.flow0',
      ticks: 200,
      startedMonoMs: server.now().monoMs - count * 100,
      bootId: 'boot-1',
      series: Array.from({ length: count }, (_, i) => `${i * 100}:${hz / 10}`).join(' '),
      durationMs: count * 100,
      reachedMaxDuration: false,
      rejectedEdges: 0,
      ticksLost: 0,
      doubts: [],
      recovered: false,
    };
    return server.engine.drinks.pours.record(pour, 'pin', server.now());
  };
  return { ...server, staff, record };
}

test('a curve is read, set, removed, and each change is undone', async () => {
  const { staff, record, keg } = createServerWithStaff();
  const { id } = record(50);
  const read = async () => (await staff('get', 'flow-meters/1/curve').expect(200)).body.result;
  const volume = async () => (await staff('get', `drinks/${id}`).expect(200)).body.result.drink.volume_ml;
  expect(await read()).toMatchObject({
    flow_meter_id: 1,
    ticks_per_ml: 2,
    curve: null,
    usual_hz: null,
    is_used: true,
  });
  const body = { points, apply_to_keg: keg.id };
  const preview = (await staff('post', 'flow-meters/1/curve-preview', body).expect(200)).body.result;
  expect(preview).toMatchObject({ drink_count: 1, volume_ml_before: 100, curve_before: null });
  expect(preview.volume_ml).toBeCloseTo(200 / 1.9, 6);
  expect(await volume()).toBe(100);
  const put = (await staff('put', 'flow-meters/1/curve', body).expect(200)).body.result;
  expect(put).toMatchObject({ ticks_per_ml: 2, curve: { points, offset_ticks: 0 }, drink_count: 1 });
  expect((await read()).curve).toEqual({ points, offset_ticks: 0 });
  expect(await volume()).toBeCloseTo(200 / 1.9, 3);
  const removed = await staff('delete', `flow-meters/1/curve?apply_to_keg=${keg.id}`).expect(200);
  expect(removed.body.result).toMatchObject({ curve: null, curve_before: { points }, drink_count: 1 });
  expect(await volume()).toBeCloseTo(100, 3);
  await staff('post', `corrections/${removed.body.result.correction_id}/undo`).expect(200);
  expect((await read()).curve.points).toEqual(points);
  await staff('post', `corrections/${put.correction_id}/undo`).expect(200);
  expect((await read()).curve).toBeNull();
  expect(await volume()).toBe(100);
});

test('without points the preview is that of the removal', async () => {
  const { staff, record, keg } = createServerWithStaff();
  await staff('put', 'flow-meters/1/curve', {
    points,
    ticks_per_ml: 2.1,
    uncertainty: 0.01,
    method: 'pours',
  }).expect(200);
  record(50);
  const { body } = await staff('post', 'flow-meters/1/curve-preview', { apply_to_keg: keg.id }).expect(200);
  expect(body.result).toMatchObject({ ticks_per_ml: 2.1, curve: null, drink_count: 1 });
  expect(body.result.volume_ml).toBeCloseTo(200 / 2.1, 6);
  const { result } = (await staff('get', 'flow-meters')).body;
  expect(result.flow_meters.find((one: { id: number }) => one.id === 1)).toMatchObject({
    ticks_per_ml: 2.1,
    uncertainty: 0.01,
    calibrated: true,
  });
});

test('refuses what is no curve, and names the field', async () => {
  const { staff } = createServerWithStaff();
  const refusal = async (body: object) =>
    (await staff('put', 'flow-meters/1/curve', body).expect(400)).body.error.message as string;
  expect(await refusal({ points: [] })).toContain('points');
  expect(await refusal({ points: points.toReversed() })).toContain('points must be 1 to 8 points');
  expect(await refusal({ points: [{ hz: 0, ticks_per_ml: 1 }] })).toContain('points.0.hz');
  expect(await refusal({ points: [{ hz: 1, ticks_per_ml: 0 }] })).toContain('points.0.ticks_per_ml');
  expect(await refusal({ points, offset_ticks: 2_000 })).toContain('offset_ticks');
  await staff('put', 'flow-meters/99/curve', { points }).expect(404);
  await staff('get', 'flow-meters/99/curve').expect(404);
});

test('the curve of the data sheet keeps the factor at the usual rate, 60 mL/s until it is learned', async () => {
  const { staff, record } = createServerWithStaff();
  const read = async () => (await staff('get', 'flow-meters/1/curve').expect(200)).body.result;
  // 60 mL/s are 120 ticks per second; the sheet has 5.2 ticks/mL at 100 Hz and 5.4 at 400.
  const atUsual = 5.2 + (0.2 * 20) / 300;
  const { data_sheet: sheet } = await read();
  expect(sheet).toMatchObject({
    model: 'SF800',
    curve: { offset_ticks: 0, points: [{ hz: 100 }, { hz: 400 }] },
  });
  expect(sheet.curve.points[0].ticks_per_ml).toBeCloseTo((2 * 5.2) / atUsual, 9);
  expect(sheet.curve.points[1].ticks_per_ml).toBeCloseTo((2 * 5.4) / atUsual, 9);
  for (let i = 0; i < 10; i++) record(100);
  const learned = await read();
  expect(learned.usual_hz).toBe(100);
  expect(learned.data_sheet.curve.points[0].ticks_per_ml).toBeCloseTo(2, 9);
  await staff('put', 'flow-meters/1/curve', { ...learned.data_sheet.curve, method: 'sheet' }).expect(200);
  expect(record(100).volumeMl).toBeCloseTo(100, 9);
});

test('a meter that is not on a pin has no data sheet, and its pours use no curve', async () => {
  const { staff } = createServerWithStaff();
  const { body } = await staff('get', 'flow-meters/3/curve').expect(200);
  expect(body.result).toMatchObject({ is_used: false, data_sheet: null });
});

test('pours measured at two flows whose factors differ give a curve, equal ones say that one number suffices', async () => {
  const { staff, record } = createServerWithStaff();
  const rates = [50, 50, 50, 100, 100, 100];
  for (const hz of rates) record(hz);
  const { pours } = (await staff('get', 'flow-meters/1/pours').expect(200)).body.result;
  expect(pours.map(({ hz }: { hz: number }) => hz)).toEqual(
    rates.toReversed().map((hz) => expect.closeTo(hz, 9)),
  );
  const estimate = async (slowMl: number) => {
    const body = {
      pours: pours.map(({ ticks, hz }: { ticks: number; hz: number }) => ({
        ticks,
        hz,
        final_gravity: 1.01,
        temp_c: 5,
        grams: hz < 75 ? slowMl : 100,
      })),
    };
    return (await staff('post', 'flow-meters/1/calibration-estimate', body).expect(200)).body.result;
  };
  const { rates: different } = await estimate(110);
  expect(different).toMatchObject({ is_different: true, low: { pours: 3 }, high: { pours: 3 } });
  expect(different.low.hz).toBeCloseTo(50, 9);
  expect(different.difference).toBeCloseTo(0.1, 9);
  expect(different.curve.points).toHaveLength(4);
  expect(different.ticks_per_ml).toBeCloseTo(different.high.ticks_per_ml, 9);
  expect((await estimate(100.5)).rates).toMatchObject({ is_different: false });
  expect((await estimate(100)).rates).not.toBeNull();
});

test('pours of about the same rate, or of an unknown one, are not compared', async () => {
  const { staff } = createServerWithStaff();
  const estimate = async (...rates: (number | null)[]) => {
    const pours = rates.map((hz) => ({ ticks: 1_000, volume_ml: 500, hz }));
    return (await staff('post', 'flow-meters/1/calibration-estimate', { pours }).expect(200)).body.result
      .rates;
  };
  expect(await estimate(100, 140, 120)).toBeNull();
  expect(await estimate(null, 100, null)).toBeNull();
  expect(await estimate(100, 200)).not.toBeNull();
});

test('warns of gas in a measured pour and of one that is much warmer than usual', async () => {
  const { staff, engine, record, now } = createServerWithStaff();
  const sensor = '28-0000000000a1';
  for (let hours = 48; hours > 0; hours--) {
    engine.temperatures.log({ sensor, tempC: 5 }, { ...now(), wallMs: openingMs - hours * 3_600_000 });
  }
  record(100);
  const list = async () => (await staff('get', 'flow-meters/1/pours').expect(200)).body.result.pours;
  expect((await list())[0]).toMatchObject({ temp_c: null, usual_temp_c: 5, is_warm: false, has_gas: false });
  engine.temperatures.log({ sensor, tempC: 11 }, now());
  expect((await list())[0]).toMatchObject({ temp_c: 11, usual_temp_c: 5, is_warm: true });
});
