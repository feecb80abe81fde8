import { afterEach, expect, test } from 'vitest';
import { textProblem } from '../../../src/core/health/problems.ts';
import { PourMessage, SnapshotMessage } from '../../../src/http/live/shapes.ts';
import { schemaMismatch } from '../../../src/http/pipeline/validate.ts';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { createTestServer, openingMs } from '../test-server.ts';
import { listen, watch } from './streams.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function createWatchedServer() {
  const server = createTestServer();
  const { url, close } = await listen(server.app);
  closers.push(() => close(0));
  const headers = { 'X-Kegbot-Api-Key': server.staffKey };
  return {
    server,
    url,
    /** The stream as staff get it. */
    page: () => watch(`${url}/api/live`, headers),
    guestPage: () => watch(`${url}/api/live`),
  };
}

const now = { monoMs: 3_600_000, wallMs: openingMs, synced: true, bootId: 'boot-1' };

test('the first message has the full state', async () => {
  const { server, page } = await createWatchedServer();
  server.engine.temperatures.log({ sensor: '28-0000000000a1', tempC: 4.5 }, now);
  insertDrink(server.store, { tap: 'pi.flow0', ticks: 660, username: 'bert' }, now);
  insertDrink(server.store, { tap: 'pi.flow2', ticks: 5 }, now);
  server.meterStatuses.push({ meter: 'pi.flow1', state: 'fault', problem: textProblem('Line 17 is taken.') });
  server.runningPours.set('pi.flow0', { pourId: 'p1', ticks: 50 });
  server.parts.push({ name: 'storing', problems: [textProblem('The disk is full.')], vital: true });

  const first = await (await page()).next();
  expect(first?.event).toBe('snapshot');
  expect(schemaMismatch(SnapshotMessage, first?.data)).toBeNull();
  expect(first?.data).toMatchObject({
    title: expect.any(String),
    simulated: false,
    clock_synced: true,
    newest_drink_id: 1,
    held: 1,
    problems: [{ part: 'storing', problems: [textProblem('The disk is full.')] }],
    taps: [
      {
        id: '1',
        name: 'Left',
        meter_name: 'pi.flow0',
        meter_state: 'counting',
        ticks_per_ml: 2,
        keg: { percent_full: 0.989, volume_ml_remain: 29_670, full_volume_ml: 30_000 },
        beverage: { name: 'Haus Helles', producer: 'Hausbrauerei', style: 'Helles', abv: 4.9 },
        temp_c: 4.5,
        temp_time: '2026-05-02T17:00:00Z',
        temp_stale: false,
        pouring: { pour_id: 'p1', ticks: 50, volume_ml: 25 },
      },
      {
        name: 'Right',
        meter_state: 'fault',
        meter_problem: textProblem('Line 17 is taken.'),
        keg: null,
        pouring: null,
      },
      { name: 'Attic', meter_name: null, meter_state: 'unmetered', ticks_per_ml: null },
    ],
    drinks: [
      { id: 1, tap_id: '1', tap_name: 'Left', beverage_name: 'Haus Helles', user_id: 'bert', volume_ml: 330 },
    ],
  });
});

test('guests are told neither of held pours nor of problems of the machine', async () => {
  const { server, guestPage } = await createWatchedServer();
  insertDrink(server.store, { tap: 'pi.flow2', ticks: 5 }, now);
  server.meterStatuses.push({ meter: 'pi.flow1', state: 'fault', problem: textProblem('Line 17 is taken.') });
  server.parts.push({ name: 'storing', problems: [textProblem('The disk is full.')], vital: true });
  const stream = await guestPage();
  const first = await stream.next();
  expect(schemaMismatch(SnapshotMessage, first?.data)).toBeNull();
  expect(first?.data).toMatchObject({
    held: 0,
    alarms: 0,
    problems: [],
    taps: [
      { name: 'Left', meter_state: 'counting' },
      { name: 'Right', meter_state: 'counting', meter_problem: null },
      { name: 'Attic', meter_state: 'unmetered' },
    ],
  });
  // Nor by the snapshots that follow.
  server.bus.publish({ type: 'database.changed' });
  server.scheduler.advance(0);
  expect((await stream.next())?.data).toMatchObject({ held: 0, problems: [] });
});

test('a stream goes on without the news for staff when its user is no longer staff', async () => {
  const { server, page } = await createWatchedServer();
  server.parts.push({ name: 'storing', problems: [textProblem('The disk is full.')], vital: true });
  const stream = await page();
  expect((await stream.next())?.data).toMatchObject({ problems: [{ part: 'storing' }] });
  const anna = server.store.users.byName('anna')!;
  server.store.users.change({ ...anna, isStaff: false });
  server.bus.publish({ type: 'database.changed' });
  server.scheduler.advance(0);
  expect((await stream.next())?.data).toMatchObject({ problems: [] });
});

