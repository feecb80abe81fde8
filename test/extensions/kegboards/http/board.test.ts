import { expect, test } from 'vitest';
import { listen, watch } from '../../../http/live/streams.ts';
import { boardsOf } from '../kit/boards.ts';
import { createServerWithBoard } from './server-with-board.ts';

const minute = 60_000;

test('a kegboard is paired, fetches its token once and sends its queued events', async () => {
  const { board, sendAsStaff, engine, listBoards } = createServerWithBoard();
  board.status('boot');
  const { code } = (await board.deliver()).body.pairing as { code: string };
  expect(code).toMatch(/^\d{6}$/);
  expect(await listBoards()).toMatchObject([
    { device: 'kegboard-0a1b2c', state: 'pending', ip: '127.0.0.1', controller_id: null, code },
  ]);
  expect((await board.deliver()).body).toEqual({ pairing: { state: 'pending', code } });
  await sendAsStaff('post', 'kegboards/kegboard-0a1b2c/allow').expect(200);
  await board.deliver();
  expect(board.token).toMatch(/^kbe_[0-9a-f]{40}$/);
  expect(board.queued).toBe(1);
  await board.deliverAll();
  expect(engine.taps.hardware.meters().map(({ name }) => name)).toContain('kegboard-0a1b2c.flow1');
  expect(engine.taps.hardware.toggles().map(({ name }) => name)).toContain('kegboard-0a1b2c.relay0');
  const [listed] = await listBoards();
  expect(listed).toMatchObject({
    state: 'paired',
    online: true,
    fw_version: '4.0.0',
    wifi_rssi_dbm: -58,
    events_dropped: 0,
    problems: [],
  });
  expect(JSON.stringify(listed)).not.toContain(board.token);
});

test('the calibration reported by a kegboard replaces the stored one', async () => {
  const { board, pair, engine } = createServerWithBoard();
  await pair();
  const find = () => engine.taps.hardware.meters().find(({ name }) => name === 'kegboard-0a1b2c.flow0')!;
  expect(find()).toMatchObject({ ticksPerMl: 5, calibrated: true });
  board.status('heartbeat', { meters: [{ meter_number: 0, total_ticks: 9, ml_per_tick: 0.25 }] });
  await board.deliverAll();
  expect(find().ticksPerMl).toBe(4);
});

test('without its token a paired name gets neither a code nor a new token', async () => {
  const { board, pair, wire, sendAsStaff, listBoards } = createServerWithBoard();
  await pair();
  board.status();
  const { body } = await wire(board.batch(), null);
  expect(body).toEqual({ pairing: { state: 'pending' } });
  await sendAsStaff('post', 'kegboards/kegboard-0a1b2c/allow').expect(409);
  expect(await listBoards()).toMatchObject([{ state: 'paired', other_ips: ['127.0.0.1'] }]);
  // The paired kegboard is not affected.
  await board.deliverAll();
});

test('a token that is not fetched expires after an hour', async () => {
  const { board, sendAsStaff, advanceClock, listBoards } = createServerWithBoard();
  board.status('boot');
  await board.deliver();
  await sendAsStaff('post', 'kegboards/kegboard-0a1b2c/allow').expect(200);
  advanceClock(61 * minute);
  expect((await board.deliver()).body).toMatchObject({ pairing: { state: 'pending' } });
  expect(await listBoards()).toMatchObject([{ state: 'pending' }]);
});

test('a pour becomes a drink on the connected tap, at the time it ended', async () => {
  const { board, pair, connectMeter, engine, advanceClock, nowMs } = createServerWithBoard();
  await pair();
  const keg = connectMeter();
  advanceClock(10 * minute);
  board.pour(0, 402.5, { durationMs: 9_400, agoMs: 2_000 });
  const endedMs = nowMs() - 2_000;
  // The network is down for two hours.
  advanceClock(120 * minute);
  await board.deliverAll();
  const [drink] = engine.drinks.newest(1);
  expect(drink).toMatchObject({
    volumeMl: 402.5,
    volumeGiven: true,
    pourTimeMs: endedMs,
    durationMs: 9_400,
    isValid: true,
    kegId: keg.id,
    username: null,
    source: 'device',
    meter: 'kegboard-0a1b2c.flow0',
  });
  expect(engine.drinks.events.session(drink!.sessionId!)).toMatchObject({ startTimeMs: endedMs });
  expect(engine.kegs.get(keg.id)!.servedVolumeMl).toBe(402.5);
});

