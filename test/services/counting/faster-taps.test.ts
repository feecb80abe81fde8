import { afterEach, describe, expect, test } from 'vitest';
import { typicalMeter } from '../../../src/devices/simulated/flow-model/meter-traits.ts';
import { createRandom } from '../../../src/devices/simulated/flow-model/random.ts';
import { simulateFlow } from '../../../src/devices/simulated/flow-model/simulate-flow.ts';
import { at, openBar } from '../../engine/bar.ts';
import { createCountingRig } from './counting-rig.ts';

/** Ticks per millilitre of the meter that counts, and of another model that takes its place. */
const ticksPerMl = 2.7;
const otherTicksPerMl = 5.4;
const idleMs = 1_000;
const kegMl = 30_000;

let rig: ReturnType<typeof createCountingRig> | null = null;

afterEach(async () => {
  await rig?.close();
  rig = null;
});

interface Pour {
  readonly ml: number;
  readonly mlPerS: number;
  /** Another opening from the middle of the pour on, as a multiple of the flow. */
  readonly later?: number;
  readonly meter?: number;
}

/** The counting of the daemon on simulated pins, and a tap with a keg of 30 L of which so much is gone. */
function openTap({ goneMl = 5_000 }: { readonly goneMl?: number } = {}) {
  const bar = openBar();
  const { engine, store, left, keg } = bar;
  store.taps.meters.calibrate(engine.taps.hardware.meters()[0]!.id, ticksPerMl, 0.01);
  if (goneMl > 0)
    engine.drinks.pours.report({ tap: left.id, ticks: 0, volumeMl: goneMl, source: 'post' }, at(0));
  const opened = createCountingRig({ bar, idleMs });
  rig = opened;
  let edges = 0;
  let seed = 0;
  const run = (flow: ReturnType<typeof simulateFlow>) => {
    edges += flow.stampsMs.length;
    opened.pins.pour('pi.flow0', flow.stampsMs, flow.durationMs);
    opened.heartbeats(flow.durationMs + idleMs + 200);
  };
  return {
    ...bar,
    edges: () => edges,
    pour({ ml, mlPerS, later, meter = ticksPerMl }: Pour) {
      const openMs = (ml / (mlPerS * (1 + (later ?? 1)) * 0.5)) * 1_000;
      const steps = [{ atMs: 0, valve: 1 }];
      if (later !== undefined) steps.push({ atMs: openMs / 2, valve: later });
      steps.push({ atMs: openMs, valve: 0 });
      const wheel = typicalMeter({ ticksPerMl: meter, minLPerMin: 0.5, maxHz: 2_000 });
      run(simulateFlow({ meter: wheel, flowMlPerS: mlPerS, steps }, ++seed));
    },
    /** The keg runs empty after so much beer, and the tap stays open for some seconds. */
    runEmpty({ afterMl, mlPerS }: { readonly afterMl: number; readonly mlPerS: number }) {
      const wheel = typicalMeter({ ticksPerMl, minLPerMin: 0.5, maxHz: 2_000 });
      const steps = [
        { atMs: 0, valve: 1 },
        { atMs: (afterMl / mlPerS) * 1_000 + 5_000, valve: 0 },
      ];
      const empty = { volumeMl: afterMl, gasRatio: 2, foamMs: 600, hasFob: false };
      run(simulateFlow({ meter: wheel, flowMlPerS: mlPerS, steps, keg: empty }, ++seed));
    },
    /** The keg holds what its drinks say, and every edge is a tick of a drink. */
    expectAllInDrinks() {
      const { servedVolumeMl } = engine.kegs.get(keg.id)!;
      const drinks = engine.drinks.list({}).items.filter(({ source }) => source === 'pin');
      const sum = (field: 'ticks' | 'gasTicks' | 'foamTicks' | 'volumeMl') =>
        drinks.reduce((total, drink) => total + drink[field], 0);
      expect([sum('ticks'), sum('gasTicks'), sum('foamTicks')]).toEqual([edges, 0, 0]);
      expect(sum('volumeMl') * ticksPerMl).toBeCloseTo(edges, 3);
      expect(servedVolumeMl).toBeCloseTo(goneMl + edges / ticksPerMl, 3);
      expect(engine.drinks.heldCount()).toBe(0);
      expect(engine.drinks.emptyKegs.all().size).toBe(0);
      expect(engine.site.checkDatabase()).toEqual([]);
    },
  };
}

const repeat = (times: number, pour: Pour): Pour[] => Array.from({ length: times }, () => pour);

