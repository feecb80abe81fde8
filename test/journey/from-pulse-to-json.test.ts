import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { JournaledPour } from '../../src/core/pours/meter-pour.ts';
import { readJournal } from '../../src/store/journal/journal-content.ts';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../kit/daemon.ts';
import { type LiveStream, openLiveStream } from '../kit/live-stream.ts';

// Starts real processes, which may be slow.
vi.setConfig({ testTimeout: 60_000 });

const bars: BarFolder[] = [];
const daemons: RunningDaemon[] = [];

afterEach(async () => {
  for (const daemon of daemons.splice(0)) if (daemon.child.exitCode === null) await daemon.kill();
  for (const bar of bars.splice(0)) bar.remove();
});

function openBar(config: object = quickBar): BarFolder {
  const bar = makeBar(config);
  bars.push(bar);
  return bar;
}

async function open(bar: BarFolder): Promise<RunningDaemon> {
  const daemon = await startDaemon(bar);
  daemons.push(daemon);
  return daemon;
}

interface DrinkJson {
  ticks: number;
  volume_ml: number;
  keg_id: number | null;
  session_id: string;
  recovered?: boolean;
}

async function drinks({ url }: RunningDaemon): Promise<DrinkJson[]> {
  const answer = (await (await fetch(`${url}/api/drinks`)).json()) as { result: { drinks: DrinkJson[] } };
  return answer.result.drinks;
}

