import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Moment } from '../../../src/core/clock/moment.ts';
import { createEventBus, type EventBus } from '../../../src/core/event-bus.ts';
import type { Drink } from '../../../src/core/records.ts';
import { createLiveHub, type LiveHub } from '../../../src/http/live/hub.ts';
import type { SnapshotMessage } from '../../../src/http/live/shapes.ts';
import type { HttpServer } from '../../../src/http/server/http-server.ts';
import { overloadLimits } from '../../../src/http/server/overload-limits.ts';
import { listen, type ManualScheduler, manualScheduler, watch } from './streams.ts';

const snapshot = (title: string): SnapshotMessage => ({
  title,
  address: null,
  menu_url: null,
  logo_url: null,
  background_url: null,
  volume_units: 'metric',
  temperature_units: 'c',
  region: null,
  serving_sizes: [],
  allergen_note: '',
  opening_hours: '',
  time_zone: 'UTC',
  keg_low_share: 0.15,
  taps: [],
  drinks: [],
  newest_drink_id: 0,
  held: 0,
  cleaning_questions: 0,
  show_days_since_cleaning: false,
  alarms: 0,
  simulated: true,
  prices_now: null,
  clock_synced: true,
  problems: [],
});

interface Bar {
  readonly bus: EventBus;
  readonly scheduler: ManualScheduler;
  readonly hub: LiveHub;
  readonly url: string;
  readonly http: HttpServer;
  now: Moment;
  /** Number of snapshots created. */
  snapshots: number;
  title: string;
  /** Why streams were refused. */
  readonly refusals: unknown[];
  /** The server's response of each stream. */
  readonly responses: ServerResponse[];
}

let open: Bar | undefined;

afterEach(async () => {
  await open?.http.close(0);
  open = undefined;
});

async function openBar(maxStreams = 200): Promise<Bar> {
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const scheduler = manualScheduler();
  const responses: ServerResponse[] = [];
  const hub = createLiveHub({
    bus,
    scheduler,
    clock: { now: () => bar.now },
    limits: { ...overloadLimits.streams, total: maxStreams },
    snapshot() {
      bar.snapshots += 1;
      return snapshot(bar.title);
    },
    forGuests: (message) => message,
    pour: (meter, now) => (meter === 'pi.flow0' ? { tap_id: '1', ...now, volume_ml: now.ticks / 2 } : null),
  });
  const http = await listen((request, response) => {
    responses.push(response);
    const address = request.headers['x-address']?.toString() ?? '10.0.0.1';
    hub.join({ response, address })?.catch((fault: unknown) => {
      bar.refusals.push(fault);
      response.writeHead(429).end();
    });
  });
  const now = { monoMs: 0, wallMs: 0, synced: true, bootId: 'b' };
  const bar: Bar = {
    refusals: [],
    now,
    bus,
    scheduler,
    hub,
    url: http.url,
    http,
    snapshots: 0,
    title: 'Bar',
    responses,
  };
  open = bar;
  return bar;
}

test('sends a snapshot first', async () => {
  const bar = await openBar();
  const page = await watch(bar.url);
  expect(page.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await page.next()).toEqual({ event: 'snapshot', data: snapshot('Bar') });
});

test('pages that open within 100 ms share a snapshot unless something happens between them', async () => {
  const bar = await openBar();
  const open = async () => {
    await (await watch(bar.url)).next();
    return bar.snapshots;
  };
  expect(await open()).toBe(1);
  bar.now = { ...bar.now, monoMs: 99 };
  expect(await open()).toBe(1);
  bar.bus.publish({ type: 'pour.dripped', meter: 'pi.flow0', pourId: 'p1', ticks: 3 });
  expect(await open()).toBe(2);
  bar.bus.publish({ type: 'database.changed' });
  expect(await open()).toBe(3);
  bar.now = { ...bar.now, synced: false };
  expect(await open()).toBe(4);
  bar.now = { ...bar.now, monoMs: 199 };
  expect(await open()).toBe(5);
});

