import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCellar } from './board-cellar.ts';

let cellar: ReturnType<typeof openCellar>;

beforeEach(async () => {
  cellar = openCellar({ grants: { maxVolumeMl: 1_000, maxDurationMs: 60_000, maxIdleMs: 0 } });
  await cellar.open();
});
afterEach(() => cellar.remove());

test('whom a token belonged to at the tap decides, not who has it by now', async () => {
  const { board, edit, pass } = cellar;
  board.attach('fob');
  await board.deliver();
  board.pour(0, 400);
  edit(`UPDATE auth_tokens SET user_id = (SELECT id FROM users WHERE username = 'bert')`);
  pass(3_600_000);
  await board.deliverAll();
  expect(cellar.engine.drinks.newest(1)).toMatchObject([{ username: 'anna' }]);
});

test('somebody whose account is switched off pours no more, and their grants can be ended', async () => {
  const { board, edit, now } = cellar;
  board.attach('fob');
  await board.deliver();
  expect(board.open).toEqual([0, 1]);
  edit(`UPDATE users SET is_active = 0 WHERE username = 'anna'`);
  cellar.engine.devices.closeTapsOf('anna', now());
  await board.deliverAll();
  expect(board.open).toEqual([]);
  board.attach('fob');
  await board.deliver();
  expect(board.denied).toEqual(['This account is switched off']);
});

test('a grant carries the limits of the house; 0 is none', async () => {
  cellar.board.attach('fob');
  const { body } = await cellar.board.deliver();
  expect(body.commands![0]!.data).toMatchObject({ max_volume_ml: 1_000, max_duration_ms: 60_000 });
  expect(body.commands![0]!.data).not.toHaveProperty('max_idle_ms');
});

test('a token dies with its controller', async () => {
  const { board, edit, now } = cellar;
  edit(`PRAGMA foreign_keys = ON; DELETE FROM controllers WHERE name = 'kegboard-0a1b2c'`);
  board.status();
  expect(await board.deliver()).toMatchObject({ status: 401, body: { pairing: { state: 'pending' } } });
  expect(cellar.engine.devices.roster(now())).toMatchObject([{ board: { state: 'pending' } }]);
});

test('a running pour costs the card no write, and its events are not asked for again', async () => {
  const { board, store } = cellar;
  const writes = () => store.deviceCursors.find(board.device, board.bootId)!.toString();
  const before = writes();
  const first = board.note('pour_update', { meter_number: 0, pour_id: 'p', volume_ml: 9, duration_ms: 9 });
  await board.deliver();
  expect(writes()).toBe(before);
  board.status();
  await board.deliver();
  expect(writes()).toBe(`0 1-${first + 1}`);
});

test('the token is nowhere in the ledger once it was fetched', async () => {
  const { board, store } = cellar;
  const row = store.devices.byName(board.device)!;
  expect(row.stagedToken).toBeNull();
  expect(JSON.stringify(row)).not.toContain(board.token);
});

test('seven days of outage: ten thousand pours come late, each once, at their own time', async () => {
  const { board, pass } = cellar;
  const days = 7 * 24 * 3_600_000;
  for (let i = 0; i < 10_000; i++) board.pour(0, 1, { agoMs: -i * 60 });
  const queued = board.queued;
  pass(days);
  let sent = 0;
  while (board.queued > 0) {
    // Every hundredth answer is lost with the power.
    await cellar.during(sent++ % 100 === 99 ? 'before the answer' : null, () => board.deliver());
  }
  expect(queued).toBe(10_000);
  expect(cellar.engine.drinks.list({ limit: 1 }).total).toBe(10_000);
  expect(cellar.engine.checkLedger()).toEqual([]);
}, 120_000);
