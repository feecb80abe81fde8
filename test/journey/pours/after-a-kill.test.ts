import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { JournaledPour } from '../../../src/core/pours/meter-pour.ts';
import { readJournal } from '../../../src/store/journal/journal-content.ts';
import { type BarFolder, quickBar, type RunningDaemon } from '../../kit/daemon.ts';
import { type LiveStream, openLiveStream } from '../../kit/live-stream.ts';
import { drinks, pourBars, pulse } from './pour-bars.ts';

// Starts real processes, which may be slow.
vi.setConfig({ testTimeout: 60_000 });

const { open, openBar } = pourBars();

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