/** What flows at one tap, one pour after the other, while the keg certainly has beer. */
const cases: Readonly<Record<string, () => readonly Pour[]>> = {
  'a hand that opens half, then another one fully': () => [
    ...repeat(11, { ml: 90, mlPerS: 30 }),
    ...repeat(3, { ml: 300, mlPerS: 62 }),
  ],
  'half open for thirty pours, then full for twelve': () => [
    ...repeat(30, { ml: 100, mlPerS: 30 }),
    ...repeat(12, { ml: 400, mlPerS: 60 }),
  ],
  'a rate that rises from 60 to 88 mL/s': () => [
    ...repeat(30, { ml: 150, mlPerS: 60 }),
    ...repeat(12, { ml: 400, mlPerS: 88 }),
  ],
  'another model of meter': () => [
    ...repeat(30, { ml: 100, mlPerS: 50 }),
    ...repeat(12, { ml: 400, mlPerS: 50, meter: otherTicksPerMl }),
  ],
  'a tap throttled and opened in one pour': () => [
    ...repeat(15, { ml: 100, mlPerS: 30 }),
    ...repeat(12, { ml: 400, mlPerS: 30, later: 2 }),
  ],
  'a regulator turned up by a half': () => [
    ...repeat(20, { ml: 200, mlPerS: 50 }),
    ...repeat(12, { ml: 300, mlPerS: 75 }),
  ],
  'two hands in turn': () =>
    Array.from({ length: 30 }, (_, i) => ({ ml: 200, mlPerS: i % 2 === 0 ? 30 : 62 })),
  'mixed hands, four of five half open': () => {
    const random = createRandom(5);
    return Array.from({ length: 60 }, () => ({ ml: 200, mlPerS: random.next() < 0.8 ? 30 : 62 }));
  },
  'a party tap that is squeezed, from a keg that is pumped up': () => {
    const random = createRandom(6);
    return Array.from({ length: 40 }, (_, i) => ({
      ml: 250,
      mlPerS: random.between(20, 45) * (i % 8 === 0 ? 1.6 : 1),
      later: random.between(0.4, 2.5),
    }));
  },
  'meters of two taps that are swapped': () => [
    ...repeat(20, { ml: 150, mlPerS: 35 }),
    ...repeat(12, { ml: 300, mlPerS: 75 }),
    ...repeat(12, { ml: 300, mlPerS: 35 }),
  ],
};

describe.each(Object.entries(cases))('%s', (_name, pours) => {
  test('is all beer: nothing is held, nobody is asked, every tick is in a drink of its keg', () => {
    const tap = openTap();
    for (const pour of pours()) tap.pour(pour);
    tap.expectAllInDrinks();
  });

  test('is all beer on a fresh keg, too', () => {
    const tap = openTap({ goneMl: 0 });
    for (const pour of pours()) tap.pour(pour);
    tap.expectAllInDrinks();
  });

  test('is all beer shortly before the keg is empty, or one answer restores it', () => {
    const flows = pours();
    const totalMl = flows.reduce((sum, { ml, meter = ticksPerMl }) => sum + (ml * meter) / ticksPerMl, 0);
    const tap = openTap({ goneMl: kegMl - totalMl - 300 });
    for (const flow of flows) tap.pour(flow);
    tap.engine.drinks.emptyKegs.deny(tap.left.id, at(3_600_000));
    tap.expectAllInDrinks();
  });
});

test('gas at the end of a keg is found whatever the hands were before, and one answer counts it as beer', () => {
  const tap = openTap({ goneMl: kegMl - 4_000 });
  for (let i = 0; i < 12; i++) tap.pour({ ml: 200, mlPerS: i % 3 === 0 ? 62 : 30 });
  tap.runEmpty({ afterMl: 200, mlPerS: 62 });
  const [drink] = tap.engine.drinks.list({}).items;
  expect(drink!.gasTicks).toBeGreaterThan(3.5 * 2 * 62 * ticksPerMl);
  // Before the gas 600 ms of foam count as beer.
  expect(Math.abs(drink!.volumeMl - 230)).toBeLessThan(30);
  expect([...tap.engine.drinks.emptyKegs.all().keys()]).toEqual([tap.left.id]);
  // Somebody tries again: gas alone, which is held.
  tap.runEmpty({ afterMl: 0, mlPerS: 62 });
  expect(tap.engine.drinks.held()).toMatchObject([{ heldReason: 'gas', gasTicks: 0 }]);
  tap.engine.drinks.emptyKegs.deny(tap.left.id, at(3_600_000));
  tap.expectAllInDrinks();
});
