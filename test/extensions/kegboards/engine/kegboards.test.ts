import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/shared/audit.ts';
import { readEvent } from '../../../../src/extensions/kegboards/http/device-events/events.ts';
import { SimulatedBoard } from '../../../kit/simulated-board.ts';
import { createKegboardRig, startMs } from './kegboard-rig.ts';

let rig: ReturnType<typeof createKegboardRig>;

beforeEach(async () => {
  rig = createKegboardRig({ grants: { maxVolumeMl: 1_000, maxDurationMs: 60_000, maxIdleMs: 0 } });
  await rig.open();
});
afterEach(() => rig.remove());

test('a pour belongs to the owner of the token at the time of the grant', async () => {
  const { board, edit, pass } = rig;
  board.attach('fob');
  await board.deliver();
  board.pour(0, 400);
  edit(`UPDATE auth_tokens SET user_id = (SELECT id FROM users WHERE username = 'bert')`);
  pass(3_600_000);
  await board.deliverAll();
  expect(rig.engine.drinks.newest(1)).toMatchObject([{ username: 'anna' }]);
});

test('switching an account off ends its grants and denies new ones', async () => {
  const { board, now } = rig;
  board.attach('fob');
  await board.deliver();
  expect(board.open).toEqual([0, 1]);
  rig.engine.users.accounts.change('anna', { isActive: false }, systemActor, now());
  await board.deliverAll();
  expect(board.open).toEqual([]);
  board.attach('fob');
  await board.deliver();
  expect(board.denied).toEqual(['This account is switched off']);
});

test('disabling or deleting a token ends its grants and denies new ones', async () => {
  const { board, now, engine } = rig;
  const { id } = engine.users.token('core.rfid', 'fob')!;
  const actorContext = () => ({ actor: systemActor, now: now() });
  const reportPour = () => {
    board.pour(0, 10);
    return board.deliverAll();
  };
  board.attach('fob');
  await board.deliver();
  engine.access.tokens.change(id, { niceName: 'Red fob' }, actorContext());
  await reportPour();
  expect(board.open).toEqual([0, 1]);
  engine.access.tokens.change(id, { enabled: false }, actorContext());
  await reportPour();
  expect(board.open).toEqual([]);
  engine.access.tokens.change(id, { enabled: true }, actorContext());
  board.attach('fob');
  await board.deliver();
  expect(board.open).toEqual([0, 1]);
  engine.access.tokens.remove(id, actorContext());
  await reportPour();
  expect(board.open).toEqual([]);
});

test('a grant carries the configured limits; 0 is no limit', async () => {
  rig.board.attach('fob');
  const { body } = await rig.board.deliver();
  expect(body.commands![0]!.data).toMatchObject({ max_volume_ml: 1_000, max_duration_ms: 60_000 });
  expect(body.commands![0]!.data).not.toHaveProperty('max_idle_ms');
});

test('a queued permission to pour expires when the machine reboots', async () => {
  const { board, wire, rebootMachine } = rig;
  board.attach('fob');
  const batch = board.batch();
  expect((await wire(batch, board.token)).body.commands).toHaveLength(1);
  expect((await wire(batch, board.token)).body.commands).toHaveLength(1);
  rebootMachine();
  expect((await wire(batch, board.token)).body.commands).toEqual([]);
});

test('a grant is valid only on its own board', async () => {
  const { board, wire, now } = rig;
  board.attach('fob');
  await board.deliver();
  board.pour(0, 1);
  const { grant_id: grantId } = board.batch().events.at(-1)!.data;
  await board.deliverAll();
  const other = new SimulatedBoard({ device: 'kegboard-other', wire, nowMs: () => now().wallMs });
  other.status('boot');
  await other.deliver();
  rig.kegboards.allow(other.device, {}, now());
  await other.deliver();
  const pour = { meter_number: 0, pour_id: 'stolen', volume_ml: 5, duration_ms: 1, grant_id: grantId };
  other.queueEvent('pour', pour);
  await other.deliverAll();
  expect(rig.engine.drinks.newest(1)).toMatchObject([{ username: 'anna' }]);
  expect(rig.engine.drinks.held()).toMatchObject([{ volumeMl: 5, username: null }]);
});

