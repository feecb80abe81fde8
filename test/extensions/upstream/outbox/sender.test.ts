import { afterEach, test as anyTest, beforeEach, expect } from 'vitest';
import type { Drink } from '../../../../src/core/records.ts';
import { systemActor } from '../../../../src/engine/engine.ts';
import { hour, minute, openingMs as reporterOpeningMs } from '../../../engine/bar.ts';
import { createTestServer, openingMs, type TestServer } from '../../../http/test-server.ts';
import { servesDeviceEvents } from '../../../kit/device-events.ts';
import { boardsOf, createWire, device, openReporter, pair, type Reporter } from './reporter-rig.ts';

const test = anyTest.runIf(servesDeviceEvents);

let server: TestServer;
let wire: ReturnType<typeof createWire>;
let reporter: Reporter;

beforeEach(() => {
  server = createTestServer();
  wire = createWire(server);
  reporter = openReporter(wire.post);
});

afterEach(async () => {
  await reporter.close();
  server.store.close();
});

/** Pours of the reporter in the server's database, oldest first. */
const reported = () =>
  [...server.engine.drinks.newest(1_000), ...server.engine.drinks.held()]
    .filter(({ source }) => source === 'device')
    .toReversed();

test('a pour of the reporter is recorded by the server with its volume, time and session', async () => {
  await pair(server, reporter);
  reporter.sleep(minute);
  reporter.pour({ ticks: 800, durationMs: 9_000 });
  reporter.sleep(20 * minute);
  await reporter.pass(200);
  expect(reported()).toMatchObject([
    {
      volumeMl: 400,
      ticks: 800,
      durationMs: 9_000,
      tapId: server.right.id,
      isValid: true,
      series: '0:150 5000:150',
    },
  ]);
  const [drink] = reported();
  expect(drink!.pourTimeMs).toBe(openingMs - 20 * minute - 200);
  expect(drink!.sessionId).not.toBeNull();
  expect(reporter.upstream.counts()).toMatchObject({ waiting: 0, setAside: 0 });
  expect(reporter.sender.state()).toMatchObject({ state: 'connected', problem: null });
});

test('while pairing is pending it asks every 5 s, then every minute, keeps its pours and reports the problem', async () => {
  await reporter.pass(1);
  reporter.pour();
  expect(reporter.sender.state().state).toBe('pending');
  expect(reporter.problem).toContain('allow “cellar-pi”');
  for (let i = 0; i < 60; i++) await reporter.pass(5_000);
  expect(wire.sent.length).toBeGreaterThan(12);
  expect(wire.sent.length).toBeLessThan(20);
  expect(new Set(wire.tokens)).toEqual(new Set([null]));
  await boardsOf(server).allow();
  await reporter.pass(minute);
  await reporter.drain();
  expect(reported()).toHaveLength(1);
  expect(reporter.problem).toBeNull();
});

test('while pairing is pending it shows the code that the server lists', async () => {
  await reporter.pass(1);
  const [request] = await boardsOf(server).list();
  expect(reporter.sender.state().pairingCode).toBe(request.code);
  await pair(server, reporter);
  expect(reporter.sender.state().pairingCode).toBeNull();
});

test('the token is issued once, is used, and appears neither in the log nor in the audit log', async () => {
  await pair(server, reporter);
  const token = wire.tokens.at(-1)!;
  expect(token).toMatch(/^kbe_/);
  await reporter.reboot();
  await reporter.drain();
  expect(wire.tokens.at(-1)).toBe(token);
  expect(reporter.logLines.join()).not.toContain(token);
  expect(JSON.stringify(reporter.engine.audit.list({}).items)).not.toContain(token);
});

test('after revocation the reporter drops its token, pairs again and loses no pour', async () => {
  await pair(server, reporter);
  await boardsOf(server).revoke();
  reporter.pour();
  await reporter.pass(200);
  expect(reporter.sender.state().state).toBe('pending');
  expect(reporter.upstream.counts().waiting).toBe(1);
  await reporter.pass(5_000);
  expect(wire.tokens.at(-1)).toBeNull();
  await boardsOf(server).allow();
  await reporter.pass(5_000);
  await reporter.drain();
  expect(reported()).toHaveLength(1);
});