async function pulse(
  { url }: RunningDaemon,
  train: { meter: string; ticks: number; hz: number },
): Promise<void> {
  const response = await fetch(`${url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(train),
  });
  expect(response.status).toBe(202);
}

describe('from pulses to JSON', () => {
  test('a simulated pour becomes a drink on its keg, and the live stream shows it while it runs', async () => {
    const daemon = await open(openBar());
    const live = await openLiveStream(daemon.url);
    await pulse(daemon, { meter: 'pi.flow0', ticks: 1_000, hz: 1_000 / 1.5 });

    await live.until(({ event, data }) => event === 'pour' && data.state === 'started');
    const flowing = await live.until(({ event, data }) => event === 'pour' && data.ticks > 200);
    expect(flowing.data).toMatchObject({ tap_id: '1' });
    const message = await live.until(({ event, data }) => event === 'snapshot' && data.drinks.length === 1);
    expect(message.data).toMatchObject({ drinks: [{ tap_name: 'Left', volume_ml: 200 }] });
    live.close();

    const [drink] = await drinks(daemon);
    expect(drink).toMatchObject({ ticks: 1_000, volume_ml: 200, keg_id: 1 });
    const taps = (await (await fetch(`${daemon.url}/api/v1/taps`)).json()) as {
      result: { taps: { keg: { volume_ml_remain: number; percent_full: number } }[] };
    };
    const { volume_ml_remain, percent_full } = taps.result.taps[0]!.keg;
    expect(volume_ml_remain / percent_full - volume_ml_remain).toBeCloseTo(200, 6);
    expect(await daemon.stop()).toBe(0);
  });

  test('two simultaneous pours become two drinks', async () => {
    const daemon = await open(openBar());
    const live = await openLiveStream(daemon.url);
    await pulse(daemon, { meter: 'pi.flow0', ticks: 500, hz: 400 });
    await pulse(daemon, { meter: 'pi.flow1', ticks: 300, hz: 400 });
    await live.until(({ event, data }) => event === 'snapshot' && data.drinks.length === 2);
    live.close();
    expect((await drinks(daemon)).map(({ ticks }) => ticks).toSorted((a, b) => a - b)).toEqual([300, 500]);
  });
});

/** Ticks of the running pour in the journal on the disk. */
function checkpointedTicks({ database }: BarFolder): number {
  const pours = (readJournal(`${database}.journal`).checkpoint ?? []) as readonly JournaledPour[];
  return pours[0]?.pour.ticks ?? 0;
}

/**
 * Kills a daemon once its running pour was checkpointed with 400 ticks or more; returns the ticks of the last checkpoint. A
 * daemon that gets little of the processor checkpoints late, so that the ticks on the live stream say little.
 */
async function killInPour(daemon: RunningDaemon, bar: BarFolder, live: LiveStream): Promise<number> {
  await live.until(() => checkpointedTicks(bar) >= 400);
  await daemon.kill();
  return checkpointedTicks(bar);
}

describe('after a kill', () => {
  test('an interrupted pour is resumed after a quick restart and is one drink', async () => {
    // A restart on a busy machine is within the idle time, too.
    const bar = openBar({ ...quickBar, pour: { min_ml: 0, idle_ms: 120_000 } });
    const first = await open(bar);
    const live = await openLiveStream(first.url);
    await pulse(first, { meter: 'pi.flow0', ticks: 100_000, hz: 400 });
    const checkpointed = await killInPour(first, bar, live);

    const second = await open(bar);
    const secondStream = await openLiveStream(second.url);
    const message = await secondStream.until(({ event }) => event === 'snapshot');
    const pouring = (message.data as { taps: { pouring: { ticks: number } | null }[] }).taps[0]!.pouring;
    expect(pouring?.ticks).toBe(checkpointed);
    await pulse(second, { meter: 'pi.flow0', ticks: 100, hz: 400 });
    await secondStream.until(({ event, data }) => event === 'pour' && data.ticks === checkpointed + 100);
    secondStream.close();

    // SIGTERM ends the open pour and stores it without waiting for the idle time.
    expect(await second.stop()).toBe(0);
    const third = await open(bar);
    expect(await drinks(third)).toMatchObject([{ ticks: checkpointed + 100 }]);
  });

  test('an interrupted pour without further ticks is finished as a recovered drink', async () => {
    // A daemon that gets little of the processor counts with pauses, which must not end the pour before the kill.
    const bar = openBar({ ...quickBar, pour: { min_ml: 0, idle_ms: 120_000 } });
    const first = await open(bar);
    const live = await openLiveStream(first.url);
    await pulse(first, { meter: 'pi.flow1', ticks: 100_000, hz: 400 });
    const checkpointed = await killInPour(first, bar, live);
    const killedMs = Date.now();
    const config = JSON.parse(readFileSync(bar.configFile, 'utf8')) as object;
    writeFileSync(bar.configFile, JSON.stringify({ ...config, pour: { min_ml: 0, idle_ms: 200 } }));

    // A start takes less than the idle time on a fast machine: the pour would be resumed.
    await expect.poll(() => Date.now() - killedMs).toBeGreaterThan(300);
    const second = await open(bar);
    expect(await drinks(second)).toMatchObject([{ ticks: checkpointed }]);
    const stream = await openLiveStream(second.url);
    const message = await stream.until(({ event }) => event === 'snapshot');
    expect(message.data).toMatchObject({ drinks: [{ recovered: true, tap_name: 'Right' }] });
    stream.close();
  });

  test('a drink shown on the live stream is stored once after a kill', async () => {
    const bar = openBar();
    const first = await open(bar);
    const live = await openLiveStream(first.url);
    await pulse(first, { meter: 'pi.flow0', ticks: 50, hz: 500 });
    await live.until(({ event, data }) => event === 'snapshot' && data.drinks.length === 1);
    await first.kill();
    expect(await drinks(await open(bar))).toMatchObject([{ ticks: 50 }]);
  });
});

describe('a failing disk', () => {
  test('a database that cannot be opened at the start is reported, and the meters still count', async () => {
    const bar = openBar();
    // A folder in place of the database file.
    mkdirSync(bar.database);
    const daemon = await open(bar);
    const health = await fetch(`${daemon.url}/healthz`);
    expect(health.status).toBe(503);
    expect(await health.json()).toMatchObject({ parts: { counting: 'ok' } });
    const closed = await fetch(`${daemon.url}/api/v1/taps`);
    expect(closed.status).toBe(503);
    expect(closed.headers.get('Retry-After')).toBe('5');
    expect(await closed.text()).not.toContain(bar.path);
  });

  test('the database is opened automatically once its path is free', async () => {
    const bar = openBar();
    mkdirSync(bar.database);
    const daemon = await open(bar);
    rmdirSync(bar.database);
    await daemon.waitForLog('works again');
    const live = await openLiveStream(daemon.url);
    await pulse(daemon, { meter: 'pi.flow0', ticks: 50, hz: 500 });
    await live.until(({ event, data }) => event === 'snapshot' && data.drinks.length === 1);
    live.close();
    expect((await fetch(`${daemon.url}/healthz`)).status).toBe(200);
  });
});

describe('start and shutdown', () => {
  test('SIGTERM during a pour stores the pour and exits with 0', async () => {
    const bar = openBar();
    const daemon = await open(bar);
    const live = await openLiveStream(daemon.url);
    await pulse(daemon, { meter: 'pi.flow0', ticks: 50_000, hz: 500 });
    const seen = await live.until(({ event, data }) => event === 'pour' && data.ticks >= 100);
    expect(await daemon.stop()).toBe(0);
    const [drink] = await drinks(await open(bar));
    expect(drink!.ticks).toBeGreaterThanOrEqual((seen.data as { ticks: number }).ticks);
  });

  test('a pour right after a clean restart is a separate drink', async () => {
    const bar = openBar({ ...quickBar, pour: { min_ml: 0, idle_ms: 20_000 } });
    const first = await open(bar);
    const live = await openLiveStream(first.url);
    await pulse(first, { meter: 'pi.flow0', ticks: 50_000, hz: 500 });
    // Long enough for a checkpoint.
    await live.until(({ event, data }) => event === 'pour' && data.ticks >= 1_000);
    expect(await first.stop()).toBe(0);

    const second = await open(bar);
    const secondStream = await openLiveStream(second.url);
    await pulse(second, { meter: 'pi.flow0', ticks: 100, hz: 500 });
    await secondStream.until(({ event, data }) => event === 'pour' && data.ticks === 100);
    secondStream.close();
    expect(await second.stop()).toBe(0);
    const [drink, before] = await drinks(await open(bar));
    expect(drink!.ticks).toBe(100);
    expect(before!.ticks).toBeGreaterThanOrEqual(1_000);
  });

  test('a second daemon on the same database is refused and does not affect the first', async () => {
    const bar = openBar();
    const daemon = await open(bar);
    const { code, err } = await runCommand(['run', '--config', bar.configFile], { cwd: bar.path });
    expect(code).toBe(69);
    expect(err).toMatch(/Another Tapster already runs/);
    expect((await fetch(`${daemon.url}/healthz`)).status).toBe(200);
  });

  test('a taken port gives one sentence and exit code 69', async () => {
    const daemon = await open(openBar());
    const port = Number(new URL(daemon.url).port);
    const other = openBar({ ...quickBar, http: { host: '127.0.0.1', port } });
    const { code, err } = await runCommand(['--config', other.configFile], { cwd: other.path });
    expect(code).toBe(69);
    expect(err.trim()).toBe(
      `Port ${port} is taken by another program. Stop that, or set http.port or $TAPSTER_PORT.`,
    );
  });

  test('an invalid configuration lists every fault with its path and exits with 78', async () => {
    const bar = openBar({
      meters: [{ port: 'flow0', pin: 99 }],
      taps: [{ name: '', meter: 'flow7' }],
      htp: {},
    });
    const { code, err } = await runCommand(['--config', bar.configFile], { cwd: bar.path });
    expect(code).toBe(78);
    expect(err).toMatch(/meters\[0\]\.pin/);
    expect(err).toMatch(/taps\[0\]\.name/);
    expect(err).toMatch(/htp/);
  });

  test('a missing GPIO chip is one sentence in healthz, and the page still works', async () => {
    const daemon = await open(openBar({ ...quickBar, gpio: { driver: 'cdev' }, demo: {} }));
    const health = await fetch(`${daemon.url}/healthz`);
    expect(health.status).toBe(503);
    const { parts } = (await health.json()) as { parts: { counting: string; storing: string } };
    expect(parts.storing).toBe('ok');
    expect(parts.counting).not.toMatch(/at .*\.js|Error:/);
    expect((await fetch(`${daemon.url}/api/v1/taps`)).status).toBe(200);
  });
});