test('while all streams are in use, an address that opens more than five in 10 s is refused after 5 s', async () => {
  const bar = await openBar(2);
  const from = (address: string) => ({ 'X-Address': address });
  for (let i = 0; i < 5; i++) await (await watch(bar.url, from('10.0.0.1'))).next();
  const refused = fetch(bar.url, { headers: from('10.0.0.1') });
  const other = await watch(bar.url, from('10.0.0.2'));
  await other.next();
  await expect.poll(() => bar.responses).toHaveLength(7);
  bar.scheduler.advance(4_999);
  expect(bar.refusals).toEqual([]);
  bar.scheduler.advance(1);
  expect((await refused).status).toBe(429);
  expect(bar.refusals).toMatchObject([{ code: 'too_many', retryAfterS: 10 }]);
  // The other address keeps its stream.
  bar.bus.publish({ type: 'pour.started', meter: 'pi.flow0', pourId: 'p1' });
  expect(await other.next()).toMatchObject({ event: 'pour' });
  bar.now = { ...bar.now, monoMs: 10_000 };
  expect((await watch(bar.url, from('10.0.0.1'))).response.status).toBe(200);
});

test('sends pour messages without waiting for a timer', async () => {
  const bar = await openBar();
  const page = await watch(bar.url);
  await page.next();
  bar.bus.publish({ type: 'pour.started', meter: 'pi.flow0', pourId: 'p1' });
  bar.bus.publish({ type: 'pour.flowing', meter: 'pi.flow0', pourId: 'p1', ticks: 10 });
  bar.bus.publish({ type: 'pour.dripped', meter: 'pi.flow0', pourId: 'p1', ticks: 10 });
  const pour = { tap_id: '1', pour_id: 'p1' };
  expect(await page.next()).toEqual({
    event: 'pour',
    data: { ...pour, state: 'started', ticks: 1, volume_ml: 0.5 },
  });
  expect(await page.next()).toEqual({
    event: 'pour',
    data: { ...pour, state: 'flowing', ticks: 10, volume_ml: 5 },
  });
  expect(await page.next()).toMatchObject({ data: { state: 'dripped' } });
});

test('sends nothing for a meter without a tap', async () => {
  const bar = await openBar();
  const page = await watch(bar.url);
  await page.next();
  bar.bus.publish({ type: 'pour.started', meter: 'pi.flow9', pourId: 'p9' });
  bar.bus.publish({ type: 'pour.started', meter: 'pi.flow0', pourId: 'p1' });
  expect(await page.next()).toMatchObject({ data: { pour_id: 'p1' } });
});

test('merges changes into one snapshot per 100 ms, created once for all clients', async () => {
  const bar = await openBar();
  const pages = [await watch(bar.url), await watch(bar.url)];
  for (const page of pages) await page.next();
  // Both opened at the same moment.
  expect(bar.snapshots).toBe(1);

  for (let i = 0; i < 50; i++) bar.bus.publish({ type: 'drink.recorded', drink: {} as Drink });
  bar.scheduler.advance(0);
  expect(bar.snapshots).toBe(2);
  bar.title = 'Later';
  for (let i = 0; i < 50; i++) bar.bus.publish({ type: 'database.changed' });
  bar.scheduler.advance(99);
  expect(bar.snapshots).toBe(2);
  bar.scheduler.advance(1);
  expect(bar.snapshots).toBe(3);
  bar.scheduler.advance(10_000);
  expect(bar.snapshots).toBe(3);
  for (const page of pages) {
    expect(await page.next()).toMatchObject({ data: { title: 'Bar' } });
    expect(await page.next()).toMatchObject({ data: { title: 'Later' } });
  }
});

test.each([
  [{ type: 'temperature.read', sensor: 's', tempC: 4 }],
  [{ type: 'sensor.trouble', sensor: 's', reason: 'silent' }],
  [{ type: 'health.changed', part: 'storing', problem: null }],
  [{ type: 'address.changed' }],
] as const)('sends a snapshot after %j', async (event) => {
  const bar = await openBar();
  const page = await watch(bar.url);
  await page.next();
  bar.bus.publish(event);
  bar.scheduler.advance(0);
  expect(await page.next()).toMatchObject({ event: 'snapshot' });
});

