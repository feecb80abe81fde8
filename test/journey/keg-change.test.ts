import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import {
  type BarFolder,
  createStaffKey,
  makeBar,
  quickBar,
  type RunningDaemon,
  startDaemon,
} from '../kit/daemon.ts';

// Pours run in real time.
vi.setConfig({ testTimeout: 120_000 });

let bar: BarFolder;
let daemon: RunningDaemon;

afterEach(async () => {
  await daemon.kill();
  bar.remove();
});

const ticksPerMl = 5.4;
const hz = 400;

interface Drink {
  readonly id: number;
  readonly keg_id: number | null;
  readonly volume_ml: number;
  readonly ticks: number;
  readonly parts?: readonly { readonly keg_id: number; readonly ticks: number; readonly volume_ml: number }[];
}

/** A bar with one empty tap, whose pours end two seconds after the last tick. */
async function startBar() {
  bar = makeBar({
    ...quickBar,
    meters: [{ port: 'flow0', pin: 17, ticks_per_ml: ticksPerMl }],
    toggles: [],
    taps: [{ name: 'Tap 1', meter: 'flow0' }],
    pour: { idle_ms: 2_000, min_ml: 0 },
  });
  daemon = await startDaemon(bar);
  const key = await createStaffKey(bar, 'nora');
  const call = async (method: string, path: string, body?: object | URLSearchParams) => {
    const isForm = body instanceof URLSearchParams;
    const response = await fetch(`${daemon.url}/api${path}`, {
      method,
      headers: {
        'X-Kegbot-Api-Key': key,
        ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const answer = await response.json();
    expect(response.ok, JSON.stringify(answer)).toBe(true);
    return answer.result;
  };
  const tap = (await call('GET', '/taps')).taps[0];
  if (tap.current_keg_id !== null || tap.keg) await call('POST', '/taps/1/end-keg', {});
  return {
    call,
    startKeg: async (name: string, changedAt?: number): Promise<number> =>
      (
        await call('POST', '/taps/1/start-keg', {
          beverage_name: name,
          producer_name: 'Test',
          style_name: 'Lager',
          full_volume_ml: 30_000,
          ...(changedAt === undefined ? {} : { changed_at: changedAt }),
        })
      ).keg.id,
    endKeg: (body: object = {}) => call('POST', '/taps/1/end-keg', body),
    /** Pours and returns while it runs. */
    pour: (ticks: number) => call('POST', '/simulator/pulses', { meter: 'pi.flow0', ticks, hz }),
    drinks: async (): Promise<readonly Drink[]> => (await call('GET', '/drinks?limit=10')).drinks,
    nextDrink(known: number): Promise<Drink> {
      return vi.waitUntil(
        async () => {
          const { drinks } = await call('GET', '/drinks?limit=10');
          return drinks.length > known ? drinks[0] : null;
        },
        { timeout: 30_000, interval: 200 },
      );
    },
    served: async (kegId: number): Promise<number> => {
      const { keg } = await call('GET', `/kegs/${kegId}`);
      return keg.full_volume_ml - keg.volume_ml_remain;
    },
  };
}

test('a glass is of the keg that was on the tap, not of the one that is there when it is recorded', async () => {
  const { pour, startKeg, endKeg, nextDrink, served } = await startBar();
  const first = await startKeg('First');
  await pour(1_620);
  await sleep((1_620 / hz) * 1_000 + 1_000);
  const ended = await endKeg();
  // The glass that has just ended is in what the end answers.
  expect(ended.ended_keg).toMatchObject({ id: first, running_ml: expect.closeTo(300, 0) });
  expect(ended.ended_keg.volume_ml_remain).toBeCloseTo(29_700, 0);
  const second = await startKeg('Second');
  const drink = await nextDrink(0);
  expect(drink).toMatchObject({ keg_id: first, ticks: 1_620 });
  expect(drink.parts).toBeUndefined();
  expect(await served(first)).toBeCloseTo(300, 3);
  expect(await served(second)).toBe(0);
});

test('a glass is divided by its ticks when the keg is changed while it flows', async () => {
  const { pour, startKeg, endKeg, nextDrink, served } = await startBar();
  const first = await startKeg('First');
  await pour(3_200);
  await sleep(3_000);
  await endKeg();
  const second = await startKeg('Second');
  const drink = await nextDrink(0);
  expect(drink.ticks).toBe(3_200);
  const [before, after] = drink.parts!;
  expect([before!.keg_id, after!.keg_id, drink.keg_id]).toEqual([first, second, second]);
  // The stamps have 100 ms; the requests took some more.
  expect(Math.abs(before!.ticks - 3 * hz)).toBeLessThan(hz);
  expect(before!.ticks + after!.ticks).toBe(3_200);
  expect(before!.volume_ml + after!.volume_ml).toBeCloseTo(drink.volume_ml, 5);
  expect(await served(first)).toBeCloseTo(before!.volume_ml, 5);
  expect(await served(second)).toBeCloseTo(after!.volume_ml, 5);
});

test('reports that come after a keg change are of the keg before, and a change can be told late', async () => {
  const { call, startKeg, endKeg, served, drinks } = await startBar();
  const first = await startKeg('First');
  await sleep(3_000);
  const poured = Math.floor(Date.now() / 1_000);
  await sleep(3_000);
  const changed = Math.floor(Date.now() / 1_000) - 1;
  // Staff press the button late: a glass of the second keg is poured before.
  await sleep(2_000);
  await call('POST', '/taps/1/record-drink', { volume_ml: 400 });
  await endKeg({ changed_at: changed });
  const second = await startKeg('Second', changed);
  const now = Math.floor(Date.now() / 1_000);
  await call(
    'POST',
    '/v1/taps/pi.flow0',
    new URLSearchParams({ ticks: '1620', pour_time: String(poured), now: String(now) }),
  );
  await call('POST', '/taps/1/record-drink', { volume_ml: 250, pour_time: poured - 1 });
  const kegs = (await drinks()).map(({ keg_id, volume_ml }) => [keg_id, Math.round(volume_ml)]);
  expect(kegs).toEqual([
    [first, 250],
    [first, 300],
    [second, 400],
  ]);
  expect(await served(first)).toBeCloseTo(550, 3);
  expect(await served(second)).toBe(400);
});
