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

const meters = ['flow0', 'flow1', 'flow2'];

/** Three taps, each with a valve and a keg of 30 L; the meters count 2.7 ticks per millilitre. */
async function startBar() {
  bar = makeBar({
    ...quickBar,
    meters: meters.map((port, i) => ({ port, pin: 17 + i, ticks_per_ml: 2.7 })),
    toggles: meters.map((_, i) => ({ port: `relay${i}`, pin: 5 + i })),
    taps: meters.map((meter, i) => ({ name: `Tap ${i + 1}`, meter, toggle: `relay${i}` })),
    pour: { idle_ms: 400, min_ml: 0 },
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
  return { send };
}

test('a tap that gets faster keeps its drinks, on a fresh keg too, and its valve stays open', async () => {
  const { send } = await startBar();
  const kegIds = (await send('GET', '/taps')).taps.map(({ keg }: { keg: { id: number } }) => keg.id);
  // The first keg is used, the others are fresh.
  await send('POST', '/taps/1/record-drink', { volume_ml: 5_000 });
  const counted = [0, 0, 0];
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const drinksOf = async (tap: number): Promise<{ ticks: number }[]> => {
    const { drinks } = await send('GET', '/drinks?limit=100');
    return drinks.filter(
      (one: { tap_id: string; ticks: number }) => one.tap_id === String(tap + 1) && one.ticks > 0,
    );
  };
  const ticksOf = (drinks: { ticks: number }[]) => drinks.reduce((sum, { ticks }) => sum + ticks, 0);
  /** Starts pulses; taps that start together to the millisecond would be held as crosstalk, so they start one after another. */
  let mayStart: Promise<unknown> = Promise.resolve();
  const start = (path: string, body: object) => {
    const started = mayStart.then(() => send('POST', path, body));
    mayStart = started.then(() => sleep(137));
    return started;
  };
  /** On a busy machine the pulses come late: the next ones would belong to the same pour before that has ended. */
  const untilRecorded = (tap: number) =>
    expect.poll(async () => ticksOf(await drinksOf(tap)), { interval: 200 }).toBe(counted[tap]);
  /** Even pulses for the pours from which the rate is learned: they end at once, a wheel rests after two seconds. */
  const learn = async (tap: number) => {
    await start('/simulator/pulses', { meter: `pi.${meters[tap]}`, ticks: 105, hz: 81 });
    counted[tap]! += 105;
    await sleep(105_000 / 81);
    await untilRecorded(tap);
  };
  const pour = async (tap: number, mlPerS: number, seed: number) => {
    const poured = await start('/simulator/pours', {
      meter: `pi.${meters[tap]}`,
      volume_ml: 250,
      flow_ml_per_s: mlPerS,
      seed,
    });
    counted[tap]! += poured.ticks;
    await sleep(poured.seconds * 1_000);
    await untilRecorded(tap);
  };
  const learned = 11;
  // After half open hands: fully open; the same on a fresh keg; and with more pressure first.
  const flows = [
    [62, 62, 62],
    [62, 62, 62],
    [88, 62, 62],
  ];
  await send('POST', '/flow-toggles/2/open', { seconds: 600 });
  await Promise.all(
    flows.map(async (ofTap, tap) => {
      for (let i = 0; i < learned; i++) await learn(tap);
      for (const [i, mlPerS] of ofTap.entries()) await pour(tap, mlPerS, 1 + 100 * tap + i);
    }),
  );
  expect((await send('GET', '/admin/valves')).valves).toHaveLength(1);
  for (const [tap, ofTap] of flows.entries()) {
    const own = await drinksOf(tap);
    expect(own).toHaveLength(learned + ofTap.length);
    const ticks = ticksOf(own);
    expect(ticks).toBe(counted[tap]);
    const { keg } = await send('GET', `/kegs/${kegIds[tap]}`);
    const givenMl = tap === 0 ? 5_000 : 0;
    expect(keg.full_volume_ml - keg.volume_ml_remain).toBeCloseTo(givenMl + ticks / 2.7, 0);
    expect((await send('GET', `/taps/${tap + 1}`)).tap.keg_empty_since ?? null).toBeNull();
  }
  const review = await send('GET', '/held-pours');
  expect([review.held_pours, review.reduced_drinks]).toEqual([[], []]);
});
