import request from 'supertest';
import { expect, test } from 'vitest';
import { listen } from '../../../http/live/streams.ts';
import { createServerWithBoard } from './server-with-board.ts';

const second = 1_000;
const blue = '0089f2c4';

/** A server with a paired kegboard on a tap; Anna owns a blue fob. */
async function createPairedServer(change: Parameters<typeof createServerWithBoard>[0] = {}) {
  const server = createServerWithBoard(change);
  await server.pair();
  server.connectMeter();
  const { engine, nowMs } = server;
  const moment = () => ({ monoMs: 3_600_000, wallMs: nowMs(), synced: true, bootId: 'boot-1' });
  engine.access.tokens.create({ device: 'core.rfid', value: blue, username: 'anna' }, moment());
  return { ...server, moment };
}

const authorizeCommands = ({ body }: { body: { commands?: readonly { type: string; data: object }[] } }) =>
  (body.commands ?? []).filter(({ type }) => type === 'authorize');

test('a known token gets a grant in the same reply, and the pour belongs to its owner', async () => {
  const { board, engine } = await createPairedServer();
  board.attach('0089F2C4');
  const answer = await board.deliver();
  expect(authorizeCommands(answer)).toMatchObject([
    {
      data: {
        meter_numbers: [0, 1],
        relay_numbers: [],
        max_idle_ms: 30_000,
        auth_device: 'core.rfid',
        token: '0089F2C4',
      },
    },
  ]);
  expect(board.open).toEqual([0, 1]);
  board.pour(0, 400);
  expect((await board.deliver()).body).toEqual({ commands: [] });
  expect(engine.drinks.newest(1)).toMatchObject([{ username: 'anna', authToken: 'core.rfid|0089f2c4' }]);
});

test('a grant includes the relay of the tap', async () => {
  const { board, engine, right } = await createPairedServer();
  const relay = engine.taps.hardware.toggles().find(({ name }) => name === 'kegboard-0a1b2c.relay0')!;
  engine.taps.connectToggle(right.id, relay.id);
  board.attach(blue);
  expect(authorizeCommands(await board.deliver())).toMatchObject([{ data: { relay_numbers: [0] } }]);
});

test('a grant leaves out meters missing on the kegboard, and staff get a warning', async () => {
  const { board, listBoards } = await createPairedServer();
  board.status('heartbeat', { meters: [{ meter_number: 1, total_ticks: 0, ml_per_tick: 0.2 }] });
  board.attach(blue);
  expect(authorizeCommands(await board.deliver())).toMatchObject([{ data: { meter_numbers: [1] } }]);
  expect((await listBoards())[0].warnings).toMatchObject([
    { code: 'kegboard_part_missing', params: { part: 'kegboard-0a1b2c.flow0' } },
  ]);
});

test('a pour without a grant has no user, even with a token', async () => {
  const { board, engine } = await createPairedServer();
  const token = { auth_device: 'core.rfid', auth_token: blue };
  const pour = { meter_number: 0, volume_ml: 100, duration_ms: 2_000, ...token };
  board.queueEvent('pour', { ...pour, pour_id: 'plain' });
  board.queueEvent('pour', { ...pour, pour_id: 'strange', grant_id: 'g_nobody' });
  await board.deliverAll();
  expect(engine.drinks.newest(2).map(({ username, authToken }) => [username, authToken])).toEqual([
    [null, `core.rfid|${blue}`],
    [null, `core.rfid|${blue}`],
  ]);
});

test('an unknown token is denied and listed for staff until it is added', async () => {
  const { board, sendAsStaff, engine, moment } = await createPairedServer();
  board.attach('BEEFBEEF');
  await board.deliver();
  expect(board.denied).toEqual(['Unknown token']);
  const listed = async () =>
    (await sendAsStaff('get', 'unknown-tokens').expect(200)).body.result.unknown_tokens;
  expect(await listed()).toMatchObject([
    { auth_device: 'core.rfid', token_value: 'beefbeef', device: 'kegboard-0a1b2c', times: 1 },
  ]);
  engine.access.tokens.create({ device: 'core.rfid', value: 'beefbeef', username: 'bert' }, moment());
  expect(await listed()).toEqual([]);
});