test('a pour recorded with an unset clock is marked, and gets its true time when the clock is set', async () => {
  const { board, wire, now, pass } = rig;
  board.pour(0, 300);
  pass(60_000);
  const { device, boot_id: bootId, events } = board.batch();
  const unset = { ...now(), synced: false, wallMs: 1_000 };
  const call = {
    device,
    token: board.token,
    address: null,
    batch: { bootId, events: events.map(readEvent) },
  };
  rig.kegboards.recordBatch(call, unset);
  expect(rig.engine.drinks.newest(1)).toMatchObject([{ timeCertain: false, pourTimeMs: 0 }]);
  pass(60_000);
  rig.engine.drinks.clockCorrection.correct(now());
  expect(rig.engine.drinks.newest(1)).toMatchObject([{ timeCertain: true, pourTimeMs: startMs }]);
  expect((await wire(board.batch(), board.token)).status).toBe(200);
});

test('deleting the controller invalidates the board’s token', async () => {
  const { board, edit, now } = rig;
  edit(`PRAGMA foreign_keys = ON; DELETE FROM controllers WHERE name = 'kegboard-0a1b2c'`);
  board.status();
  expect(await board.deliver()).toMatchObject({ status: 401, body: { pairing: { state: 'pending' } } });
  expect(rig.kegboards.list(now())).toEqual([]);
  expect(rig.kegboards.requests(now())).toMatchObject([{ request: { device: board.device } }]);
});

test('a token that was not fetched before a restart of the daemon is lost, and the board is allowed again', async () => {
  const { wire, now, restart } = rig;
  const other = new SimulatedBoard({ device: 'kegboard-other', wire, nowMs: () => now().wallMs });
  other.status('boot');
  await other.deliver();
  rig.kegboards.allow(other.device, {}, now());
  restart();
  expect((await other.deliver()).body.pairing!.state).toBe('pending');
  expect(rig.kegboards.list(now()).map(({ board }) => board.device)).toEqual([rig.board.device]);
  const first = rig.tables.kegboards.byName(other.device)!.controllerId;
  rig.kegboards.allow(other.device, {}, now());
  await other.deliver();
  await other.deliverAll();
  expect(rig.tables.kegboards.byName(other.device)).toMatchObject({ state: 'paired', controllerId: first });
});

test('updates of a running pour are not written, and their ids are stored with the next batch', async () => {
  const { board, tables } = rig;
  const writes = () => tables.cursors.find(board.device, board.bootId)!.toString();
  const before = writes();
  const first = board.queueEvent('pour_update', {
    meter_number: 0,
    pour_id: 'p',
    volume_ml: 9,
    duration_ms: 9,
  });
  await board.deliver();
  expect(writes()).toBe(before);
  board.status();
  await board.deliver();
  expect(writes()).toBe(`0 1-${first + 1}`);
});

test('a token is never stored in the database, also before it is fetched', async () => {
  const { board, tables, wire, now } = rig;
  expect(JSON.stringify(tables.kegboards.all())).not.toContain(board.token);
  const other = new SimulatedBoard({ device: 'kegboard-other', wire, nowMs: () => now().wallMs });
  other.status('boot');
  await other.deliver();
  rig.kegboards.allow(other.device, {}, now());
  const rows = JSON.stringify(tables.kegboards.all());
  await other.deliver();
  expect(other.token).toMatch(/^kbe_/);
  expect(rows).not.toContain(other.token);
});

