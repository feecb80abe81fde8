import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, type TestContext, test } from 'vitest';
import { type RunningDaemon, startDaemon } from '../kit/daemon.ts';
import { pollTaps } from './abusive-clients.ts';
import { type FaultBar, fourMeters, fourTaps, idleMs, makeFaultBar, pulse, request } from './fault-bar.ts';
import { readNumber, readProcessorTimes, recordMeasurement, toSlowdown } from './measurements.ts';

/** Duration of one attack, seconds. */
const attackS = readNumber('TAPSTER_FAULT_ATTACK_S', 6);

/** Resident memory of the process, 200 MB in MiB. */
const maxMiB = 190;

/**
 * The longest wait of a client at another address while the daemon has a processor for itself; where other processes take
 * it, the wait is as many times longer. Waits of 0.2 to 0.8 s were measured on one machine and up to 1.3 s on a slower one:
 * the aim is printed beside each wait, and the test fails at the bound.
 */
const aimedWaitMs = 1_000;
const maxWaitMs = 2_500;

/** Ticks per second at each tap: 60 mL/s at 5 ticks per millilitre. */
const hz = 300;

/** Drinks in the database, so that lists are long. */
const drinkCount = 300;

/** After an attack: memory that the process may keep for its heap and caches, and the time of a request. */
const keptMiB = 40;
const normalMs = 100;

/** Routes attacked at the same time. */
const routesPerAttack = readNumber('TAPSTER_FAULT_ATTACK_ROUTES', 80);

let bar: FaultBar | undefined;
let daemon: RunningDaemon | undefined;
let attacker: ReturnType<typeof startAttacker> | undefined;
afterEach(async () => {
  attacker?.stop();
  await daemon?.kill();
  bar?.remove();
});

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema?: { readonly enum?: readonly unknown[] };
  }[];
}

/** The path parameters whose values are not ids; several values are several requests. */
const pathValues: Readonly<Record<string, readonly string[]>> = {
  '/docs/{file}': ['swagger-ui-bundle.js', 'swagger-ui.css'],
  '/admin/export/{file}': ['drinks.csv', 'drinks.jsonl'],
  '/taps/{id}': ['pi.flow0'],
};

/** Queries that make the answer large or late. */
const queries: Readonly<Record<string, string>> = {
  '/schema': '?format=yaml',
  '/drinks': '?limit=1000',
  '/events': '?since=1000000&wait=60',
};

