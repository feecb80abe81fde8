import { mkdirSync, rmdirSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { openLiveStream } from '../../kit/live-stream.ts';
import { pourBars, pulse } from './pour-bars.ts';

// Starts real processes, which may be slow.
vi.setConfig({ testTimeout: 60_000 });

const { open, openBar } = pourBars();

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
