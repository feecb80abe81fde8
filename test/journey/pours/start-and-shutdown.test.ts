import { describe, expect, test, vi } from 'vitest';
import { quickBar, runCommand } from '../../kit/daemon.ts';
import { openLiveStream } from '../../kit/live-stream.ts';
import { drinks, pourBars, pulse } from './pour-bars.ts';

// Starts real processes, which may be slow.
vi.setConfig({ testTimeout: 60_000 });

const { open, openBar } = pourBars();

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
