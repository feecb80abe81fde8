import { describe, expect, test, vi } from 'vitest';
import { openLiveStream } from '../../kit/live-stream.ts';
import { drinks, pourBars, pulse } from './pour-bars.ts';

// Starts real processes, which may be slow.
vi.setConfig({ testTimeout: 60_000 });

const { open, openBar } = pourBars();

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
