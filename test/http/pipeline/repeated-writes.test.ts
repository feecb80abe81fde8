import request from 'supertest';
import { expect, test } from 'vitest';
import type { ValidatedRequest } from '../../../src/http/pipeline/context.ts';
import { createRepeatedWrites } from '../../../src/http/pipeline/repeated-writes.ts';
import { createTestServer, openingMs } from '../test-server.ts';

const minute = 60_000;

function createServer() {
  const server = createTestServer();
  server.engine.users.addUser({ username: 'carl', isStaff: true }, server.now());
  const carlKey = server.engine.users.createKey('carl', 'test', server.now()).secret;
  const post = (path: string, body: object, idempotencyKey: string, key = server.staffKey) =>
    request(server.app)
      .post(`/api/${path}`)
      .set('X-Kegbot-Api-Key', key)
      .set('Idempotency-Key', idempotencyKey)
      .send(body);
  const producers = () =>
    server.engine.lists
      .producers({})
      .items.map(({ name }) => name)
      .filter((name) => name !== 'Hausbrauerei');
  return { ...server, carlKey, post, producers };
}

test('a write that is repeated with its key changes nothing and gets the first answer', async () => {
  const { post, producers, engine } = createServer();
  const first = await post('beverage-producers', { name: 'Zötler' }, 'a').expect(201);
  const second = await post('beverage-producers', { name: 'Zötler' }, 'a').expect(201);
  expect(second.body).toEqual(first.body);
  expect(second.headers['content-type']).toBe(first.headers['content-type']);
  expect(producers()).toEqual(['Zötler']);
  expect(engine.audit.list({}).total).toBe(1);
});

test('the end of a keg is repeated without an error', async () => {
  const { post } = createServer();
  const first = await post('taps/1/end-keg', {}, 'end').expect(200);
  expect((await post('taps/1/end-keg', {}, 'end').expect(200)).body).toEqual(first.body);
  expect((await post('taps/1/end-keg', {}, 'end again').expect(400)).body.error.fields).toHaveProperty(
    'Idempotency-Key',
  );
  await post('taps/1/end-keg', {}, 'end-again').expect(409);
});

test('a key that was used for a different request is refused, and nothing is changed', async () => {
  const { post, producers } = createServer();
  await post('beverage-producers', { name: 'Zötler' }, 'a').expect(201);
  for (const [path, body] of [
    ['beverage-producers', { name: 'Meckatzer' }],
    ['beverages', { name: 'Zötler', producer_id: 1 }],
  ] as const) {
    const reply = await post(path, body, 'a').expect(409);
    expect(reply.body.error.reason).toEqual({ name: 'idempotency_key_reused' });
  }
  expect(producers()).toEqual(['Zötler']);
});

test('the same key of another user is another request', async () => {
  const { post, producers, carlKey } = createServer();
  await post('beverage-producers', { name: 'Zötler' }, 'a').expect(201);
  await post('beverage-producers', { name: 'Meckatzer' }, 'a', carlKey).expect(201);
  expect(producers()).toHaveLength(2);
});

test('a refused request can be repeated with its key after the reason is gone', async () => {
  const { post, engine, left, now } = createServer();
  await post(`taps/${left.id}/attach-keg`, { keg_id: 2 }, 'attach').expect(400);
  engine.kegs.end(1, now());
  engine.kegs.create(
    { beverage: { name: 'Pils', producerName: 'Hausbrauerei', styleName: 'Pils' }, sizeKey: 'euro-30-liter' },
    now(),
  );
  await post(`taps/${left.id}/attach-keg`, { keg_id: 2 }, 'attach').expect(200);
});

test('the answer is kept for fifteen minutes', async () => {
  const { post, producers, setClock } = createServer();
  const opened = 60 * minute;
  await post('beverage-producers', { name: 'Zötler' }, 'a').expect(201);
  setClock({ monoMs: opened + 15 * minute - 1, wallMs: openingMs + 15 * minute - 1 });
  await post('beverage-producers', { name: 'Zötler' }, 'a').expect(201);
  expect(producers()).toHaveLength(1);
  setClock({ monoMs: opened + 15 * minute, wallMs: openingMs + 15 * minute });
  await post('beverage-producers', { name: 'Meckatzer' }, 'a').expect(201);
  expect(producers()).toHaveLength(2);
});

/** A write of a user as the table of answers sees it. */
const write = (key: string, userId = 1) =>
  ({
    api: { keepsAnswers: true },
    route: { id: 'createTap' },
    writes: true,
    request: { headers: { 'idempotency-key': key } },
    caller: { kind: 'key', user: { id: userId } },
    input: { params: {}, query: {}, body: {} },
    now: { monoMs: 0 },
  }) as unknown as ValidatedRequest;

test('while a request is running its repetition is refused', () => {
  const writes = createRepeatedWrites();
  expect(writes.begin(write('a'))).toBeNull();
  expect(() => writes.begin(write('a'))).toThrow(/still running/);
  writes.finish(write('a'), { status: 201, json: '{}' });
  writes.fail(write('a'));
  expect(writes.begin(write('a'))).toEqual({ status: 201, json: '{}' });
});

test('one user pushes out only own answers, the oldest first', () => {
  const writes = createRepeatedWrites();
  const answer = { status: 200, json: '{}' };
  const send = (key: string, userId: number) => {
    if (writes.begin(write(key, userId)) === null) writes.finish(write(key, userId), answer);
  };
  send('a', 2);
  for (let i = 0; i < 300; i++) send(`k${i}`, 1);
  expect(writes.begin(write('a', 2))).toEqual(answer);
  expect(writes.begin(write('k299'))).toEqual(answer);
  expect(writes.begin(write('k99'))).toBeNull();
});
