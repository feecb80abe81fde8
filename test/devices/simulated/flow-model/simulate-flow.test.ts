import { expect, test } from 'vitest';
import { readMeterCatalogue } from '../../../../src/config/meter-catalogue.ts';
import { drawMeter, typicalMeter } from '../../../../src/devices/simulated/flow-model/meter-traits.ts';
import { createRandom } from '../../../../src/devices/simulated/flow-model/random.ts';
import type { FlowScenario } from '../../../../src/devices/simulated/flow-model/scenario.ts';
import { simulateFlow } from '../../../../src/devices/simulated/flow-model/simulate-flow.ts';

const catalogue = readMeterCatalogue();
const sf800 = typicalMeter(catalogue.get('swissflow-sf800')!);
const yf21 = typicalMeter(catalogue.get('seeed-yf-21')!);

/** A tap that is open for `openMs`, at 60 mL/s without noise unless changed. */
const pour = (openMs: number, change: Partial<FlowScenario> = {}): FlowScenario => ({
  meter: sf800,
  flowMlPerS: 60,
  unsteadiness: 0,
  valveMs: 0,
  steps: [
    { atMs: 100, valve: 1 },
    { atMs: 100 + openMs, valve: 0 },
  ],
  ...change,
});

const countBetween = (stamps: Float64Array, fromMs: number, toMs: number): number =>
  stamps.filter((at) => at >= fromMs && at < toMs).length;

test('a tap that is open for five seconds pours its flow, and the meter ticks by its calibration', () => {
  const flow = simulateFlow(pour(5_000), 1);
  expect(flow.beerMl).toBeCloseTo(300, 0);
  expect(flow).toMatchObject({ gasMl: 0, foamMl: 0, waterMl: 0, backMl: 0 });
  expect(flow.stampsMs.length / flow.beerMl).toBeCloseTo(5.4, 1);
  expect(flow.phases).toEqual([{ kind: 'beer', startMs: 100, endMs: 5_100 }]);
});

test('the calibration follows the table of the YF-21 within 1 %', () => {
  const table = [
    [2, 480],
    [4, 487.5],
    [6, 493],
    [8, 491],
    [10, 492],
  ] as const;
  for (const [lPerMin, pulsesPerL] of table) {
    const { stampsMs } = simulateFlow(pour(60_000, { meter: yf21, flowMlPerS: (lPerMin * 1_000) / 60 }), 2);
    const perL = countBetween(stampsMs, 10_000, 60_000) / ((lPerMin / 60) * 50);
    expect(Math.abs(perL / pulsesPerL - 1), `${lPerMin} L/min: ${perL}`).toBeLessThan(0.01);
  }
});

test('below its range the wheel stands still, and a drop a second shows nothing', () => {
  expect(simulateFlow(pour(60_000, { meter: yf21, flowMlPerS: 8 }), 3).stampsMs).toHaveLength(0);
  const drops = { everyMs: 1_000, ml: 0.05, ms: 60 };
  const leak = simulateFlow(
    { meter: sf800, flowMlPerS: 60, steps: [], durationMs: 600_000, drips: drops },
    3,
  );
  expect(leak.stampsMs).toHaveLength(0);
  expect(leak.beerMl).toBeGreaterThan(20);
});

test('a leak above the stall of the wheel ticks while the tap is shut', () => {
  const flow = simulateFlow(
    { meter: sf800, flowMlPerS: 60, steps: [], durationMs: 10_000, leakMlPerS: 6 },
    4,
  );
  expect(flow.beerMl).toBeCloseTo(60, 0);
  expect(flow.stampsMs.length).toBeGreaterThan(280);
});

test('a wheel that stops sooner than it starts counts less, by the flow times the difference', () => {
  const meter = { ...sf800, unevenness: 0, jitterMs: 0, rollOffMlPerS: 0, ticksPerMl: 5, stallMlPerS: 0.1 };
  const ticks = (tauUpMs: number, tauDownMs: number) =>
    simulateFlow(pour(5_000, { meter: { ...meter, tauUpMs, tauDownMs } }), 5).stampsMs.length;
  // 60 mL/s · 30 ms = 1.8 mL, 9 ticks.
  expect(ticks(90, 60) - ticks(75, 75)).toBeGreaterThanOrEqual(-10);
  expect(ticks(90, 60) - ticks(75, 75)).toBeLessThanOrEqual(-8);
});

test('ticks go on for a moment after the tap has shut', () => {
  const { stampsMs } = simulateFlow(pour(3_000), 6);
  const last = stampsMs.at(-1)!;
  expect(last).toBeGreaterThan(3_150);
  expect(last).toBeLessThan(3_700);
});

