import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer, openingMs, type TestServer } from '../test-server.ts';

const nowSeconds = openingMs / 1000;
const minuteMs = 60_000;

/** A pour that ended 3 s ago by the controller's clock. */
const pour = {
  ticks: '660',
  pour_time: String(nowSeconds - 3),
  now: String(nowSeconds),
  duration: '9',
  username: 'bert',
  auth_token: 'core.rfid|0089f2c4',
};

const post = (server: TestServer, fields: Record<string, string>, path = '/api/v1/taps/pi.flow0') =>
  request(server.app)
    .post(path)
    .type('form')
    .send({ api_key: server.staffKey, ...fields })
    .expect(200);

/** Posts and returns the id of the drink in the answer. */
const postId = async (...args: Parameters<typeof post>): Promise<number> =>
  (await post(...args)).body.result.drink.id;

const drinkCount = (server: TestServer) => server.engine.drinks.list({}).total;

function passTime(server: TestServer, ms: number): void {
  const { monoMs, wallMs } = server.now();
  server.setClock({ monoMs: monoMs + ms, wallMs: wallMs + ms });
}

test('a pour sent again after a time-out returns the first drink', async () => {
  const server = createTestServer();
  const first = await post(server, pour);
  passTime(server, 10_000);
  // The controller states the same end of the pour and reads its clock again.
  const again = await post(server, { ...pour, now: String(nowSeconds + 10) });
  expect(again.body).toEqual(first.body);
  expect(drinkCount(server)).toBe(1);
  expect(server.engine.kegs.get(server.keg.id)?.servedVolumeMl).toBe(330);
});

test('a repeated pour publishes no event and counts no ticks of the meter', async () => {
  const server = createTestServer();
  const recorded: object[] = [];
  server.bus.on('drink.recorded', (event) => recorded.push(event));
  await post(server, pour);
  await post(server, pour);
  expect(recorded).toHaveLength(1);
  expect(server.engine.hardware.meters().map(({ ticksTotal }) => ticksTotal)).toEqual([660, 0, 0]);
});

test.each([
  ['14 minutes and 59 s', 'the same drink', 15 * minuteMs - 1_000, 1],
  ['15 minutes and 1 s', 'another drink', 15 * minuteMs + 1_000, 2],
])('after %s a repetition is %s', async (_time, _which, ms, drinks) => {
  const server = createTestServer();
  await post(server, pour);
  passTime(server, ms);
  await post(server, pour);
  expect(drinkCount(server)).toBe(drinks);
});

test('the 15 minutes count from the first post, also after repetitions and for the next drink', async () => {
  const server = createTestServer();
  const ids: number[] = [];
  for (let minute = 0; minute <= 25; minute += 5) {
    ids.push(await postId(server, pour));
    passTime(server, 5 * minuteMs);
  }
  expect(ids).toEqual([1, 1, 1, 1, 2, 2]);
});

test.each<[string, Partial<typeof pour> & { volume_ml?: string }]>([
  ['ticks', { ticks: '661' }],
  ['time of the pour', { pour_time: String(nowSeconds - 4) }],
  ['duration', { duration: '10' }],
  ['user', { username: 'anna' }],
  ['token', { auth_token: 'core.rfid|0089f2c5' }],
  ['volume', { volume_ml: '300' }],
])('another %s is another pour', async (_what, changes) => {
  const server = createTestServer();
  await post(server, pour);
  await post(server, { ...pour, ...changes });
  expect(drinkCount(server)).toBe(2);
});

test('equal values of two meters are two pours', async () => {
  const server = createTestServer();
  await post(server, pour);
  await post(server, pour, '/api/v1/taps/pi.flow1');
  expect(drinkCount(server)).toBe(2);
});

test('the tap’s id, its meter’s name and the old path name the same tap', async () => {
  const server = createTestServer();
  const paths = ['/api/v1/taps/pi.flow0', '/api/v1/taps/1', '/api/v1/tap/1/'];
  const ids = await Promise.all(paths.map((path) => postId(server, pour, path)));
  expect(ids).toEqual([1, 1, 1]);
});

test('without a pour_time, or with that of a clock that was never set, nothing is assumed', async () => {
  const server = createTestServer();
  const { pour_time: _time, now: _now, ...plain } = pour;
  for (const fields of [plain, { ...plain, pour_time: '0', now: '0' }]) {
    await post(server, fields);
    await post(server, fields);
  }
  expect(drinkCount(server)).toBe(4);
});

test('two pours with one pour_time and two pour_ids are two pours', async () => {
  const server = createTestServer();
  await post(server, { ...pour, pour_id: 'a' });
  await post(server, { ...pour, pour_id: 'b' });
  expect(drinkCount(server)).toBe(2);
});

test('a repetition does not bring back a cancelled drink and returns it as it was', async () => {
  const server = createTestServer();
  const id = await postId(server, pour);
  server.engine.drinks.cancel(id, { spilled: true }, server.now());
  const again = await post(server, pour);
  expect(again.body.result.drink).toMatchObject({ id, ticks: 660, is_valid: false });
  expect(drinkCount(server)).toBe(0);
  expect(server.engine.kegs.get(server.keg.id)?.spilledVolumeMl).toBe(330);
});

test('a repetition returns a drink that staff gave to another user meanwhile', async () => {
  const server = createTestServer();
  const id = await postId(server, pour);
  server.engine.drinks.reassign(id, { username: 'anna' }, server.now());
  const again = await post(server, pour);
  expect(again.body.result.drink).toMatchObject({ id, user_id: 'anna' });
  expect(drinkCount(server)).toBe(1);
});

test('is recognized when the clock is set between both posts', async () => {
  const server = createTestServer();
  server.setClock({ wallMs: openingMs - 86_400_000, synced: false });
  await post(server, pour);
  server.setClock({ monoMs: server.now().monoMs + 20_000, wallMs: openingMs, synced: true });
  await post(server, pour);
  expect(drinkCount(server)).toBe(1);
});

test.each([
  ['2 minutes later', 'the same drink', { wallMs: openingMs + 2 * minuteMs, monoMs: minuteMs }, 1],
  ['an hour later', 'another drink', { wallMs: openingMs + 60 * minuteMs, monoMs: minuteMs }, 2],
  ['1 minute after it without a clock', 'the same drink', { wallMs: 0, monoMs: minuteMs, synced: false }, 1],
  [
    '1 hour after it without a clock',
    'another drink',
    { wallMs: 0, monoMs: 60 * minuteMs, synced: false },
    2,
  ],
])('over a restart of the machine, %s, a repetition is %s', async (_when, _which, clock, drinks) => {
  const server = createTestServer();
  await post(server, pour);
  server.setClock({ bootId: 'boot-2', ...clock });
  await post(server, pour);
  expect(drinkCount(server)).toBe(drinks);
});
