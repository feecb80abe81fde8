import { once } from 'node:events';
import { createServer } from 'node:net';
import Sqlite from 'better-sqlite3';
import { afterEach, test as anyTest, expect } from 'vitest';
import { createEventBus } from '../../../../src/core/event-bus.ts';
import type { Drink } from '../../../../src/core/records.ts';
import { createEngine } from '../../../../src/engine/create-engine.ts';
import { extensions } from '../../../../src/extensions/all.ts';
import { upstreamStore } from '../../../../src/extensions/upstream/store/upstream-store.ts';
import { openStore } from '../../../../src/store/store.ts';
import { logInConfirmed } from '../../../kit/confirmed-login.ts';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../../../kit/daemon.ts';
import { servesDeviceEvents } from '../../../kit/device-events.ts';

const test = anyTest.runIf(servesDeviceEvents);

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Pi {
  readonly bar: BarFolder;
  readonly call: (method: string, path: string, body?: object) => Promise<Answer>;
  /** Approves a board as its staff; returns the status. */
  readonly allow: (device: string) => Promise<number>;
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly result: Result;
}

/** The parts of responses that the test reads; each response has the requested one. */
interface Result {
  readonly upstream: {
    readonly state: string;
    readonly flow_meters: unknown;
    readonly waiting: number;
    readonly set_aside: number;
  };
  readonly drinks: readonly { readonly ticks: number }[];
}

