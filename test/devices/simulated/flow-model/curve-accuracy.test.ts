import { expect, test } from 'vitest';
import { readMeterCatalogue } from '../../../../src/config/meter-catalogue.ts';
import { curveThrough, scaleToFactor } from '../../../../src/core/measurement/meter-curve.ts';
import { pourVolume } from '../../../../src/core/measurement/pour-volume.ts';
import { TickSeries } from '../../../../src/core/pours/tick-series.ts';
import { typicalMeter } from '../../../../src/devices/simulated/flow-model/meter-traits.ts';
import { simulateFlow } from '../../../../src/devices/simulated/flow-model/simulate-flow.ts';

const sheet = readMeterCatalogue().get('seeed-yf-21')!;
const openMlPerS = 100;
const pours = 40;

/** A pour of half a litre through a YF-21, with the tap opened by a share. */
function simulatePour(valve: number, seed: number) {
  const meter = { ...typicalMeter(sheet), unevenness: 0 };
  const endMs = 500_000 / (openMlPerS * valve);
  const { stampsMs, beerMl } = simulateFlow(
    {
      meter,
      flowMlPerS: openMlPerS,
      steps: [
        { atMs: 0, valve },
        { atMs: endMs, valve: 0 },
      ],
    },
    seed,
  );
  const series = new TickSeries();
  for (const stamp of stampsMs) series.add(stamp - stampsMs[0]!);
  const ticks = stampsMs.length;
  return {
    beerMl,
    pour: {
      source: 'pin',
      ticks,
      gasTicks: 0,
      foamTicks: 0,
      series: series.toString(),
      pourId: 'a',
    } as const,
  };
}

const simulate = (valve: number, firstSeed: number) =>
  Array.from({ length: pours }, (_, i) => simulatePour(valve, firstSeed + i));

/** Mean error of the volumes, as a share. */
function meanError(poured: ReturnType<typeof simulate>, meter: Parameters<typeof pourVolume>[0]): number {
  const errors = poured.map(({ pour, beerMl }) => pourVolume(meter, pour) / beerMl - 1);
  return errors.reduce((sum, one) => sum + one, 0) / errors.length;
}

/** The factor and the rate of measured pours. */
function measure(poured: ReturnType<typeof simulate>, valve: number) {
  const sum = poured.reduce(
    (total, { pour, beerMl }) => ({ ticks: total.ticks + pour.ticks, ml: total.ml + beerMl }),
    {
      ticks: 0,
      ml: 0,
    },
  );
  const ticksPerMl = sum.ticks / sum.ml;
  return { hz: ticksPerMl * openMlPerS * valve, ticksPerMl };
}

test('the curve of the data sheet, and one of pours at two flows, make throttled pours through a YF-21 more exact', () => {
  const usual = measure(simulate(1, 1), 1);
  const oneFactor = { ticksPerMl: usual.ticksPerMl, curve: null };
  const bySheet = {
    ...oneFactor,
    curve: { points: scaleToFactor(sheet.points, usual), offsetTicks: 0 },
  };
  const byPours = {
    ...oneFactor,
    curve: { points: curveThrough(measure(simulate(0.3, 100), 0.3), usual), offsetTicks: 0 },
  };
  const errors = (valve: number, firstSeed: number) => {
    const poured = simulate(valve, firstSeed);
    return [oneFactor, bySheet, byPours].map((meter) => meanError(poured, meter));
  };
  const [third, half, open] = [errors(0.3, 1_000), errors(0.5, 2_000), errors(1, 3_000)];
  // The sheet's table is not smooth, and the model follows it within 1 % only.
  expect(third[0]).toBeLessThan(-0.018);
  expect(Math.abs(third[1]!)).toBeLessThan(0.008);
  expect(Math.abs(third[2]!)).toBeLessThan(0.002);
  expect(half[0]).toBeLessThan(-0.007);
  expect(Math.abs(half[2]!)).toBeLessThan(0.002);
  for (const error of open) expect(Math.abs(error)).toBeLessThan(0.002);
});
