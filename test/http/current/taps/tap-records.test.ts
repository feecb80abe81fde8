import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

const numbersOf = (taps: readonly { tap: { id: string; number: number } }[]) =>
  taps.map(({ tap }) => [tap.id, tap.number]);

test('taps have the same order and numbers in the list, the status, the live page and the legacy API', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const { taps, correction_id: correction } = await anna.send('put', '/tap-order', {
    tap_ids: ['3', 1, 2],
    renumber: true,
  });
  const order = [
    ['3', 1],
    ['1', 2],
    ['2', 3],
  ];
  expect(numbersOf(taps)).toEqual(order);
  expect(numbersOf((await anna.send('get', '/taps')).taps)).toEqual(order);
  expect(numbersOf((await anna.send('get', '/status')).taps)).toEqual(order);
  const legacy = await request(server.app).get('/api/v1/taps').expect(200);
  expect(legacy.body.result.taps.map(({ tap }: { tap: { id: string } }) => tap.id)).toEqual(['3', '1', '2']);
  const kegbot = await request(server.app)
    .get('/api/v1/taps')
    .set('X-Kegbot-Api-Key', server.guestKey)
    .expect(200);
  const places = new Map(
    (kegbot.body.objects as { id: number; sort_order: number }[]).map(({ id, sort_order }) => [
      id,
      sort_order,
    ]),
  );
  expect([places.get(3), places.get(1), places.get(2)]).toEqual([0, 1, 2]);
  await anna.send('post', `/corrections/${correction}/undo`);
  expect(numbersOf((await anna.send('get', '/taps')).taps)).toEqual([
    ['1', 1],
    ['2', 2],
    ['3', 3],
  ]);
});

test('an order without every tap is refused', async () => {
  const anna = createStaffClient(createTestServer());
  expect(await anna.expectError(409, 'put', '/tap-order', { tap_ids: [1, 2] })).toMatchObject({
    reason: { name: 'taps_changed' },
  });
  await anna.expectError(400, 'put', '/tap-order', { tap_ids: Array.from({ length: 201 }, () => 1) });
});

test('a tap has a number of its own, and serving sizes that exist', async () => {
  const anna = createStaffClient(createTestServer());
  const [first] = (await anna.send('get', '/serving-sizes')).serving_sizes;
  expect(
    await anna.send('patch', '/taps/1', { number: 12, serving_size_ids: [String(first.id)] }),
  ).toMatchObject({ tap: { number: 12, serving_size_ids: [first.id] }, correction_id: expect.any(Number) });
  const taken = await anna.expectError(400, 'patch', '/taps/2', { number: 12 });
  expect(taken.fields).toMatchObject({ number: expect.stringContaining('taken') });
  for (const body of [{ number: 1.5 }, { name: ' ' }]) await anna.expectError(400, 'patch', '/taps/1', body);
  await anna.expectError(400, 'patch', '/taps/1', { serving_size_ids: [999] });
});

test('the part of the line before the meter is no longer than the line, and undo restores both', async () => {
  const anna = createStaffClient(createTestServer());
  const line = { line_volume_ml: 385.5, line_to_meter_ml: 40, has_fob: true };
  const { tap, correction_id: correction } = await anna.send('patch', '/taps/1', line);
  expect(tap).toMatchObject(line);
  expect(await anna.send('put', '/taps/1', { name: 'Window' })).toMatchObject({ tap: line });
  await anna.send('patch', '/taps/2', line);
  for (const [body, field] of [
    [{ line_to_meter_ml: 386 }, 'line_to_meter_ml'],
    [{ line_volume_ml: 30 }, 'line_to_meter_ml'],
  ] as const)
    expect(
      (await anna.expectError(400, 'patch', '/taps/1', body)).fields,
      JSON.stringify(body),
    ).toHaveProperty(field);
  const { tap: known } = await anna.send('patch', '/taps/2', { line_volume_ml: null });
  expect(known).toMatchObject({ line_volume_ml: null, line_to_meter_ml: 40 });
  await anna.send('post', `/corrections/${correction}/undo`);
  expect((await anna.send('get', '/taps/1')).tap).toMatchObject({
    line_volume_ml: null,
    line_to_meter_ml: null,
    has_fob: false,
  });
});

test('a deleted tap comes back by undo, and the change log has both', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  await anna.send('post', '/taps/1/end-keg');
  const before = await anna.send('get', '/taps/1');
  const { correction_id: correction } = await anna.send('delete', '/taps/1');
  await anna.expectError(404, 'get', '/taps/1');
  await anna.expectError(404, 'post', '/taps/1/record-drink', { volume_ml: 300 });
  await anna.send('post', `/corrections/${correction}/undo`);
  expect(await anna.send('get', '/taps/1')).toEqual(before);
  const { entries } = await anna.send('get', '/audit?subject_kind=tap&subject_id=1');
  expect(entries.map(({ action }: { action: string }) => action).slice(0, 2)).toEqual([
    'correction.undone',
    'tap.deleted',
  ]);
});

test('a change with the ETag of an older read is refused', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const headers = { 'X-Kegbot-Api-Key': server.staffKey };
  const { headers: read } = await request(server.app).get('/api/taps/2').set(headers).expect(200);
  await anna.send('patch', '/taps/2', { notes: 'sticks' });
  for (const method of ['patch', 'delete'] as const) {
    const sending = request(server.app)
      [method]('/api/taps/2')
      .set({ ...headers, 'If-Match': read.etag! });
    await (method === 'patch' ? sending.send({ name: 'Door' }) : sending).expect(412);
  }
});

test('guests and members cannot change taps', async () => {
  const server = createTestServer();
  for (const headers of [{}, { 'X-Kegbot-Api-Key': server.guestKey }]) {
    const status = 'X-Kegbot-Api-Key' in headers ? 403 : 401;
    await request(server.app)
      .put('/api/tap-order')
      .set(headers)
      .send({ tap_ids: [3, 2, 1] })
      .expect(status);
    await request(server.app).delete('/api/taps/2').set(headers).expect(status);
    await request(server.app).patch('/api/taps/2').set(headers).send({ number: 9 }).expect(status);
  }
});