test('a denied reporter sends nothing until it is told to retry', async () => {
  await reporter.pass(1);
  await boardsOf(server).deny();
  await reporter.pass(5_000);
  expect(reporter.sender.state().state).toBe('denied');
  const requests = wire.sent.length;
  reporter.pour();
  for (let i = 0; i < 20; i++) await reporter.pass(minute);
  expect(wire.sent.length).toBe(requests);
  await boardsOf(server).forget();
  reporter.sender.retryNow();
  await reporter.pass(1);
  await boardsOf(server).allow();
  await reporter.pass(5_000);
  await reporter.drain();
  expect(reported()).toHaveLength(1);
});

test('without answers retries are half a minute apart at first and five minutes at last, and a new pour is sent at once', async () => {
  await pair(server, reporter);
  wire.setFault(() => 'request lost');
  const before = wire.sent.length;
  reporter.pour();
  await reporter.pass(200);
  for (let i = 0; i < 30; i++) await reporter.pass(minute);
  const tries = wire.sent.length - before;
  expect(tries).toBeGreaterThanOrEqual(7);
  expect(tries).toBeLessThanOrEqual(12);
  expect(reporter.problem).toMatch(
    /has not answered correctly since 2026-05-01T18:\d\dZ \(no answer: ECONNREFUSED\)/,
  );
  reporter.pour();
  await reporter.pass(200);
  expect(wire.sent.length - before).toBe(tries + 1);
  wire.setFault(() => 'arrives');
  await reporter.pass(5 * minute);
  await reporter.drain();
  expect(reported()).toHaveLength(2);
  expect(reporter.problem).toBeNull();
});

test.each([403, 404, 429, 500, 503])('status %i loses no pour and sets none aside', async (status) => {
  await pair(server, reporter);
  wire.setAnswer(() => ({ kind: 'answered', status, body: {}, retryAfter: undefined }));
  reporter.pour();
  for (let i = 0; i < 10; i++) await reporter.pass(minute);
  expect(reporter.upstream.counts()).toMatchObject({ waiting: 1, setAside: 0 });
  wire.setAnswer(() => null);
  await reporter.pass(6 * minute);
  await reporter.drain();
  expect(reported()).toHaveLength(1);
});

test('of a refused batch only the invalid pour is set aside, and staff can send it again or delete it', async () => {
  await pair(server, reporter);
  const bad = (ticks: number) =>
    wire.setAnswer(({ events }) =>
      events.some(({ data }) => data.ticks === ticks)
        ? { kind: 'answered', status: 400, body: { error: 'invalid' }, retryAfter: undefined }
        : null,
    );
  bad(666);
  for (const ticks of [500, 666, 700]) reporter.pour({ ticks });
  await reporter.drain();
  expect(reported().map(({ ticks }) => ticks)).toEqual([500, 700]);
  expect(reporter.problem).toContain('refused a report');
  const page = reporter.upstream.refused({});
  expect(page.items).toMatchObject([{ type: 'pour', refusal: '400 invalid' }]);
  const { id } = page.items[0]!;

  expect(reporter.upstream.sendAgain(id, systemActor, reporter.now())).toBe(1);
  await reporter.drain();
  expect(reporter.upstream.counts()).toMatchObject({ waiting: 0, setAside: 1 });
  wire.setAnswer(() => null);
  expect(reporter.upstream.sendAgain(null, systemActor, reporter.now())).toBe(1);
  await reporter.drain();
  expect(reported().map(({ ticks }) => ticks)).toEqual([500, 700, 666]);
  expect(reporter.problem).toBeNull();

  bad(900);
  reporter.pour({ ticks: 900 });
  await reporter.drain();
  const [last] = reporter.upstream.refused({}).items;
  reporter.upstream.discard(last!.id, systemActor, reporter.now());
  expect(reporter.upstream.counts().setAside).toBe(0);
  expect(reporter.engine.audit.list({}).items[0]).toMatchObject({ action: 'upstream_event.discarded' });
  expect(() => reporter.upstream.discard(last!.id, systemActor, reporter.now())).toThrow(/no report/);
});