test('a pour reported hours late joins the session of its time', async () => {
  const { board, pair, connectMeter, engine, advanceClock } = createServerWithBoard();
  await pair();
  connectMeter();
  advanceClock(minute);
  engine.drinks.pours.report(
    { tap: 'pi.flow0', ticks: 600, source: 'post' },
    { monoMs: 3_600_000 + minute, wallMs: Date.UTC(2026, 4, 2, 17, 1), synced: true, bootId: 'boot-1' },
  );
  board.pour(0, 300);
  advanceClock(10 * 60 * minute);
  await board.deliverAll();
  const [late, early] = engine.drinks.newest(2);
  expect(late!.sessionId).toBe(early!.sessionId);
});

test('a repeated batch records nothing, even after a reboot of the kegboard', async () => {
  const { board, pair, connectMeter, engine, wire } = createServerWithBoard();
  await pair();
  connectMeter();
  board.pour(0, 300);
  await board.deliver();
  const again = board.lastBatch!;
  expect((await wire(again, board.token)).status).toBe(200);
  board.reboot();
  await board.deliverAll();
  expect((await wire(again, board.token)).status).toBe(200);
  // The same pour with another boot id and event id is recognized by its pour_id.
  const [event] = again.events;
  await wire({ ...again, boot_id: 'elsewhen', events: [{ ...event!, id: 99 }] }, board.token);
  expect(engine.drinks.newest(10)).toHaveLength(1);
});

test('events received out of order are all recorded', async () => {
  const { board, pair, connectMeter, engine, wire } = createServerWithBoard();
  await pair();
  connectMeter();
  board.pour(0, 100);
  board.pour(0, 200);
  const batch = board.batch();
  const [first, second] = batch.events;
  await wire({ ...batch, events: [second!] }, board.token);
  await wire({ ...batch, events: [first!] }, board.token);
  await wire(batch, board.token);
  expect(engine.drinks.newest(10).map(({ volumeMl }) => volumeMl)).toEqual([100, 200]);
});

test('a pour on a meter without a tap is held, also for an unknown meter', async () => {
  const { board, pair, engine } = createServerWithBoard();
  await pair();
  board.pour(1, 250);
  board.queueEvent('pour', { meter_number: 7, pour_id: 'p7', volume_ml: 120, duration_ms: 3_000 });
  await board.deliverAll();
  expect(engine.drinks.newest(10)).toEqual([]);
  expect(
    engine.drinks.held().map(({ volumeMl, heldReason, meter }) => [volumeMl, heldReason, meter]),
  ).toEqual([
    [120, 'unbound_meter', 'kegboard-0a1b2c.flow7'],
    [250, 'unbound_meter', 'kegboard-0a1b2c.flow1'],
  ]);
});

test('the flow limit does not apply to pours of kegboards', async () => {
  const { board, pair, connectMeter, engine } = createServerWithBoard();
  await pair();
  connectMeter();
  board.pour(0, 500, { durationMs: 100 });
  await board.deliverAll();
  expect(engine.drinks.newest(1)).toMatchObject([{ volumeMl: 500, isValid: true }]);
});

test('a late duplicate does not restore a cancelled drink', async () => {
  const { board, pair, connectMeter, engine, wire } = createServerWithBoard();
  await pair();
  connectMeter();
  board.pour(0, 300);
  await board.deliver();
  const [drink] = engine.drinks.newest(1);
  const moment = { monoMs: 3_600_000, wallMs: drink!.pourTimeMs, synced: true, bootId: 'boot-1' };
  engine.drinks.cancel(drink!.id, { spilled: false }, moment);
  const { lastBatch } = board;
  await wire({ ...lastBatch!, boot_id: 'elsewhen' }, board.token);
  expect(engine.drinks.newest(10)).toEqual([]);
});

test('temperatures are recorded under the kegboard’s own sensor name, and impossible ones are ignored', async () => {
  const { board, pair, engine } = createServerWithBoard();
  await pair();
  board.queueEvent('temperature', { sensor: 'thermo-28ff64', temp_c: -4.25 });
  board.queueEvent('temperature', { sensor: 'thermo-28ff64', temp_c: 400 }, 120_000);
  await board.deliverAll();
  expect(engine.temperatures.find('kegboard-0a1b2c.thermo-28ff64')!.last).toMatchObject({ tempC: -4.25 });
});