test('an unknown token is forgotten until it is presented again, and a known one is not', async () => {
  const { board, sendAsStaff, engine, moment } = await createPairedServer();
  const listed = async (): Promise<{ id: string; times: number }[]> =>
    (await sendAsStaff('get', 'unknown-tokens').expect(200)).body.result.unknown_tokens;
  const forget = (id: string) => sendAsStaff('delete', `unknown-tokens/${encodeURIComponent(id)}`);
  const present = async () => {
    board.attach('BEEFBEEF');
    board.detach('BEEFBEEF');
    await board.deliver();
  };
  await present();
  const id = 'core.rfid|beefbeef';
  expect(await listed()).toMatchObject([{ id }]);
  await forget(id).expect(200);
  expect(await listed()).toEqual([]);
  await forget(id).expect(404);
  await present();
  expect(await listed()).toMatchObject([{ id, times: 1 }]);
  engine.access.tokens.create({ device: 'core.rfid', value: 'beefbeef', username: 'bert' }, moment());
  await forget(id).expect(404);
  expect(engine.users.token('core.rfid', 'beefbeef')?.lastSeen?.device).toBe('kegboard-0a1b2c');
});

test.each([
  ['switched off', { enabled: false }, 'Token is disabled'],
  ['expired', { expireTimeMs: 1 }, 'Token has expired'],
  ['unassigned', {}, 'Token not assigned to a user'],
])('denies a token that is %s, with the reason', async (_what, fields, reason) => {
  const { board, engine, moment } = await createPairedServer();
  const owner = 'enabled' in fields || 'expireTimeMs' in fields ? { username: 'bert' } : {};
  engine.access.tokens.create({ device: 'core.rfid', value: 'cafe', ...owner, ...fields }, moment());
  board.attach('cafe');
  await board.deliver();
  expect(board.denied).toEqual([reason]);
  expect(board.open).toEqual([]);
});

test('denies a token on a kegboard without meters', async () => {
  const server = createServerWithBoard();
  server.board.queueEvent('temperature', { sensor: 't', temp_c: 4 });
  await server.board.deliver();
  await server.sendAsStaff('post', 'kegboards/kegboard-0a1b2c/allow').expect(200);
  await server.board.deliver();
  server.engine.access.tokens.create(
    { device: 'core.rfid', value: blue, username: 'anna' },
    { monoMs: 0, wallMs: server.nowMs(), synced: true, bootId: 'boot-1' },
  );
  server.board.attach(blue);
  await server.board.deliverAll();
  expect(server.board.denied).toEqual(['This board has no meters yet']);
});

test('denies a token presented more than 30 s ago', async () => {
  const { board, advanceClock } = await createPairedServer();
  board.attach(blue);
  advanceClock(31 * second);
  await board.deliver();
  expect(board.denied).toEqual(['Presented too long ago']);
  expect(board.open).toEqual([]);
});

test('a grant not acknowledged for a minute is not sent any more', async () => {
  const { board, wire, advanceClock, moment, setClock } = await createPairedServer();
  board.attach(blue);
  const batch = board.batch();
  expect(authorizeCommands(await wire(batch, board.token))).toHaveLength(1);
  const heartbeat = () => {
    board.status();
    return wire({ ...board.batch(), events: [board.batch().events.at(-1)!] }, board.token);
  };
  advanceClock(30 * second);
  expect(authorizeCommands(await heartbeat())).toHaveLength(1);
  advanceClock(31 * second);
  expect(authorizeCommands(await heartbeat())).toEqual([]);
  // Setting the wall clock back does not extend the minute.
  setClock({ wallMs: moment().wallMs - 3_600_000 });
  expect(authorizeCommands(await heartbeat())).toEqual([]);
});