test('a server that refuses everything gets batches with retry delays', async () => {
  await pair(server, reporter);
  wire.setAnswer(() => ({ kind: 'answered', status: 422, body: {}, retryAfter: undefined }));
  for (let i = 0; i < 20; i++) reporter.pour();
  for (let i = 0; i < 40; i++) await reporter.pass(500);
  expect(reporter.upstream.counts().setAside).toBeLessThanOrEqual(4);
  expect(reporter.upstream.counts()).toMatchObject({ waiting: 17, setAside: 3 });
});

test('a server with another protocol version accepts nothing, and no pour is lost', async () => {
  await pair(server, reporter);
  const body = { error: 'unsupported_version' };
  wire.setAnswer(() => ({ kind: 'answered', status: 400, body, retryAfter: undefined }));
  reporter.pour();
  await reporter.drain(20);
  expect(reporter.upstream.counts()).toMatchObject({ waiting: 1, setAside: 0 });
});

test('a held pour is reported when it is accepted, and never when it is discarded', async () => {
  await pair(server, reporter);
  reporter.pour({ ticks: 700, doubts: ['electrical_noise'] });
  reporter.pour({ ticks: 800, doubts: ['electrical_noise'] });
  await reporter.drain();
  expect(reported()).toEqual([]);
  const [second, first] = reporter.engine.drinks.held();
  reporter.sleep(hour);
  reporter.engine.drinks.keep(first!.id, { actor: systemActor }, reporter.now());
  reporter.engine.drinks.discard(second!.id, { actor: systemActor }, reporter.now());
  await reporter.drain();
  expect(reported()).toMatchObject([{ ticks: 700, isValid: true, tapId: server.right.id }]);
  expect(Math.abs(openingMs - hour - reported()[0]!.pourTimeMs)).toBeLessThan(minute);
});

test('pours of other controllers and manual drinks are not reported', async () => {
  await pair(server, reporter);
  reporter.engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 500, source: 'post' }, reporter.now());
  reporter.engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 500, source: 'manual' }, reporter.now());
  expect(reporter.upstream.counts().waiting).toBe(0);
});

test('temperatures and meters of the reporter appear at the server', async () => {
  await pair(server, reporter);
  reporter.temperature('28-0000000000b2', 4.5);
  await reporter.pass(250);
  await reporter.drain();
  const sensor = server.engine.temperatures.find(`${device}.28-0000000000b2`)!;
  expect(sensor.last).toMatchObject({ tempC: 4.5 });
  const [board] = await boardsOf(server).list();
  expect(board).toMatchObject({ device, fw_version: 'tapster-test', events_dropped: 0, warnings: [] });
  const meter = server.engine.taps.hardware.meters().find(({ name }) => name === `${device}.flow0`)!;
  expect(meter.ticksPerMl).toBeCloseTo(2, 9);
});

test('in a long outage old temperatures are dropped and counted, and pours never', async () => {
  await pair(server, reporter);
  wire.setFault(() => 'request lost');
  for (let i = 0; i < 20; i++) reporter.pour();
  for (let i = 0; i < 2_100; i++) reporter.temperature('28-0000000000b2', 4 + (i % 50) / 10);
  expect(reporter.upstream.counts()).toEqual({ waiting: 2_020, setAside: 0, eventsDropped: 100 });
  wire.setFault(() => 'arrives');
  reporter.sender.retryNow();
  await reporter.drain(400);
  await reporter.pass(minute);
  await reporter.drain();
  expect(reported()).toHaveLength(20);
  const [board] = await boardsOf(server).list();
  expect(board.events_dropped).toBe(100);
});

test('pours from before the clock was set are reported with their true age once it is set', async () => {
  await pair(server, reporter);
  wire.setFault(() => 'request lost');
  reporter.setClock({ synced: false, wallMs: 0 });
  reporter.pour();
  reporter.sleep(10 * minute);
  // Power cut: the machine restarts and its clock is not set.
  reporter.setClock({ synced: false, wallMs: 5_000, bootId: 'boot-2' });
  await reporter.reboot();
  wire.setFault(() => 'arrives');
  await reporter.drain(20);
  expect(reported()).toEqual([]);
  reporter.setClock({ bootId: 'boot-2' });
  await reporter.pass(minute);
  await reporter.drain();
  expect(reported()).toHaveLength(1);
});