test('a running pour is reported until it ends, or until ten seconds without an update', async () => {
  const { board, pair, connectMeter, engine, bus, advanceClock } = createServerWithBoard();
  await pair();
  connectMeter();
  const published: string[] = [];
  for (const type of ['pour.started', 'pour.flowing'] as const) {
    bus.on(type, ({ meter }) => published.push(`${type} ${meter}`));
  }
  const stopped: (readonly [string, number])[] = [];
  bus.on('pour.stopped', ({ pourId, ticks }) => stopped.push([pourId, ticks]));
  board.queueEvent('pour_update', { meter_number: 0, pour_id: 'p1', volume_ml: 50, duration_ms: 1_000 });
  await board.deliverAll();
  expect(boardsOf(engine).shownPours().get('kegboard-0a1b2c.flow0')).toMatchObject({
    pourId: 'p1',
    ticks: 250,
  });
  expect(published).toEqual(['pour.started kegboard-0a1b2c.flow0', 'pour.flowing kegboard-0a1b2c.flow0']);
  board.queueEvent('pour', { meter_number: 0, pour_id: 'p1', volume_ml: 90, duration_ms: 2_000 });
  await board.deliverAll();
  expect(boardsOf(engine).shownPours().size).toBe(0);

  board.queueEvent('pour_update', { meter_number: 0, pour_id: 'p2', volume_ml: 5, duration_ms: 100 });
  await board.deliverAll();
  advanceClock(9_000);
  boardsOf(engine).poll({ monoMs: 3_609_000, wallMs: 0, synced: true, bootId: 'boot-1' });
  expect(boardsOf(engine).shownPours().size).toBe(1);
  boardsOf(engine).poll({ monoMs: 3_610_001, wallMs: 0, synced: true, bootId: 'boot-1' });
  expect(boardsOf(engine).shownPours().size).toBe(0);
  // Once for each pour, with the ticks that the board reported at last.
  expect(stopped).toEqual([
    ['p1', 450],
    ['p2', 25],
  ]);
});

test('the live stream shows a running pour on its tap', async () => {
  const { app, board, pair, connectMeter, right } = createServerWithBoard();
  await pair();
  connectMeter();
  board.queueEvent('pour_update', { meter_number: 0, pour_id: 'p1', volume_ml: 50, duration_ms: 1_000 });
  await board.deliverAll();
  const server = await listen(app);
  const page = await watch(`${server.url}/api/live`);
  try {
    const { taps } = (await page.next())!.data as { taps: { id: string; pouring: object | null }[] };
    expect(taps.find(({ id }) => id === String(right.id))!.pouring).toEqual({
      pour_id: 'p1',
      ticks: 250,
      volume_ml: 50,
    });
    board.queueEvent('pour_update', { meter_number: 0, pour_id: 'p1', volume_ml: 60, duration_ms: 2_000 });
    await board.deliverAll();
    expect(await page.next()).toMatchObject({
      event: 'pour',
      data: { tap_id: String(right.id), state: 'flowing', volume_ml: 60 },
    });
  } finally {
    page.close();
    await server.close(0);
  }
});

test('deny, revoke and delete change the pairing of a kegboard', async () => {
  const { board, pair, sendAsStaff, listBoards, connectMeter, engine } = createServerWithBoard();
  await pair();
  connectMeter();
  await sendAsStaff('post', 'kegboards/kegboard-0a1b2c/revoke').expect(200);
  expect(await listBoards()).toEqual([]);
  expect(engine.taps.hardware.meters().map(({ name }) => name)).toContain('kegboard-0a1b2c.flow0');
  board.status();
  expect((await board.deliver()).body).toMatchObject({ pairing: { state: 'pending' } });
  await sendAsStaff('post', 'kegboards/kegboard-0a1b2c/deny').expect(200);
  expect((await board.deliver()).body).toEqual({ pairing: { state: 'denied' } });
  await sendAsStaff('delete', 'kegboards/kegboard-0a1b2c').expect(200);
  await pair();
  // The controller of that name still exists, with its meter on the tap.
  board.pour(0, 330);
  await board.deliverAll();
  expect(engine.drinks.newest(1)).toMatchObject([{ volumeMl: 330, isValid: true }]);
  await sendAsStaff('delete', 'kegboards/kegboard-0a1b2c').expect(200);
  expect(await listBoards()).toMatchObject([{ state: 'paired', last_seen: null }]);
  await sendAsStaff('post', 'kegboards/nobody/deny').expect(404);
});

test('a kegboard with the name of the local controller gets a controller of its own', async () => {
  const serverWithBoard = createServerWithBoard();
  const { SimulatedBoard } = await import('../../../kit/simulated-board.ts');
  const board = new SimulatedBoard({
    device: 'pi',
    wire: serverWithBoard.wire,
    nowMs: serverWithBoard.nowMs,
  });
  await serverWithBoard.pair(board);
  board.pour(0, 330);
  await board.deliverAll();
  expect(serverWithBoard.engine.drinks.newest(1)).toEqual([]);
  expect(serverWithBoard.engine.drinks.held()).toMatchObject([{ meter: 'pi-2.flow0' }]);
});