test('a rebooted kegboard gets no grant of its previous boot', async () => {
  const { board, wire } = await createPairedServer();
  board.attach(blue);
  await wire(board.batch(), board.token);
  const before = board.batch();
  board.reboot();
  expect(authorizeCommands(await board.deliver())).toEqual([]);
  // A delayed presentment of the previous boot.
  expect(authorizeCommands(await wire(before, board.token))).toEqual([]);
  const [event] = before.events;
  expect(authorizeCommands(await wire({ ...before, events: [{ ...event!, id: 500 }] }, board.token))).toEqual(
    [],
  );
});

test('a detached token gets no grant', async () => {
  const { board, wire } = await createPairedServer();
  board.attach(blue);
  board.detach(blue);
  expect(authorizeCommands(await wire(board.batch(), board.token))).toEqual([]);
});

test('deauthorize is sent until the kegboard acknowledges it', async () => {
  const { board, sendAsStaff, wire } = await createPairedServer();
  board.attach(blue);
  await board.deliverAll();
  expect(board.open).toEqual([0, 1]);
  await sendAsStaff('post', 'kegboards/kegboard-0a1b2c/deauthorize').expect(202);
  board.status();
  const lost = await wire(board.batch(), board.token);
  expect(lost.body.commands).toMatchObject([{ type: 'deauthorize', data: {} }]);
  await board.deliverAll();
  expect(board.open).toEqual([]);
  board.status();
  expect((await board.deliver()).body).toEqual({ commands: [] });
  await sendAsStaff('post', 'kegboards/deauthorize').expect(202);
  board.status();
  expect((await board.deliver()).body.commands).toHaveLength(1);
});

test('closing a toggle of a kegboard sends deauthorize', async () => {
  const valves = { openManually() {}, shut() {}, open: () => [] };
  const { board, app, engine, staffKey } = await createPairedServer({ services: { valves } });
  board.attach(blue);
  await board.deliverAll();
  expect(board.open).toEqual([0, 1]);
  const { id } = engine.taps.hardware.toggles().find(({ name }) => name === 'kegboard-0a1b2c.relay0')!;
  const shut = await request(app).post(`/api/flow-toggles/${id}/close`).set('X-Kegbot-Api-Key', staffKey);
  expect(shut.body).toEqual({ result: { board: 'kegboard-0a1b2c' } });
  board.status();
  await board.deliverAll();
  expect(board.open).toEqual([]);
});

test('the reply to many presentments stays within 8 KiB', async () => {
  const { board } = await createPairedServer();
  for (let i = 0; i < 16; i++) board.attach('f'.repeat(600));
  const { body } = await board.deliver();
  expect(body.commands!.length).toBeGreaterThan(1);
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(8_192);
  await board.deliverAll();
  expect(board.denied).toHaveLength(16);
});

test('one presentment sent on six connections at once creates one grant', async () => {
  const { app, board, store } = await createPairedServer();
  const server = await listen(app);
  try {
    board.attach(blue);
    const batch = board.batch();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        request(server.url)
          .post('/api/device-event')
          .set('Authorization', `Bearer ${board.token}`)
          .send(batch),
      ),
    );
    const grants = new Set(
      answers.flatMap(({ body }) => authorizeCommands({ body }).map(({ data }) => JSON.stringify(data))),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(grants.size).toBe(1);
    const anna = store.users.byName('anna')!;
    expect(store.access.grants.liveByUser(anna.id)).toHaveLength(1);
  } finally {
    await server.close(0);
  }
});

test('the number of no card is denied, listed nowhere, and told to whoever counts unreadable cards', async () => {
  const { board, bus, sendAsStaff } = await createPairedServer();
  const reported: string[] = [];
  bus.on('token.reported', ({ controller, value }) => reported.push(`${controller} ${value}`));
  for (const token of ['00:00:00:00', '0x0', blue]) board.attach(token);
  await board.deliverAll();
  expect(board.denied).toEqual(['The card could not be read', 'The card could not be read']);
  expect((await sendAsStaff('get', 'unknown-tokens').expect(200)).body.result.unknown_tokens).toEqual([]);
  expect(reported).toEqual(['00:00:00:00', '0x0', blue].map((token) => `kegboard-0a1b2c ${token}`));
});
