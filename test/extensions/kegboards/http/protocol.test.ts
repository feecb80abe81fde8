import request from 'supertest';
import { expect, test } from 'vitest';
import { AppError } from '../../../../src/core/app-error.ts';
import type { Engine } from '../../../../src/engine/engine.ts';
import { boardsOf } from '../kit/boards.ts';
import { createServerWithBoard } from './server-with-board.ts';

type ServerWithBoard = ReturnType<typeof createServerWithBoard>;

const path = '/api/device-event';
const status = { state: 'boot', fw_version: '1', uptime_ms: 1, events_dropped: 0, config: {} };
const event = { id: 1, type: 'status', age_ms: 0, data: status };
const batch = { v: 1, device: 'kegboard-1', boot_id: 'b1', sent_uptime_ms: 1, events: [event] };

const post = ({ app }: ServerWithBoard, body: unknown, type = 'application/json') =>
  request(app)
    .post(path)
    .set('Content-Type', type)
    .send(typeof body === 'string' ? body : JSON.stringify(body));

test.each([['/api/device-event'], ['/api/device-event/'], ['/api/kegboard-event']])(
  'accepts batches at %s',
  async (address) => {
    const { app } = createServerWithBoard();
    const { body } = await request(app).post(address).send(batch).expect(401);
    expect(body).toEqual({ pairing: { state: 'pending', code: expect.stringMatching(/^\d{6}$/) } });
  },
);

test.each([
  ['text', 'no beer {', 400, { detail: expect.any(String) }],
  ['a list', [], 400, { error: 'invalid', detail: expect.any(Object) }],
  ['nothing', '', 400, { detail: expect.any(String) }],
  ['no events', { ...batch, events: [] }, 400, { error: 'invalid', detail: { events: expect.any(String) } }],
  ['seventeen events', { ...batch, events: Array(17).fill(event) }, 400, { error: 'invalid' }],
  [
    'an event without data',
    { ...batch, events: [{ id: 1, type: 'x', age_ms: 0 }] },
    400,
    { error: 'invalid' },
  ],
  ['an event of number 0', { ...batch, events: [{ ...event, id: 0 }] }, 400, { error: 'invalid' }],
  ['a name too long', { ...batch, device: 'k'.repeat(65) }, 400, { error: 'invalid' }],
  ['a boot without name', { ...batch, boot_id: '' }, 400, { error: 'invalid' }],
  ['another version', { ...batch, v: 2 }, 400, { error: 'unsupported_version' }],
  ['another version that is also broken', { ...batch, v: 2, events: 1 }, 400, { error: 'invalid' }],
  ['17 KiB', { ...batch, boot_id: 'b'.repeat(17_000) }, 413, { error: 'too_large' }],
])('refuses a body of %s', async (_what, body, code, answer) => {
  const response = await post(createServerWithBoard(), body);
  expect(response.status).toBe(code);
  expect(response.body).toMatchObject(answer);
});

test('refuses a batch with another media type', async () => {
  await post(createServerWithBoard(), batch, 'text/plain').expect(415);
});

test('accepts a batch of exactly 16 KiB', async () => {
  const text = JSON.stringify(batch);
  await post(createServerWithBoard(), text.replace('{', `{${' '.repeat(16_384 - text.length)}`)).expect(401);
});

test('ignores unknown fields and event types, an invalid time and an implausible age', async () => {
  const server = createServerWithBoard();
  const { board, engine } = server;
  await server.pair();
  const pour = { meter_number: 0, pour_id: 'p', volume_ml: 10, duration_ms: 1, foam: true };
  const sent = {
    ...batch,
    boot_id: 'b9',
    later: 1,
    events: [
      { ...event, type: 'foam_level', data: { mm: 3 } },
      { ...event, id: 2, type: 'toString' },
      { id: 3, type: 'pour', age_ms: 1e300, time: 'yesterday', data: pour },
    ],
  };
  await post(server, sent).set('Authorization', `Bearer ${board.token}`).expect(200, { commands: [] });
  expect(engine.drinks.held()).toHaveLength(1);
});