test('setting the clock corrects the times of waiting pours before another boot sends them', async () => {
  await pair(server, reporter);
  wire.setFault(() => 'request lost');
  reporter.setClock({ synced: false, wallMs: reporterOpeningMs - 1_000 * hour });
  reporter.pour();
  reporter.sleep(10 * minute);
  reporter.setClock({});
  reporter.engine.drinks.clockCorrection.correct(reporter.now());
  reporter.sleep(hour);
  reporter.setClock({ bootId: 'boot-2', monoMs: 1_000 });
  await reporter.reboot();
  wire.setFault(() => 'arrives');
  reporter.setClock({ bootId: 'boot-2' });
  await reporter.drain();
  const ageMs = openingMs - reported()[0]!.pourTimeMs;
  expect(Math.abs(ageMs - hour - 10 * minute)).toBeLessThan(2 * minute);
});

test('a command to close all taps is executed once and acknowledged, and unsupported commands are reported as such', async () => {
  await pair(server, reporter);
  const commands = [
    { id: 'cmd_1', type: 'deauthorize', data: {} },
    { id: 'cmd_2', type: 'deny', data: { reason: 'no' } },
    { id: 'cmd_3', type: 'authorize', data: { grant_id: 'g_1', meter_numbers: [0] } },
    { id: 'cmd_4', type: 'identify', data: {} },
    { id: 'cmd_5', type: 'deauthorize', data: { grant_ids: ['g_1'] } },
  ];
  let requests = 0;
  wire.setAnswer(({ events }) => {
    if (events.every(({ type }) => type === 'command_result')) return null;
    requests += 1;
    return { kind: 'answered', status: 200, body: requests <= 2 ? { commands } : {}, retryAfter: undefined };
  });
  reporter.pour();
  await reporter.drain();
  await reporter.pass(minute);
  await reporter.drain();
  expect(reporter.closings).toBe(1);
  const results = wire.sent.flatMap(({ events }) => events.filter(({ type }) => type === 'command_result'));
  expect(new Map(results.map(({ data }) => [data.command, data.result]))).toEqual(
    new Map([
      ['cmd_1', 'ok'],
      ['cmd_2', 'ok'],
      ['cmd_3', 'unsupported'],
      ['cmd_4', 'unsupported'],
      ['cmd_5', 'ok'],
    ]),
  );
});

test('after seven days of outage ten thousand pours are sent in order, sixteen at a time, and none twice', {
  timeout: 180_000,
}, async () => {
  await pair(server, reporter);
  wire.setFault(() => 'request lost');
  const ids: string[] = [];
  for (let i = 0; i < 10_000; i++) {
    reporter.sleep(minute + 480);
    ids.push(reporter.pour({ pourId: `pour-${i}`, ticks: 400 }).pourId!);
  }
  wire.setFault(() => 'arrives');
  const before = wire.sent.length;
  reporter.sender.retryNow();
  await reporter.drain(2_000, 1);
  expect(reporter.upstream.counts().waiting).toBe(0);
  const batches = wire.sent.slice(before);
  expect(batches.length).toBeLessThanOrEqual(640);
  const order = batches.flatMap(({ events }) => events.flatMap(({ data }) => data.pour_id ?? []));
  expect(order).toEqual(ids);
  const stored = reportedAll();
  expect(stored).toHaveLength(10_000);
  const [first] = server.store.drinks.reportedPours.byAnyId('pour-0');
  expect(openingMs - stored.find(({ id }) => id === first!.drinkId)!.pourTimeMs).toBeGreaterThan(
    9_999 * minute - minute,
  );
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

function reportedAll(): Drink[] {
  const all: Drink[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = { limit: 1_000, ...(last === undefined ? {} : { start: last.id - 1 }) };
    const { items } = server.engine.drinks.list(page);
    all.push(...items);
    if (items.length < 1_000 || items.at(-1)!.id === 1) return all;
  }
}
