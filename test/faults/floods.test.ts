import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, type TestContext, test } from 'vitest';
import { type RunningDaemon, startDaemon } from '../kit/daemon.ts';
import { pollTaps } from './abusive-clients.ts';
import { type FaultBar, fourTaps, makeFaultBar, request } from './fault-bar.ts';
import { readNumber, readProcessorTimes, recordMeasurement, toSlowdown } from './measurements.ts';

/** Duration of each flood, and of the calm before it, seconds. */
const floodS = readNumber('TAPSTER_FAULT_FLOOD_S', 5);

/**
 * The median wait of a client at another address may be so many times that of the calm before the flood, while the daemon has a
 * processor for itself; where other processes take it, the wait is as many times longer.
 */
const maxSlowdown = 20;

/** Drinks in the database, so that snapshots are as long as in a bar. */
const drinkCount = 50;

let bar: FaultBar | undefined;
let daemon: RunningDaemon | undefined;
let flooder: ReturnType<typeof startFlooder> | undefined;
afterEach(async () => {
  flooder?.stop();
  await daemon?.kill();
  bar?.remove();
});

interface Flood {
  readonly kind: string;
  readonly connections: number;
  readonly addresses: number;
}

function startFlooder() {
  const script = fileURLToPath(new URL('flood-process.mjs', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  return {
    async flood(options: Flood & { readonly port: number; readonly seconds: number }) {
      child.stdin.write(`${JSON.stringify(options)}\n`);
      const [line] = (await once(lines, 'line')) as [string];
      return JSON.parse(line) as { requests: number; statuses: Record<string, number> };
    },
    stop: () => void child.kill(),
  };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)]!;

/** Polls the taps from another address while `load` runs; every poll must succeed. */
async function measureWaits<T>(port: number, load: Promise<T>) {
  let isRunning = true;
  const before = readProcessorTimes(daemon!.child.pid!);
  const poller = pollTaps({ port, from: '127.0.0.9' }, () => isRunning);
  const result = await load;
  isRunning = false;
  const { waitsMs, failures } = await poller;
  expect.soft(failures).toEqual([]);
  const slowdown = toSlowdown(before, readProcessorTimes(daemon!.child.pid!));
  return { medianMs: median(waitsMs), maxMs: Math.max(...waitsMs), slowdown, result };
}

/** Floods from `addresses` while a client at another address polls; its median wait stays within the bound. */
async function runFlood(context: TestContext, { kind, connections, addresses }: Flood): Promise<void> {
  bar = makeFaultBar({ ...fourTaps, http: { host: '127.0.0.1', port: 0 } });
  daemon = await startDaemon(bar);
  const { url } = daemon;
  const port = Number(new URL(url).port);
  for (let i = 0; i < drinkCount; i++) await request(url, bar, '/api/v1/taps/pi.flow0', { ticks: 1_000 });
  flooder = startFlooder();
  await measureWaits(port, pause(1_000));
  const calm = await measureWaits(port, pause(floodS * 1_000));
  const flood = await measureWaits(
    port,
    flooder.flood({ kind, connections, addresses, port, seconds: floodS }),
  );
  const ratio = flood.medianMs / calm.medianMs;
  const others = Math.max(1, flood.slowdown / calm.slowdown);
  const { requests, statuses } = flood.result;
  const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  recordMeasurement(context, {
    what: `Flood: ${kind}, ${connections} connections from ${addresses} addresses`,
    found: `median wait ${(ratio / others).toFixed(1)} × calm (${ratio.toFixed(1)} × while others took the processor ${others.toFixed(1)} ×)`,
    allowed: `${maxSlowdown} ×`,
  });
  recordMeasurement(context, {
    what: '  median calm / median flood / maximum; requests; answers',
    found: `${calm.medianMs.toFixed(1)} / ${flood.medianMs.toFixed(1)} / ${Math.round(flood.maxMs)} ms; ${requests}; ${answers.join(', ')}`,
  });
  expect(requests).toBeGreaterThan(connections / 2);
  expect(ratio).toBeLessThan(maxSlowdown * others);
}

const floods: readonly Flood[] = [
  { kind: 'streams', connections: 600, addresses: 60 },
  { kind: 'multipart, current API', connections: 60, addresses: 60 },
  { kind: 'multipart, legacy API', connections: 60, addresses: 60 },
  { kind: 'multipart, token look-up', connections: 60, addresses: 60 },
  { kind: 'multipart, pictures', connections: 60, addresses: 60 },
  { kind: 'multipart, 32 parts, legacy API', connections: 60, addresses: 60 },
  { kind: 'form fields, current API', connections: 60, addresses: 60 },
  { kind: 'form fields, legacy API', connections: 60, addresses: 60 },
  { kind: 'nested JSON, current API', connections: 60, addresses: 60 },
  { kind: 'nested JSON, legacy API', connections: 60, addresses: 60 },
  { kind: 'wide JSON, current API', connections: 60, addresses: 60 },
  { kind: 'wide JSON, legacy API', connections: 60, addresses: 60 },
  { kind: 'JSON log-in', connections: 60, addresses: 60 },
  { kind: 'device events', connections: 60, addresses: 60 },
  { kind: 'cookies', connections: 60, addresses: 60 },
  { kind: 'query fields', connections: 60, addresses: 60 },
  { kind: 'plain requests', connections: 60, addresses: 60 },
];

/** The dearest ones, of which each run tries these; `.ci/nightly` tries all. */
const usual = ['streams', 'multipart, current API', 'multipart, legacy API'];
const isAll = process.env.TAPSTER_FAULT_FLOODS === 'all';

test.for(floods.filter(({ kind }) => isAll || usual.includes(kind)))(
  'the median wait of others stays within 20 × calm in a flood of $kind',
  async (flood, context) => {
    await runFlood(context, flood);
  },
);
