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

const counts = ({ engine }: TestServer) => ({
  drinks: engine.drinks.list({}).total,
  held: engine.drinks.held().length,
});

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
  expect(server.engine.taps.hardware.meters().map(({ ticksTotal }) => ticksTotal)).toEqual([660, 0, 0]);
});

test.each([22, 1_440, 100_000])(
  '%s minutes later, with `now` advanced, it is the same drink',
  async (minutes) => {
    const server = createTestServer();
    await post(server, pour);
    passTime(server, minutes * minuteMs);
    await post(server, { ...pour, now: String(nowSeconds + minutes * 60) });
    expect(counts(server)).toEqual({ drinks: 1, held: 0 });
  },
);

test('a clock that stands still: equal posts within a minute are one pour, later ones are held as possible repeats', async () => {
  const server = createTestServer();
  const frozen = { ...pour, pour_time: '40', now: '41' };
  const ids: number[] = [];
  for (const seconds of [0, 59, 301, 600, 10]) {
    passTime(server, seconds * 1_000);
    ids.push(await postId(server, frozen));
  }
  expect(ids).toEqual([1, 1, 2, 3, 3]);
  expect(counts(server)).toEqual({ drinks: 1, held: 2 });
  expect(server.engine.drinks.held()[0]).toMatchObject({ heldReason: 'possible_repeat', kegId: null });
  expect(server.engine.kegs.get(server.keg.id)?.servedVolumeMl).toBe(330);
});

test('pours of a clock that runs, but is wrong by years, are told apart by their times', async () => {
  const server = createTestServer();
  for (const second of [100, 101, 102])
    await post(server, { ...pour, pour_time: String(second), now: String(second) });
  expect(counts(server)).toEqual({ drinks: 3, held: 0 });
});

test('a clock that was set between both posts: nobody can tell, and the second is held', async () => {
  const server = createTestServer();
  await post(server, { ...pour, pour_time: '40', now: '41' });
  passTime(server, 20_000);
  await post(server, { ...pour, pour_time: '40', now: String(nowSeconds + 20) });
  expect(counts(server)).toEqual({ drinks: 1, held: 1 });
});

test.each<[string, Partial<typeof pour> & { volume_ml?: string }]>([
  ['ticks', { ticks: '661' }],
  ['time of the pour', { pour_time: String(nowSeconds - 6) }],
  ['duration', { duration: '10' }],
  ['volume', { volume_ml: '300' }],
])('another %s is another pour', async (_what, changes) => {
  const server = createTestServer();
  await post(server, pour);
  await post(server, { ...pour, ...changes });
  expect(drinkCount(server)).toBe(2);
});

test('texts do not tell pours apart: a controller may learn meanwhile who drinks', async () => {
  const server = createTestServer();
  const first = await postId(server, pour);
  const changed = { ...pour, username: 'anna', auth_token: 'core.rfid|0089f2c5', shout: 'Prost' };
  expect(await postId(server, changed)).toBe(first);
});

test('a key that was renewed meanwhile is the same sender, another account is another one', async () => {
  const server = createTestServer();
  const renewed = server.engine.users.createKey('anna', 'renewed', server.now()).secret;
  server.engine.users.addUser({ username: 'zoe', isStaff: true }, server.now());
  const other = server.engine.users.createKey('zoe', '', server.now()).secret;
  for (const api_key of [server.staffKey, renewed]) await post(server, { ...pour, api_key });
  expect(drinkCount(server)).toBe(1);
  await post(server, { ...pour, api_key: other });
  expect(drinkCount(server)).toBe(2);
});

test('one pour_id at two meters is two pours', async () => {
  const server = createTestServer();
  await post(server, { ticks: '660', pour_id: '1' });
  await post(server, { ticks: '660', pour_id: '1' }, '/api/v1/taps/pi.flow1');
  expect(drinkCount(server)).toBe(2);
});

test.each<[string, Record<string, string>]>([
  ['other ticks', { ticks: '661' }],
  ['another duration', { duration: '8' }],
  ['a volume', { volume_ml: '330' }],
  ['another end', { pour_time: String(nowSeconds + 500), now: String(nowSeconds + 600) }],
])(
  'a counter of pour_ids that began again: one with %s is recorded beside the first',
  async (_what, changes) => {
    const server = createTestServer();
    await post(server, { ...pour, pour_id: '1' });
    passTime(server, 600_000);
    await post(server, { ...pour, pour_id: '1', now: String(nowSeconds + 600), ...changes });
    expect(counts(server)).toEqual({ drinks: 2, held: 0 });
  },
);

test.each([
  ['advanced', nowSeconds + 90_000],
  ['as it was', nowSeconds],
])('a pour_id is recognized however late, with `now` %s', async (_how, now) => {
  const server = createTestServer();
  await post(server, { ...pour, pour_id: '1' });
  passTime(server, 90_000_000);
  await post(server, { ...pour, pour_id: '1', now: String(now) });
  expect(counts(server)).toEqual({ drinks: 1, held: 0 });
});

test('a spill with a pour_id is counted once, and is not the drink with that id', async () => {
  const server = createTestServer();
  const spill = { ticks: '660', pour_id: '1', spilled: 'true' };
  await post(server, spill);
  await post(server, spill);
  expect(server.engine.kegs.get(server.keg.id)?.spilledVolumeMl).toBe(330);
  await post(server, { ticks: '660', pour_id: '1' });
  expect(drinkCount(server)).toBe(1);
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
  ['2 minutes later', { drinks: 1, held: 0 }, { wallMs: openingMs + 2 * minuteMs, monoMs: minuteMs }],
  // Its age cannot be compared.
  [
    'a minute after it without a clock',
    { drinks: 1, held: 1 },
    { wallMs: 0, monoMs: minuteMs, synced: false },
  ],
])('over a restart of the machine, %s, a repetition makes %o', async (_when, expected, clock) => {
  const server = createTestServer();
  await post(server, pour);
  server.setClock({ bootId: 'boot-2', ...clock });
  await post(server, { ...pour, now: String(nowSeconds + 120) });
  expect(counts(server)).toEqual(expected);
});