/** Creates a Pi with its staff key, whose daemon can be killed and restarted. */
async function openPi(config: object): Promise<Pi> {
  const bar = makeBar(config);
  closers.push(bar.remove);
  const user = ['user', 'add', 'anna', '--staff', '--password-stdin', '--config', bar.configFile];
  expect((await runCommand(user, { input: 'a good password\n' })).code).toBe(0);
  const key = (await runCommand(['key', 'create', 'anna', '--config', bar.configFile])).out.trim();
  let daemon: RunningDaemon;
  closers.push(async () => {
    if (daemon.child.exitCode === null && daemon.child.signalCode === null) await daemon.kill();
  });
  return {
    bar,
    async call(method, path, body) {
      const response = await fetch(`${daemon.url}/api${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', 'X-Kegbot-Api-Key': key },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { result } = (await response.json()) as { result: Result };
      return { status: response.status, result };
    },
    async allow(device) {
      const headers = await logInConfirmed(daemon.url, 'anna', 'a good password');
      const path = `/api/admin/kegboards/${device}/allow`;
      return (await fetch(daemon.url + path, { method: 'POST', headers })).status;
    },
    async start() {
      daemon = await startDaemon(bar);
    },
    kill: () => daemon.kill(),
    async stop() {
      expect(await daemon.stop()).toBe(0);
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Reads every drink in the database of a stopped daemon, including held ones, by pour_id. */
function readDrinks({ database }: BarFolder, source: Drink['source']): ReadonlyMap<string, Drink> {
  const store = openStore({ file: database, extensions });
  const engine = createEngine({
    store,
    bus: createEventBus(() => {}),
    ids: { next: () => 'nobody' },
    settings: { maxFlowMlPerS: 200 },
  });
  const all = [...engine.drinks.newest(1_000), ...engine.drinks.held()].filter(
    (one) => one.source === source,
  );
  expect(engine.site.checkDatabase()).toEqual([]);
  store.close();
  const reports = new Sqlite(database, { readonly: true });
  const reportedId = reports
    .prepare<[number], string>('SELECT pour_id FROM reported_pours WHERE drink_id = ?')
    .pluck();
  const byId = new Map(all.map((drink) => [drink.pourId ?? reportedId.get(drink.id)!, drink]));
  reports.close();
  expect(byId.size).toBe(all.length);
  return byId;
}

/** Seeded random numbers for the moments of the kills, so that a failure can be repeated. */
function createSeededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

test('with two Pis, every drink of the branch is stored once on the main Pi, whichever is killed when', {
  timeout: 180_000,
}, async () => {
  const port = await freePort();
  // Off, because two pours interrupted by the same kill would be taken for a burst of noise.
  const fastConfig = { ...quickBar, pour: { min_ml: 0, idle_ms: 400 }, judgement: { simultaneous_ms: 0 } };
  const main = await openPi({ ...fastConfig, http: { ...fastConfig.http, port, rate_limits: false } });
  const branch = await openPi({
    ...fastConfig,
    controller: { name: 'cellar' },
    upstream: {
      url: `http://127.0.0.1:${port}/api/device-event`,
      device: 'cellar-pi',
      heartbeat_s: 10,
      allow_plain_http: true,
    },
  });
  const upstream = async () => (await branch.call('GET', '/admin/upstream')).result.upstream;
  const pulse = (meter: string, ticks: number) =>
    branch.call('POST', '/simulator/pulses', { meter: `cellar.${meter}`, ticks, hz: 700 });
  // The main Pi first, because a failed report is retried only after a while.
  await main.start();
  await branch.start();

  await expect.poll(async () => (await upstream()).state, { timeout: 20_000 }).toBe('pending');
  expect(await main.allow('cellar-pi')).toBe(200);
  await branch.call('POST', '/admin/upstream/retry');
  await expect.poll(async () => (await upstream()).state, { timeout: 20_000 }).toBe('connected');
  expect((await upstream()).flow_meters).toEqual([
    { name: 'cellar.flow0', number: 0 },
    { name: 'cellar.flow1', number: 1 },
  ]);

  const drinksAtBranch = async () => (await branch.call('GET', '/drinks?limit=2')).result.drinks;
  // Two drinks before the rounds and two after them: at least four, whatever the kills lose.
  await pulse('flow0', 200);
  await pulse('flow1', 200);
  await expect.poll(async () => (await drinksAtBranch()).length, { timeout: 20_000 }).toBe(2);

  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = createSeededRandom(seed);
  for (let round = 0; round < 4; round++) {
    await pulse('flow0', 150 + Math.floor(random() * 300));
    await pulse('flow1', 150 + Math.floor(random() * 300));
    // The kill comes at a random moment.
    await new Promise((resolve) => setTimeout(resolve, random() * 1_400));
    const victim = random() < 0.5 ? main : branch;
    await victim.kill();
    await victim.start();
  }
  // Pours left open by the last kill end after the idle time and are reported too.
  await pulse('flow0', 777);
  await pulse('flow1', 300);
  const largest = async () => Math.max(0, ...(await drinksAtBranch()).map(({ ticks }) => ticks));
  await expect.poll(largest, { timeout: 20_000 }).toBeGreaterThanOrEqual(777);
  await branch.call('POST', '/admin/upstream/retry');
  await expect
    .poll(
      async () => {
        const { waiting, set_aside: setAside } = await upstream();
        return { waiting, setAside };
      },
      { timeout: 60_000 },
    )
    .toEqual({ waiting: 0, setAside: 0 });
  await branch.stop();
  await main.stop();

  const poured = readDrinks(branch.bar, 'pin');
  const reported = readDrinks(main.bar, 'device');
  const note = `seed ${seed}`;
  expect(poured.size, note).toBeGreaterThanOrEqual(4);
  const notReported = new Set([...poured.keys()].filter((id) => !reported.has(id)));
  // Pours ended by the shutdown itself are reported at the next start.
  expect(
    [...notReported].filter((id) => !findWaiting(branch.bar).has(id)),
    note,
  ).toEqual([]);
  expect(
    [...reported.keys()].filter((id) => !poured.has(id)),
    note,
  ).toEqual([]);
  for (const [id, { volumeMl, pourTimeMs, ticks }] of reported) {
    const drink = poured.get(id)!;
    expect({ volumeMl, ticks }, note).toEqual({ volumeMl: drink.volumeMl, ticks: drink.ticks });
    expect(Math.abs(pourTimeMs - drink.pourTimeMs), note).toBeLessThan(1_500);
  }
});

/** The pours that a stopped branch has still to report. */
function findWaiting({ database }: BarFolder): ReadonlySet<unknown> {
  const store = openStore({ file: database, extensions });
  const ids = store
    .tablesOf(upstreamStore)
    .next(100)
    .map(({ data }) => (JSON.parse(data) as { pour_id?: string }).pour_id);
  store.close();
  return new Set(ids);
}
