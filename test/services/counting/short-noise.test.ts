import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMeterCatalogue } from '../../../src/config/meter-catalogue.ts';
import { drawMeter } from '../../../src/devices/simulated/flow-model/meter-traits.ts';
import { createRandom, type Random } from '../../../src/devices/simulated/flow-model/random.ts';
import { simulateFlow } from '../../../src/devices/simulated/flow-model/simulate-flow.ts';
import { at, openBar } from '../../engine/bar.ts';
import { createCountingRig } from './counting-rig.ts';

/** The defaults of the settings file. */
const defaults = { minPourTicks: 3, minPourMl: 10, minPourMlPerS: 2 };
const meters = ['titan-865', 'titan-824', 'yf-s201', 'swissflow-sf800'];
const runs = 50;
const catalogue = readMeterCatalogue();

let rig: ReturnType<typeof createCountingRig>;
let bar: ReturnType<typeof openBar>;
beforeAll(() => {
  bar = openBar(':memory:', defaults);
  rig = createCountingRig({ bar, driver: 'cdev' });
});
afterAll(() => rig.close());

/** Random edges of a rate from `fromMs` on. */
function edges(fromMs: number, { hz, count, ms }: { hz: number; count: number; ms: number }, random: Random) {
  const stamps: number[] = [];
  let at = fromMs + random.exponential(1_000 / hz);
  for (; at < fromMs + ms && stamps.length < count; at += random.exponential(1_000 / hz)) stamps.push(at);
  return stamps;
}

const burst = (random: Random) =>
  edges(0, { hz: random.between(50, 1_000), count: 1_000, ms: random.between(20, 200) }, random);
const five = (apartMs: number) => (random: Random) =>
  [0, 1, 2, 3, 4].flatMap((i) =>
    edges(
      i * apartMs,
      { hz: random.between(50, 1_000), count: Math.floor(random.between(2, 7)), ms: 400 },
      random,
    ),
  );

/** What the daemon makes of so many of them at a calibrated meter: drinks, and pours that are held. */
function count(model: string, create: (random: Random) => readonly number[]) {
  const { ticksPerMl } = catalogue.get(model)!;
  bar.engine.drinks.calibrate(1, { ticksPerMl, kegId: null }, at(0));
  const recorded = (of: 'valid' | 'held') =>
    bar.store.drinks.page(of, Number.MAX_SAFE_INTEGER, 10_000).length;
  const before = [recorded('valid'), recorded('held')];
  const random = createRandom(5);
  for (let i = 0; i < runs; i++) {
    const stamps = create(random);
    rig.pins.pour('pi.flow0', stamps, (stamps.at(-1) ?? 0) + 1);
    rig.heartbeats(Math.max(0, stamps.at(-1) ?? 0) + 5_500);
  }
  return { drinks: recorded('valid') - before[0]!, held: recorded('held') - before[1]! };
}

test.each(meters)('%s: of short noise at most one in fifty becomes a drink', (model) => {
  for (const noise of [burst, five(2_000), five(1_000)])
    expect(count(model, noise).drinks).toBeLessThanOrEqual(0.02 * runs);
});

test.each(meters)('%s: no real pour of 10 to 45 mL is held', (model) => {
  const figures = catalogue.get(model)!;
  const glass = (random: Random) => {
    const flowMlPerS = random.between(45, 85);
    const openMs = (random.between(10, 45) / flowMlPerS) * 1_000;
    const steps = [
      { atMs: 0, valve: 1 },
      { atMs: openMs, valve: 0 },
    ];
    const valveMs = random.between(60, 250);
    const scenario = { meter: drawMeter(figures, random), flowMlPerS, valveMs, steps };
    return [...simulateFlow(scenario, Math.floor(random.next() * 2 ** 31)).stampsMs];
  };
  const { drinks, held } = count(model, glass);
  expect(held).toBe(0);
  expect(drinks).toBeGreaterThan(0.8 * runs);
});