test('sends a comment on an idle stream every 15 s', async () => {
  const bar = await openBar();
  const page = await watch(bar.url);
  await page.next();
  bar.scheduler.advance(15_000);
  expect(await page.next()).toEqual({ event: 'comment', data: null });
});

test('ends all streams before the database is closed, and reads nothing from it afterwards', async () => {
  const bar = await openBar();
  const stream = await watch(`${bar.url}/`);
  await stream.next();
  const { snapshots } = bar;
  bar.bus.publish({ type: 'database.changed' });
  bar.bus.publish({ type: 'database.closing' });
  expect(bar.hub.clients).toBe(0);
  bar.scheduler.advance(1_000);
  expect(bar.snapshots).toBe(snapshots);
});

test('removes a disconnected client, and has no timers without clients', async () => {
  const bar = await openBar();
  const page = await watch(bar.url);
  await page.next();
  expect(bar.hub.clients).toBe(1);
  const closed = once(bar.responses[0]!, 'close');
  page.close();
  await closed;
  expect(bar.hub.clients).toBe(0);
  expect(bar.scheduler.waiting).toBe(0);
  bar.bus.publish({ type: 'database.changed' });
  expect(bar.snapshots).toBe(1);
  expect(bar.scheduler.waiting).toBe(0);
});

test('a stream beyond the limit ends the oldest of the address with the most', async () => {
  const bar = await openBar(3);
  const other = await watch(bar.url, { 'X-Address': '10.0.0.2' });
  const crowded = [];
  for (let i = 0; i < 4; i++) crowded.push(await watch(bar.url, { 'X-Address': '10.0.0.1' }));
  for (const page of [other, ...crowded]) await page.next();
  expect(await crowded[0]!.next()).toBeNull();
  expect(await crowded[1]!.next()).toBeNull();
  expect(bar.hub.clients).toBe(3);
  bar.bus.publish({ type: 'pour.started', meter: 'pi.flow0', pourId: 'p1' });
  for (const page of [other, crowded[2]!, crowded[3]!])
    expect(await page.next()).toMatchObject({ event: 'pour' });
});

/** Opens a client that does not read and fills its queue. */
async function openStalledReader(bar: Bar) {
  bar.title = 'x'.repeat(60_000);
  const socket = connect(Number(new URL(bar.url).port), '127.0.0.1');
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  while (bar.responses.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const response = bar.responses[0]!;
  // The kernel buffers a few megabytes before the queue grows.
  while (response.writableLength <= overloadLimits.streamBacklogBytes) {
    bar.bus.publish({ type: 'database.changed' });
    bar.scheduler.advance(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { socket, response };
}

test('bounds the queue of a client that does not read', async () => {
  const bar = await openBar();
  const { socket, response } = await openStalledReader(bar);
  for (let i = 0; i < 100; i++) {
    bar.bus.publish({ type: 'database.changed' });
    bar.bus.publish({ type: 'pour.flowing', meter: 'pi.flow0', pourId: 'p1', ticks: i });
    bar.scheduler.advance(100);
    expect(response.writableLength).toBeLessThan(131_072);
  }
  socket.destroy();
});

test('sends the newest snapshot to a client that reads again', async () => {
  const bar = await openBar();
  const { socket } = await openStalledReader(bar);
  bar.bus.publish({ type: 'database.changed' });
  bar.scheduler.advance(100);
  bar.title = 'the newest snapshot';
  let text = '';
  socket.setEncoding('utf8').resume();
  await new Promise<void>((resolve) => {
    socket.on('data', (part: string) => {
      text = (text + part).slice(-2_000);
      if (text.includes('the newest snapshot')) resolve();
    });
  });
  socket.destroy();
});

test('closing the server ends every stream', async () => {
  const bar = await openBar();
  const page = await watch(bar.url);
  await page.next();
  await bar.http.close(5_000);
  expect(await page.next()).toBeNull();
  open = undefined;
});