test('shows a reading before it is stored, and that it is stale', async () => {
  const { server, page } = await createWatchedServer();
  server.engine.temperatures.log({ sensor: '28-0000000000a1', tempC: 4.5 }, now);
  server.latestTemperatures.set('28-0000000000a1', { tempC: 6, timeMs: now.wallMs + 300_000, isStale: true });
  const expected = { temp_c: 6, temp_time: '2026-05-02T17:05:00Z', temp_stale: true };
  expect((await (await page()).next())?.data).toMatchObject({ taps: [expected, {}, {}] });

  // A later reading posted under the same name takes precedence.
  const later = { ...now, monoMs: now.monoMs + 600_000, wallMs: now.wallMs + 600_000 };
  server.engine.temperatures.log({ sensor: '28-0000000000a1', tempC: 7 }, later);
  const posted = { temp_c: 7, temp_time: '2026-05-02T17:10:00Z', temp_stale: false };
  expect((await (await page()).next())?.data).toMatchObject({ taps: [posted, {}, {}] });
});

test('shows the last drink of each tap, however many followed at other taps', async () => {
  const { server, page } = await createWatchedServer();
  insertDrink(server.store, { tap: 'pi.flow0', ticks: 500 }, now);
  for (let i = 0; i < 30; i++) insertDrink(server.store, { tap: 'pi.flow1', ticks: 50 }, now);
  const first = { id: 1, volume_ml: 250, pour_time: '2026-05-02T17:00:00Z', time_certain: true };
  expect((await (await page()).next())?.data).toMatchObject({
    keg_low_share: 0.15,
    taps: [{ last_drink: first }, { last_drink: { id: 31 } }, { last_drink: null }],
  });
});

test('estimates when a keg is empty, unless the clock is not synchronized', async () => {
  const { server, page } = await createWatchedServer();
  const day = 86_400_000;
  for (const days of [4, 3, 2, 1]) {
    for (let drink = 0; drink < 5; drink++) {
      const pour = {
        tap: 'pi.flow0',
        ticks: 2_000,
        agoMs: days * day - drink * 60_000,
        source: 'post',
      } as const;
      insertDrink(server.store, pour, now);
    }
  }
  // 5 L per day, 10 L are left.
  const first = await (await page()).next();
  expect(schemaMismatch(SnapshotMessage, first?.data)).toBeNull();
  expect(first?.data).toMatchObject({
    taps: [{ runs_out: { time: expect.stringMatching(/^2026-05-05T/) } }, { runs_out: null }, {}],
  });
  server.setClock({ synced: false });
  expect((await (await page()).next())?.data).toMatchObject({ taps: [{ runs_out: null }, {}, {}] });
});

test('sends ticks at once and the drink when it is recorded', async () => {
  const { server, page } = await createWatchedServer();
  const stream = await page();
  await stream.next();
  server.bus.publish({ type: 'pour.started', meter: 'pi.flow0', pourId: 'p1' });
  server.bus.publish({ type: 'pour.flowing', meter: 'pi.flow0', pourId: 'p1', ticks: 660 });
  const [started, flowing] = [await stream.next(), await stream.next()];
  expect(schemaMismatch(PourMessage, started?.data)).toBeNull();
  expect(started).toMatchObject({ event: 'pour', data: { tap_id: '1', state: 'started' } });
  expect(flowing).toMatchObject({ event: 'pour', data: { ticks: 660, volume_ml: 330 } });

  server.engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 660, source: 'post' }, now);
  server.scheduler.advance(0);
  expect(await stream.next()).toMatchObject({ event: 'snapshot', data: { drinks: [{ volume_ml: 330 }] } });
});

test('a changed calibration applies to the next pour message', async () => {
  const { server, page } = await createWatchedServer();
  const stream = await page();
  await stream.next();
  const flow = (ticks: number) =>
    server.bus.publish({ type: 'pour.flowing', meter: 'pi.flow0', pourId: 'p1', ticks });
  flow(100);
  expect(await stream.next()).toMatchObject({ data: { volume_ml: 50 } });
  server.engine.taps.hardware.setCalibration(1, 4);
  flow(100);
  expect(await stream.next()).toMatchObject({ event: 'pour', data: { volume_ml: 25 } });
});

test('the live stream of a private site requires authentication', async () => {
  const { server, url } = await createWatchedServer();
  server.engine.users.changeSite({ privacy: 'members' });
  expect((await fetch(`${url}/api/live`)).status).toBe(401);
  const stream = await watch(`${url}/api/live?api_key=${server.guestKey}`);
  expect(await stream.next()).toMatchObject({ event: 'snapshot' });
});

test('HEAD does not open the stream', async () => {
  const { url } = await createWatchedServer();
  const reply = await fetch(`${url}/api/live`, { method: 'HEAD' });
  expect(reply.headers.get('content-type')).toBe('text/event-stream');
});