test('an empty keg gives foam, then gas that flows faster, and the volumes say which', () => {
  const keg = { volumeMl: 300, gasRatio: 2, foamMs: 800, hasFob: false };
  const flow = simulateFlow(pour(12_000, { keg }), 7);
  expect(flow.beerMl).toBeCloseTo(300, 0);
  expect(flow.phases.map(({ kind }) => kind)).toEqual(['beer', 'foam', 'gas']);
  const [, foam, gas] = flow.phases;
  expect(foam!.endMs - foam!.startMs).toBe(800);
  const gasHz =
    countBetween(flow.stampsMs, gas!.startMs + 500, gas!.endMs) / ((gas!.endMs - gas!.startMs - 500) / 1_000);
  expect(gasHz / (60 * 5.4)).toBeGreaterThan(1.85);
  expect(gasHz / (60 * 5.4)).toBeLessThan(2.2);
  expect(flow.foamBeerMl).toBeCloseTo(flow.foamMl / 4);
});

test('a foam-on-beer detector ends the pour without foam and gas', () => {
  const keg = { volumeMl: 300, gasRatio: 2, foamMs: 800, hasFob: true };
  const flow = simulateFlow(pour(12_000, { keg }), 8);
  expect(flow).toMatchObject({ foamMl: 0, gasMl: 0 });
  expect(flow.phases.map(({ kind }) => kind)).toEqual(['beer']);
  expect(flow.stampsMs.at(-1)).toBeLessThan(6_500);
});

test('warm beer and pressure flow faster, cold beer slows the wheel', () => {
  const volume = (change: Partial<FlowScenario>) => simulateFlow(pour(5_000, change), 9).beerMl;
  expect(volume({ pressureBar: 1.21 }) / volume({})).toBeCloseTo(1.1);
  expect(volume({ temperatureC: 12 })).toBeGreaterThan(volume({}));
  expect(volume({ pressureBar: 0 })).toBe(0);
  const meter = { ...sf800, rollOffMlPerS: 3 };
  const perMl = (temperatureC: number) => {
    const { stampsMs, beerMl } = simulateFlow(pour(20_000, { meter, temperatureC }), 9);
    return stampsMs.length / beerMl;
  };
  expect(perMl(1)).toBeLessThan(perMl(12));
});

test('cleaning is water at the flow of its pump, whatever the tap does', () => {
  const cleaning = [{ atMs: 1_000, durationMs: 10_000, flowMlPerS: 25 }];
  const flow = simulateFlow({ meter: sf800, flowMlPerS: 60, unsteadiness: 0, steps: [], cleaning }, 10);
  expect(flow).toMatchObject({ beerMl: 0, phases: [{ kind: 'water', startMs: 1_000, endMs: 11_000 }] });
  expect(flow.waterMl).toBeCloseTo(250, 0);
});

test('the liquid that swings back after the tap has shut ticks, and is no beer', () => {
  // A light wheel follows the swing; a heavier one is braked by it.
  const meter = { ...sf800, tauUpMs: 10, tauDownMs: 10 };
  const still = simulateFlow(pour(3_000, { meter }), 11);
  const swinging = simulateFlow(pour(3_000, { meter, reboundMl: 2 }), 11);
  expect(swinging.backMl).toBeGreaterThan(1);
  expect(swinging.stampsMs.length).toBeGreaterThan(still.stampsMs.length);
});

test('noise adds edges that are no ticks of the wheel', () => {
  const disturbances = [
    { kind: 'burst', atMs: 500, durationMs: 1_000, hz: 400 },
    { kind: 'mains', atMs: 2_000, durationMs: 1_000, hz: 50 },
  ] as const;
  const flow = simulateFlow({ meter: sf800, flowMlPerS: 60, steps: [], disturbances }, 12);
  expect(flow).toMatchObject({ wheelTicks: 0, beerMl: 0, phases: [] });
  expect(countBetween(flow.stampsMs, 500, 1_500)).toBeGreaterThan(320);
  expect(countBetween(flow.stampsMs, 2_000, 3_000)).toBe(50);
  const bounced = simulateFlow(
    pour(2_000, { disturbances: [{ kind: 'bounce', share: 0.5, withinMs: 0.5 }] }),
    13,
  );
  expect(bounced.stampsMs.length).toBeGreaterThan(1.5 * bounced.wheelTicks);
});

test('drawn meters are within the bounds of the sources', () => {
  const random = createRandom(14);
  for (const figures of catalogue.values()) {
    const meter = drawMeter(figures, random);
    expect(meter.tauUpMs).toBeGreaterThanOrEqual(50);
    expect(meter.tauUpMs).toBeLessThanOrEqual(150);
    expect(meter.unevenness).toBeLessThanOrEqual(0.15);
    expect(Math.abs(meter.ticksPerMl / figures.ticksPerMl - 1)).toBeLessThan(0.08);
  }
});
