import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { scales } from '../../../../src/extensions/scales/extension.ts';
import { withScales } from '../../../../src/extensions/scales/store/scales-store.ts';
import { createPopulatedServer } from '../../../http/current/populated-server.ts';
import { createStaffClient } from '../../../http/current/staff-client.ts';

const minute = 60_000;
const post = '/taps/1/keg-weight';

function createBar() {
  const server = createPopulatedServer();
  const client = createStaffClient(server);
  const startMs = server.now().wallMs;
  return {
    server,
    ...client,
    iso: (afterMs: number) => new Date(startMs + afterMs).toISOString(),
  };
}

describe('POST /api/taps/{ref}/keg-weight', () => {
  test('takes a weight by the tap or its meter, and answers with the scale', async () => {
    const { send } = createBar();
    const { scale, taken } = await send('post', post, { weight_g: 38_250, temp_c: 4.5 });
    expect(taken).toBe(true);
    expect(scale).toMatchObject({
      id: 1,
      name: 'Left',
      tap_id: '1',
      last: { weight_g: 38_250, temp_c: 4.5 },
      by_scale: null,
      by_meter: { remain_ml: expect.any(Number), uncertainty_ml: expect.any(Number) },
      findings: [],
      broken_messages: null,
    });
    const again = await send('post', '/taps/pi.flow0/keg-weight', { weight_g: 38_250 });
    expect(again).toMatchObject({ taken: false, scale: { id: 1 } });
  });

  test('a weight that is sent twice is stored once', async () => {
    const { send, iso } = createBar();
    const late = { weight_g: 38_000, time: iso(-10 * minute) };
    await send('post', post, late);
    await send('post', post, late);
    const { readings } = await send('get', '/scales/1/readings');
    expect(readings).toEqual([{ time: expect.any(String), weight_g: 38_000, temp_c: null }]);
  });

  test.each([
    ['weight_g', { weight_g: -1 }],
    ['weight_g', { weight_g: 300_001 }],
    ['weight_g', { weight_g: 'heavy' }],
    ['weight_g', { weight_g: null }],
    ['weight_g', {}],
    ['temp_c', { weight_g: 1, temp_c: 200 }],
    ['time', { weight_g: 1, time: '2100-01-01T00:00:00Z' }],
    ['time', { weight_g: 1, time: '2020-01-01T00:00:00Z' }],
    ['volume_ml', { weight_g: 1, volume_ml: 300 }],
  ])('a wrong %s is refused by its field: %j', async (field, body) => {
    const { expectError } = createBar();
    expect((await expectError(400, 'post', post, body)).fields).toHaveProperty(field);
  });

  test('NaN and Infinity are no JSON', async () => {
    const { server } = createBar();
    for (const number of ['NaN', 'Infinity', '1e999'])
      await request(server.app)
        .post(`/api${post}`)
        .set({ 'X-Kegbot-Api-Key': server.staffKey, 'Content-Type': 'application/json' })
        .send(`{"weight_g": ${number}}`)
        .expect(400);
  });

  test('needs a key of staff, and a tap that exists', async () => {
    const { server, expectError } = createBar();
    await request(server.app).post(`/api${post}`).send({ weight_g: 1 }).expect(401);
    await expectError(404, 'post', '/taps/99/keg-weight', { weight_g: 1 });
  });

  test('records no drink', async () => {
    const { send } = createBar();
    const before = (await send('get', '/drinks')).paging.total;
    for (const weight of [38_000, 30_000, 20_000]) await send('post', post, { weight_g: weight });
    expect((await send('get', '/drinks')).paging.total).toBe(before);
  });
});

