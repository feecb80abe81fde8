import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, type TestContext, test } from 'vitest';
import { type RunningDaemon, startDaemon } from '../kit/daemon.ts';
import {
  type ClientAddress,
  openConnection,
  openUnreadStream,
  pollTaps,
  requestContinuously,
  sendEndlessBody,
  sendSlowly,
} from './abusive-clients.ts';
import { type FaultBar, fourMeters, fourTaps, idleMs, makeFaultBar, pulse } from './fault-bar.ts';
import { readNumber, recordMeasurement } from './measurements.ts';

/** Duration of each overload, seconds. */
const overloadS = readNumber('TAPSTER_FAULT_OVERLOAD_S', 5);

/** Bound of the process's peak memory: 200 MB in MiB. */
const maxMiB = 190;

/** Ticks per second at each tap: 60 mL/s at 5 ticks per millilitre. */
const hz = 300;

let bar: FaultBar | undefined;
let daemon: RunningDaemon | undefined;
afterEach(async () => {
  await daemon?.kill();
  daemon = undefined;
  bar?.remove();
});

/** Starts a daemon with default limits; returns its port. */
async function openBar(): Promise<number> {
  bar = makeFaultBar({ ...fourTaps, http: { host: '127.0.0.1', port: 0 } });
  daemon = await startDaemon(bar);
  return Number(new URL(daemon.url).port);
}

const openFiles = () => readdirSync(`/proc/${daemon!.child.pid}/fd`).length;

/** Peak resident memory of the process. */
function peakMiB(): number {
  const status = readFileSync(`/proc/${daemon!.child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/**
 * Runs a pour at each of four taps under a load while a well-behaved client polls the taps. Every tick must be stored,
 * every poll must succeed, and the load's connections must be closed afterwards.
 */
async function runOverload(
  context: TestContext,
  name: string,
  startLoad: (port: number, isRunning: () => boolean) => Promise<unknown>,
): Promise<void> {
  const port = await openBar();
  const ticks = hz * overloadS;
  const filesBefore = openFiles();
  let isRunning = true;
  const isStillRunning = () => isRunning;
  for (const meter of fourMeters) await pulse(daemon!.url, meter, ticks, hz);
  const poller = pollTaps({ port, from: '127.0.0.9' }, isStillRunning);
  const load = startLoad(port, isStillRunning);
  await pause(overloadS * 1_000);
  isRunning = false;
  const { waitsMs, failures } = await poller;
  await load;
  await expect.poll(openFiles, { timeout: 30_000, interval: 200 }).toBeLessThanOrEqual(filesBefore + 4);
  const peak = peakMiB();
  await pause(idleMs + 1_500);
  expect(await daemon!.stop()).toBe(0);

  const database = new Sqlite(bar!.database, { readonly: true });
  const drinks = database
    .prepare(`SELECT meter, ticks, ticks_lost AS lost FROM drinks WHERE source = 'pin' ORDER BY meter`)
    .all();
  database.close();
  waitsMs.sort((one, other) => one - other);
  const percentile = (share: number) =>
    `${Math.round(waitsMs[Math.floor(share * (waitsMs.length - 1))]!)} ms`;
  recordMeasurement(context, {
    what: `Overload: ${name}`,
    found: `${failures.length} failed`,
    allowed: 'none',
  });
  recordMeasurement(context, {
    what: '  wait of a well-behaved client, median / maximum',
    found: `${percentile(0.5)} / ${percentile(1)}`,
  });
  recordMeasurement(context, {
    what: '  peak memory',
    found: `${Math.round(peak)} MiB`,
    allowed: `${maxMiB} MiB`,
  });
  expect(drinks).toEqual(fourMeters.map((meter) => ({ meter, ticks, lost: 0 })));
  expect(failures).toEqual([]);
  expect(waitsMs.length).toBeGreaterThan(0);
  expect(peak).toBeLessThan(maxMiB);
}

/** `count` clients spread over `addresses` loopback addresses. */
const createAddresses = (port: number, count: number, addresses: number): ClientAddress[] =>
  Array.from({ length: count }, (_, i) => ({ port, from: `127.0.1.${1 + (i % addresses)}` }));

test('200 clients with continuous requests cause no lost tick and no failed poll', async (context) => {
  let answers = 0;
  await runOverload(context, '200 clients with continuous requests', async (port, isRunning) => {
    const counts = await Promise.all(
      createAddresses(port, 200, 20).map((address) => requestContinuously(address, isRunning)),
    );
    answers = counts.reduce((sum, one) => sum + one, 0);
  });
  recordMeasurement(context, {
    what: '  replies to them',
    found: `${Math.round(answers / overloadS)} a second`,
  });
  expect(answers).toBeGreaterThan(200);
});

test.for([
  ['heads', 'GET /api/taps HTTP/1.1\r\nX-', 'x'],
  [
    'bodies',
    'POST /api/v1/taps/pi.flow0 HTTP/1.1\r\nHost: pi\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\n',
    'ticks=1&',
  ],
] as const)(
  '600 %s sent at one byte a second cause no lost tick and no failed poll',
  async ([kind, head, repeated], context) => {
    await runOverload(context, `600 ${kind} at one byte a second`, (port, isRunning) =>
      Promise.all(
        createAddresses(port, 600, 3).map((address) => sendSlowly(address, { head, repeated }, isRunning)),
      ),
    );
  },
);

test('10000 connections, opened and abandoned, cause no lost tick and no failed poll', async (context) => {
  const most = 10_000;
  await runOverload(context, '10000 connections opened and abandoned', async (port) => {
    const sockets: ReturnType<typeof openConnection>[] = [];
    for (const [i, address] of createAddresses(port, most, 3).entries()) {
      sockets.push(openConnection(address));
      // Stays below this process's own limit of open files.
      if (sockets.length > 800) sockets.shift()!.destroy();
      if (i % 50 === 49) await pause((overloadS * 1_000) / (most / 50) / 2);
    }
    for (const socket of sockets) socket.destroy();
  });
});

test('bodies without end cause no lost tick and no failed poll', async (context) => {
  let maxSentBytes = 0;
  const head =
    'POST /api/v1/taps/pi.flow0 HTTP/1.1\r\nHost: pi\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  await runOverload(context, '100 bodies without end', async (port, isRunning) => {
    for (const address of createAddresses(port, 100, 3)) {
      if (isRunning()) maxSentBytes = Math.max(maxSentBytes, await sendEndlessBody(address, head, isRunning));
    }
  });
  recordMeasurement(context, {
    what: '  largest amount one client could send',
    found: `${Math.round(maxSentBytes / 1024)} KiB`,
  });
});

test('150 live streams that are never read cause no lost tick and no failed poll', async (context) => {
  await runOverload(context, '150 live streams never read', async (port) => {
    const unreadStreams = createAddresses(port, 150, 3).map(openUnreadStream);
    await pause(overloadS * 1_000);
    for (const socket of unreadStreams) socket.destroy();
  });
});
