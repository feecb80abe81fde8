import { afterEach, expect, test, vi } from 'vitest';
import {
  type BarFolder,
  createStaffKey,
  makeBar,
  quickBar,
  type RunningDaemon,
  startDaemon,
} from '../kit/daemon.ts';
import { openLiveStream } from '../kit/live-stream.ts';

// Starts a real process, which may be slow.
vi.setConfig({ testTimeout: 60_000 });

let bar: BarFolder;
let daemon: RunningDaemon;

afterEach(async () => {
  await daemon.kill();
  bar.remove();
});

async function startBar() {
  bar = makeBar({
    ...quickBar,
    toggles: [{ port: 'relay0', pin: 24 }],
    taps: [{ name: 'Left', meter: 'flow0', toggle: 'relay0' }],
  });
  daemon = await startDaemon(bar);
  const key = await createStaffKey(bar, 'nora');
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${daemon.url}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', 'X-Kegbot-Api-Key': key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    expect(response.ok, JSON.stringify(answer)).toBe(true);
    return answer.result;
  };
  return { key, send };
}

/** Nearly all of the keg is poured by another controller: before, a rate that doubles is a hand that opens further. */
const emptyKeg = async (send: Awaited<ReturnType<typeof startBar>>['send']) => {
  const { keg } = await send('GET', '/kegs/1');
  await send('POST', '/taps/1/record-drink', { volume_ml: keg.full_volume_ml - 500 });
};

test('gas and foam before the beer of a fresh keg count a quarter, and its valve stays open', async () => {
  const { send } = await startBar();
  await send('POST', '/flow-toggles/1/open', { seconds: 50 });
  const poured = await send('POST', '/simulator/pours', {
    meter: 'pi.flow0',
    volume_ml: 400,
    foam_first_ml: 300,
    seed: 7,
  });
  await vi.waitFor(async () => expect((await send('GET', '/drinks')).drinks).toHaveLength(1), {
    timeout: 20_000,
    interval: 100,
  });
  const [drink] = (await send('GET', '/drinks')).drinks;
  expect(drink.gas_ticks).toBeUndefined();
  // Half of it is gas, which is no beer, and of the other half a quarter is: within the ± of the drink.
  expect(drink.foam_ticks / 5).toBeGreaterThan(200);
  expect(Math.abs(drink.volume_ml - poured.beer_ml)).toBeLessThan(drink.uncertainty_ml);
  expect(drink.ticks / 5 - poured.beer_ml).toBeGreaterThan(150);
  expect((await send('GET', '/admin/valves')).valves).toHaveLength(1);
  expect((await send('GET', '/taps/1')).tap.keg_empty_since ?? null).toBeNull();
});

test('gas after the beer shuts the valve, is no beer, and asks staff whether the keg is empty', async () => {
  const { key, send } = await startBar();
  const live = await openLiveStream(daemon.url, key);
  await emptyKeg(send);
  await send('POST', '/flow-toggles/1/open', { seconds: 50 });
  // 2 s of beer at 60 mL/s through a meter of 5 ticks per mL, then gas.
  await send('POST', '/simulator/pulses', { meter: 'pi.flow0', ticks: 600, hz: 300 });
  await send('POST', '/simulator/pulses', { meter: 'pi.flow0', ticks: 2_400, hz: 800 });
  await vi.waitFor(async () => expect((await send('GET', '/admin/valves')).valves).toEqual([]), {
    timeout: 20_000,
    interval: 100,
  });
  const sumDrinks = 2;
  const isAsking = (message: Parameters<Parameters<typeof live.until>[0]>[0]) =>
    message.event === 'snapshot' && message.data.taps[0]!.keg_empty_since !== null;
  await live.until(
    (message) =>
      isAsking(message) && message.event === 'snapshot' && message.data.drinks.length === sumDrinks,
  );
  const [drink] = (await send('GET', '/drinks')).drinks;
  expect(drink.ticks).toBe(3_000);
  expect(drink.gas_ticks).toBeGreaterThan(2_200);
  expect(drink.volume_ml).toBeGreaterThan(110);
  expect(drink.volume_ml).toBeLessThan(160);

  const ended = await send('POST', '/taps/1/keg-empty', { is_empty: true });
  expect(ended.keg).toBeNull();
  expect((await send('GET', '/kegs/1')).keg).toMatchObject({ state: 'finished' });
  await live.until((message) => message.event === 'snapshot' && !isAsking(message));
  live.close();
});