/** Formats one request for each operation of an OpenAPI document. Only reads have the staff key. */
function formatRequests(
  prefix: string,
  paths: Record<string, Record<string, Operation>>,
  key: string,
): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).flatMap((method) => {
      const route = path.replace(prefix, '');
      const values = pathValues[route] ?? ['1'];
      return values.flatMap((value) =>
        ['', ...(queries[route] === undefined ? [] : [queries[route]])].map((query) => {
          const url = `${prefix}${route.replaceAll(/\{\w+\}/g, value)}${query}`;
          const isRead = method === 'get';
          const head = `${method.toUpperCase()} ${url} HTTP/1.1\r\nHost: pi\r\n`;
          return isRead
            ? `${head}X-Kegbot-Api-Key: ${key}\r\n\r\n`
            : `${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
        }),
      );
    }),
  );
}

/** Requests for every route of both OpenAPI documents and for the page. */
async function everyRequest(url: string, key: string): Promise<string[]> {
  const requests = ['/', '/healthz', '/licences.txt'].map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: pi\r\n\r\n`,
  );
  for (const prefix of ['/api', '/api/v1']) {
    const document = (await (await fetch(`${url}${prefix}/schema`)).json()) as {
      paths: Record<string, Record<string, Operation>>;
    };
    requests.push(...formatRequests(prefix, document.paths, key));
  }
  return requests;
}

function startAttacker() {
  const script = fileURLToPath(new URL('attack-process.mjs', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  return {
    async attack(options: object): Promise<{ opened: number }> {
      child.stdin.write(`${JSON.stringify(options)}\n`);
      return JSON.parse(((await once(lines, 'line')) as [string])[0]);
    },
    stop: () => void child.kill(),
  };
}

function residentMiB(field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${daemon!.child.pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
}

/** Open sockets of the daemon, the listening one included. */
function countSockets(): number {
  const folder = `/proc/${daemon!.child.pid}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(join(folder, name)).startsWith('socket:');
    } catch {
      // Closed meanwhile.
      return false;
    }
  }).length;
}

/** At most 30 s after the attackers have disconnected, memory, connections and latency are those of an idle daemon. */
async function expectNormalState(
  context: TestContext,
  before: { readonly memoryMiB: number; readonly sockets: number },
): Promise<void> {
  const endMs = performance.now();
  const isNormal = () =>
    countSockets() <= before.sockets && residentMiB('VmRSS') < before.memoryMiB + keptMiB;
  while (!isNormal() && performance.now() - endMs < 30_000) await pause(500);
  const afterS = Math.round((performance.now() - endMs) / 1_000);
  const sockets = countSockets();
  const memoryMiB = residentMiB('VmRSS');
  const start = readProcessorTimes(daemon!.child.pid!);
  const waitsMs: number[] = [];
  for (let i = 0; i < 20; i++) {
    const startMs = performance.now();
    expect((await fetch(`${daemon!.url}/api/taps`)).status).toBe(200);
    waitsMs.push(performance.now() - startMs);
  }
  const end = readProcessorTimes(daemon!.child.pid!);
  const slowdown = toSlowdown(start, end);
  const medianMs = waitsMs.sort((a, b) => a - b)[10]!;
  recordMeasurement(context, {
    what: `  ${afterS} s after the last attack`,
    found: `${Math.round(memoryMiB)} MiB, ${sockets} sockets, ${Math.round(medianMs)} ms`,
    allowed: `${Math.round(before.memoryMiB + keptMiB)} MiB, ${before.sockets} sockets, ${Math.round(normalMs * slowdown)} ms`,
  });
  expect.soft(sockets).toBeLessThanOrEqual(before.sockets);
  expect.soft(memoryMiB).toBeLessThan(before.memoryMiB + keptMiB);
  expect.soft(medianMs).toBeLessThan(normalMs * slowdown);
}

test('pipelined, unread and slowly read requests to every route keep memory and waits small and lose no tick', {
  timeout: 400_000,
}, async (context) => {
  bar = makeFaultBar({ ...fourTaps, http: { host: '127.0.0.1', port: 0 } });
  daemon = await startDaemon(bar);
  const { url } = daemon;
  const port = Number(new URL(url).port);
  for (let i = 0; i < drinkCount; i++) await request(url, bar, '/api/v1/taps/pi.flow0', { ticks: 1_000 });
  const requests = await everyRequest(url, bar.key);
  const stateBefore = { memoryMiB: residentMiB('VmRSS'), sockets: countSockets() };
  attacker = startAttacker();
  let ticks = 0;
  for (const mode of ['read', 'unread', 'slow']) {
    for (let at = 0; at < requests.length; at += routesPerAttack) {
      const part = requests.slice(at, at + routesPerAttack);
      for (const meter of fourMeters) await pulse(url, meter, hz * attackS, hz);
      ticks += hz * attackS;
      let isRunning = true;
      const before = readProcessorTimes(daemon!.child.pid!);
      const poller = pollTaps({ port, from: '127.0.0.9' }, () => isRunning);
      const options = { port, seconds: attackS, mode, connections: 600, addresses: 7, pipelined: 20 };
      const { opened } = await attacker.attack({ ...options, requests: part });
      isRunning = false;
      const { waitsMs, failures } = await poller;
      const waitMs = Math.max(...waitsMs);
      const after = readProcessorTimes(daemon!.child.pid!);
      const slowdown = toSlowdown(before, after);
      recordMeasurement(context, {
        what: `Attack, ${mode}, routes ${at + 1} to ${at + part.length}`,
        found: `${Math.round(residentMiB('VmRSS'))} MiB, waits ${Math.round(waitMs)} ms, ${opened} connections`,
        allowed: `${maxMiB} MiB, aimed at ${Math.round(aimedWaitMs * slowdown)} ms`,
      });
      expect.soft(failures).toEqual([]);
      expect.soft(waitMs).toBeLessThan(maxWaitMs * slowdown);
      await pause(idleMs + 1_000);
    }
  }
  const peak = residentMiB('VmHWM');
  recordMeasurement(context, {
    what: '  peak memory',
    found: `${Math.round(peak)} MiB`,
    allowed: `${maxMiB} MiB`,
  });
  expect.soft(peak).toBeLessThan(maxMiB);
  await expectNormalState(context, stateBefore);
  // A live stream starts at once.
  const stream = await fetch(`${url}/api/live`);
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
  expect(await daemon.stop()).toBe(0);

  const database = new Sqlite(bar.database, { readonly: true });
  const counted = database
    .prepare(
      `SELECT meter, sum(ticks) AS ticks FROM drinks WHERE source = 'pin' GROUP BY meter ORDER BY meter`,
    )
    .all();
  database.close();
  expect(counted).toEqual(fourMeters.map((meter) => ({ meter, ticks })));
});