test('an invalid event is set aside and shown as the last error until a valid batch arrives', async () => {
  const server = createServerWithBoard();
  const { board, engine, listBoards } = server;
  await server.pair();
  board.queueEvent('pour', { meter_number: 0, pour_id: 'no volume', duration_ms: 5 });
  board.queueEvent('token', { auth_device: 'core.rfid' });
  board.pour(0, 10);
  const { status: code } = await post(server, board.batch()).set('Authorization', `Bearer ${board.token}`);
  expect(code).toBe(200);
  expect(engine.drinks.held()).toMatchObject([{ volumeMl: 10 }]);
  expect((await listBoards())[0]).toMatchObject({
    problems: [
      expect.objectContaining({ code: 'kegboard_pour_set_aside', params: { fields: 'volume_ml' } }),
      expect.objectContaining({
        code: 'kegboard_event_unusable',
        params: { type: 'token', fields: 'token, action' },
        message: 'An event “token” could not be used: token, action is missing or wrong.',
      }),
    ],
    refused_pours: 1,
  });
  // Sent again, it is not set aside a second time.
  await post(server, board.batch()).set('Authorization', `Bearer ${board.token}`).expect(200);
  expect((await listBoards())[0]).toMatchObject({ problems: [], refused_pours: 1 });
});

test('invalid optional fields of a pour are ignored', async () => {
  const server = createServerWithBoard();
  await server.pair();
  const extras = { ticks: -1, tick_series: 'x', grant_id: '', auth_device: 5, ml_per_tick: 0 };
  const pour = { meter_number: 0, pour_id: 'ein Bier 🍺', volume_ml: 250, duration_ms: 1e15, ...extras };
  const events = [{ id: 90, type: 'pour', age_ms: 0, data: pour }];
  const sent = { ...server.board.batch(), events };
  await post(server, sent).set('Authorization', `Bearer ${server.board.token}`).expect(200);
  expect(server.engine.drinks.held()).toMatchObject([{ volumeMl: 250, ticks: 0, durationMs: 86_400_000 }]);
});

test('a refused batch is recorded for a pending kegboard, but not for a paired one without its token', async () => {
  const server = createServerWithBoard();
  await post(server, { ...batch, device: 'kegboard-9' }).expect(401);
  await post(server, { ...batch, device: 'kegboard-9', v: 7 }).expect(400);
  await server.pair();
  await post(server, { ...batch, device: 'kegboard-0a1b2c', v: 7 }).expect(400);
  await post(server, { ...batch, device: 'never-seen', v: 7 }).expect(400);
  const errors = (await server.listBoards()).map(
    (one: { device: string; problems: readonly { code: string }[] }) => [
      one.device,
      one.problems[0]?.code ?? null,
    ],
  );
  expect(errors).toEqual([
    ['kegboard-9', 'kegboard_protocol_unknown'],
    ['kegboard-0a1b2c', null],
  ]);
});

test('a locked database is 503 and an internal error 500, never 4xx', async () => {
  const server = createServerWithBoard();
  await server.pair();
  const boards = boardsOf(server.engine);
  let fault: Error = new AppError('unavailable', 'Another program holds the database.');
  const engine = {
    ...server.engine,
    serviceOf: (() => ({
      ...boards,
      recordBatch() {
        throw fault;
      },
    })) as Engine['serviceOf'],
  };
  const { app } = createServerWithBoard({ engine });
  await request(app).post(path).send(batch).expect(503, { error: 'unavailable' }).expect('Retry-After', '5');
  fault = new Error('A bug.');
  await request(app).post(path).send(batch).expect(500, { error: 'internal' });
});

test('only POST is allowed, and kegboard routes are for staff only', async () => {
  const { app, guestKey } = createServerWithBoard();
  await request(app).get(path).expect(405).expect('Allow', 'POST');
  await request(app).get('/api/admin/kegboards').expect(401);
  await request(app).get('/api/admin/kegboards').set('X-Kegbot-Api-Key', guestKey).expect(403);
});

test('a kegboard may have 64 meters; pours on further ones are set aside', async () => {
  const server = createServerWithBoard();
  await server.pair();
  for (let i = 0; i < 70; i++) {
    server.board.queueEvent('pour', { meter_number: i, pour_id: `m${i}`, volume_ml: 10, duration_ms: 100 });
  }
  await server.board.deliverAll();
  expect(server.engine.drinks.held()).toHaveLength(64);
  expect((await server.listBoards())[0].refused_pours).toBe(6);
});