test('10 000 events delivered after a week are recorded once, each at its own time', async () => {
  const { board, pass } = rig;
  const endedMs = new Map<string, number>();
  for (let minute = 0; minute < 10_000; minute++) {
    pass(60_000);
    if (minute % 10 === 0) endedMs.set(board.pour(0, 300), rig.now().wallMs);
    else board.queueEvent('temperature', { sensor: 'cellar', temp_c: 4 });
  }
  for (let sent = 0; board.queued > 0; sent++) {
    // Every hundredth answer is lost in a power cut.
    await rig.withPowerCut(sent % 100 === 99 ? 'before the answer' : null, () => board.deliver());
  }
  const drinks = rig.engine.drinks.list({ limit: 1_000 });
  expect(drinks.total).toBe(1_000);
  const timeOf = (pourId: string) => {
    const [report] = rig.store.drinks.reportedPours.byAnyId(pourId);
    return drinks.items.find(({ id }) => id === report?.drinkId)?.pourTimeMs;
  };
  for (const [pourId, ms] of endedMs) expect(timeOf(pourId)).toBe(ms);
  expect(rig.engine.site.checkDatabase()).toEqual([]);
}, 60_000);

/** Reports pours of one batch as that boot; returns the volumes of all drinks, in the order of their recording. */
async function reportPours(
  bootId: string,
  events: readonly { id: number; ageMs?: number; pour: { pour_id: string; volume_ml?: number } }[],
) {
  const { device, token } = rig.board;
  const sent = events.map(({ id, ageMs: age_ms = 1_200, pour }) => ({
    id,
    type: 'pour',
    age_ms,
    data: { meter_number: 0, volume_ml: 330, duration_ms: 9_400, ...pour },
  }));
  const batch = { v: 1 as const, device, boot_id: bootId, sent_uptime_ms: 61_250, events: sent };
  expect((await rig.wire(batch, token)).status).toBe(200);
  return rig.engine.drinks
    .newest(100)
    .map(({ volumeMl }) => volumeMl)
    .toReversed();
}

test('two pours of one batch under one event id are both recorded, and not again with the batch', async () => {
  const events = [
    { id: 7, pour: { pour_id: 'a' } },
    { id: 7, pour: { pour_id: 'b', volume_ml: 200 } },
  ];
  for (const seconds of [0, 30, 3_600]) {
    rig.pass(seconds * 1_000);
    expect(await reportPours('boot-a', events)).toEqual([330, 200]);
  }
});

test('a board whose counter of pours begins again at each boot loses none', async () => {
  await reportPours('boot-a', [{ id: 1, pour: { pour_id: '1' } }]);
  rig.pass(60_000);
  expect(await reportPours('boot-b', [{ id: 1, pour: { pour_id: '1' } }])).toEqual([330, 330]);
  const other = { pour_id: '1', volume_ml: 200 };
  expect(await reportPours('boot-b', [{ id: 2, pour: other }])).toEqual([330, 330, 200]);
});

test('a pour that a board reports again under another boot is recorded once', async () => {
  await reportPours('boot-a', [{ id: 1, pour: { pour_id: 'p' } }]);
  rig.pass(3_600_000);
  expect(await reportPours('boot-b', [{ id: 9, ageMs: 3_601_200, pour: { pour_id: 'p' } }])).toEqual([330]);
});

test.each([
  [40, true],
  [365, true],
  [3_652, false],
])(
  'a pour that a board says is %s days old has a certain time: %s; one that is not stretches no keg, and is told',
  async (days, isCertain) => {
    const keg = rig.engine.kegs.list({ limit: 1 }).items[0];
    await reportPours('boot-a', [{ id: 1, ageMs: days * 86_400_000, pour: { pour_id: 'p' } }]);
    const [drink] = rig.engine.drinks.newest(1);
    expect(drink).toMatchObject({
      timeCertain: isCertain,
      pourTimeMs: rig.now().wallMs - days * 86_400_000,
      volumeMl: 330,
    });
    if (keg !== undefined) expect(rig.engine.kegs.get(keg.id)?.startedTimeMs).toBe(keg.startedTimeMs);
    const { problems } = rig.tables.kegboards.byName(rig.board.device)!;
    expect(problems.map(({ code }) => code)).toEqual(isCertain ? [] : ['kegboard_pour_age']);
  },
);