describe('a scale', () => {
  test('is created, read, changed and deleted; change and deletion can be undone', async () => {
    const { create, send } = createBar();
    const { scale } = await create('/scales', {
      name: 'Keg scale',
      tap_id: 1,
      topic: 'bar/scale',
      unit: 'kg',
    });
    expect(scale).toMatchObject({ id: 1, topic: 'bar/scale', unit: 'kg', empty_weight_g: null, last: null });
    const changed = await send('patch', '/scales/1', { empty_weight_g: 9_400 });
    expect(changed).toMatchObject({ scale: { topic: 'bar/scale', empty_weight_g: 9_400 } });
    await send('post', `/corrections/${changed.correction_id}/undo`);
    expect((await send('get', '/scales/1')).scale.empty_weight_g).toBeNull();
    const deleted = await send('delete', '/scales/1');
    expect((await send('get', '/scales')).scales).toEqual([]);
    await send('post', `/corrections/${deleted.correction_id}/undo`);
    expect((await send('get', '/scales')).scales).toMatchObject([{ id: 1, name: 'Keg scale' }]);
  });

  test('with the weight of its empty keg tells what is left beside the meter', async () => {
    const { send } = createBar();
    await send('post', post, { weight_g: 38_250 });
    const { scale } = await send('patch', '/scales/1', { empty_weight_g: 9_400 });
    // 28.85 kg of beer.
    expect(scale.by_scale).toEqual({
      remain_ml: expect.closeTo(28_695, 0),
      uncertainty_ml: expect.any(Number),
    });
    expect(scale.by_meter.remain_ml).not.toBe(scale.by_scale.remain_ml);
  });

  test.each([
    ['topic', { topic: 'bar/+/weight' }],
    ['tap_id', { tap_id: 99 }],
    ['unit', { unit: 'lb' }],
    ['empty_weight_g', { empty_weight_g: 300_001 }],
  ])('with a wrong %s is refused', async (field, body) => {
    const { expectError } = createBar();
    const { fields } = await expectError(400, 'post', '/scales', { name: 'A', ...body });
    expect(fields).toHaveProperty(field);
  });

  test('that does not exist is 404, and guests see none', async () => {
    const { server, expectError } = createBar();
    for (const path of ['/scales/9', '/scales/9/readings', '/scales/9/findings'])
      await expectError(404, 'get', path);
    await expectError(404, 'post', '/scale-findings/9/close', {});
    await request(server.app).get('/api/scales').expect(401);
  });
});

test('a name is one character or longer', async () => {
  const { create, expectError } = createBar();
  expect(Object.keys((await expectError(400, 'post', '/scales', { name: '' })).fields)).toEqual(['name']);
  expect(await create('/scales', { name: '7' })).toMatchObject({ scale: { name: '7' } });
});

test('a month of weights is listed with at most 1440 points', async () => {
  const { server, send, iso } = createBar();
  await send('post', post, { weight_g: 38_000 });
  const now = server.now();
  for (let index = 1; index < 3_000; index++)
    server.engine
      .serviceOf(scales)
      .scales.receive(1, { weightG: index, timeMs: now.wallMs - index * 10 * minute }, now);
  const { minutes, readings } = await send('get', `/scales/1/readings?since=${iso(-30 * 1_440 * minute)}`);
  expect(minutes).toBe(31);
  expect(readings.length).toBeLessThanOrEqual(1_440);
  expect(readings.length).toBeGreaterThan(600);
  const times = readings.map(({ time }: { time: string }) => time);
  expect(times).toEqual([...times].sort());
});

test('a finding is listed, closed and opened again', async () => {
  const { server, send } = createBar();
  await send('post', post, { weight_g: 38_000 });
  const figures = { scaleMl: 9_000, meterMl: 0, uMl: 10, ratio: null };
  const timeMs = server.now().wallMs;
  withScales(server.store).scaleFindings.add({ scaleId: 1, kind: 'keg_moved', kegId: 1, timeMs, ...figures });
  expect((await send('get', '/scales/1')).scale.findings).toMatchObject([
    { kind: 'keg_moved', scale_ml: 9_000, meter_ml: 0, uncertainty_ml: 20, ended_time: null },
  ]);
  const { finding } = await send('post', '/scale-findings/1/close', {});
  expect(finding.ended_time).not.toBeNull();
  expect((await send('get', '/scales/1')).scale.findings).toEqual([]);
  await send('post', '/scale-findings/1/close', { closed: false });
  expect((await send('get', '/scales/1/findings')).findings).toMatchObject([{ id: 1, ended_time: null }]);
});
