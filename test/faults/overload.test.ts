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

/** How long each kind of rudeness lasts, seconds. */
const overloadS = readNumber('TAPSTER_FAULT_RUDE_S', 5);

/** What the process may hold at its worst: 200 MB, in MiB. */
const maxMiB = 190;

/** Ticks a second at each tap: a fast glass on a meter of 5 ticks a millilitre. */
const hz = 300;

let bar: FaultBar | undefined;
let daemon: RunningDaemon | undefined;
afterEach(async () => {
  await daemon?.kill();
  daemon = undefined;
  bar?.remove();
});

/** The house with its usual limits, at rest. */
async function openBar(): Promise<number> {
  bar = makeFaultBar({ ...fourTaps, http: { host: '127.0.0.1', port: 0 } });
  daemon = await startDaemon(bar);
  return Number(new URL(daemon.url).port);
}

const openFiles = () => readdirSync(`/proc/${daemon!.child.pid}/fd`).length;

/** The most memory the process has ever held, MiB. */
function peakMiB(): number {
  const status = readFileSync(`/proc/${daemon!.child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/**
 * Lets a glass run at each of the four taps while guests are rude, and an honest one asks for the taps. Every tick must
 * be in the ledger, no answer missing, and afterwards nothing may be left of the rude.
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
    found: `${failures.length} refused`,
    allowed: 'none',
  });
  recordMeasurement(context, {
    what: `  an honest guest waits, half / at most`,
    found: `${percentile(0.5)} / ${percentile(1)}`,
  });
  recordMeasurement(context, {
    what: '  most memory',
    found: `${Math.round(peak)} MiB`,
    allowed: `${maxMiB} MiB`,
  });
  expect(drinks).toEqual(fourMeters.map((meter) => ({ meter, ticks, lost: 0 })));
  expect(failures).toEqual([]);
  expect(waitsMs.length).toBeGreaterThan(0);
  expect(peak).toBeLessThan(maxMiB);
}

/** So many doors, spread over so many addresses of this machine. */
const createAddresses = (port: number, count: number, addresses: number): ClientAddress[] =>
  Array.from({ length: count }, (_, i) => ({ port, from: `127.0.1.${1 + (i % addresses)}` }));

test('two hundred clients who ask without rest cost no tick, and nobody else his answer', async (context) => {
  let answers = 0;
  await runOverload(context, 'two hundred clients without rest', async (port, isRunning) => {
    const counts = await Promise.all(
      createAddresses(port, 200, 20).map((address) => requestContinuously(address, isRunning)),
    );
    answers = counts.reduce((sum, one) => sum + one, 0);
  });
  recordMeasurement(context, {
    what: '  answers to them',
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
  'six hundred %s of a byte a second cost no tick, and nobody else his answer',
  async ([kind, head, repeated], context) => {
    await runOverload(context, `six hundred ${kind} of a byte a second`, (port, isRunning) =>
      Promise.all(
        createAddresses(port, 600, 3).map((address) => sendSlowly(address, { head, repeated }, isRunning)),
      ),
    );
  },
);

test('ten thousand connections, opened and left, cost no tick, and nobody else his answer', async (context) => {
  const most = 10_000;
  await runOverload(context, 'ten thousand connections opened and left', async (port) => {
    const sockets: ReturnType<typeof openConnection>[] = [];
    for (const [i, address] of createAddresses(port, most, 3).entries()) {
      sockets.push(openConnection(address));
      // As many as this process may itself have open.
      if (sockets.length > 800) sockets.shift()!.destroy();
      if (i % 50 === 49) await pause((overloadS * 1_000) / (most / 50) / 2);
    }
    for (const socket of sockets) socket.destroy();
  });
});

test('bodies without end cost no tick, and nobody else his answer', async (context) => {
  let maxSentBytes = 0;
  const head =
    'POST /api/v1/taps/pi.flow0 HTTP/1.1\r\nHost: pi\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  await runOverload(context, 'a hundred bodies without end', async (port, isRunning) => {
    for (const address of createAddresses(port, 100, 3)) {
      if (isRunning()) maxSentBytes = Math.max(maxSentBytes, await sendEndlessBody(address, head, isRunning));
    }
  });
  recordMeasurement(context, {
    what: '  most that one could say',
    found: `${Math.round(maxSentBytes / 1024)} KiB`,
  });
});

test('a hundred and fifty pages that sleep cost no tick, and nobody else his answer', async (context) => {
  await runOverload(context, 'a hundred and fifty live streams never read', async (port) => {
    const unreadStreams = createAddresses(port, 150, 3).map(openUnreadStream);
    await pause(overloadS * 1_000);
    for (const socket of unreadStreams) socket.destroy();
  });
});
