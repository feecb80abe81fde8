import { expect, test } from 'vitest';
import { simulatePour } from '../../../src/devices/simulated/simulated-pour.ts';

const figures = { ticksPerMl: 5.4, minLPerMin: 0.5, maxHz: 2_030 };

test('a simulated pour of 330 mL pours it within 2 %', () => {
  const flow = simulatePour(figures, { volumeMl: 330, flowMlPerS: 60, seed: 1 });
  expect(Math.abs(flow.beerMl / 330 - 1)).toBeLessThan(0.02);
  expect(Math.abs(flow.stampsMs.length / flow.beerMl / 5.4 - 1)).toBeLessThan(0.02);
  expect(flow.gasMl).toBe(0);
});

test('when the keg is empty the tap stays open for gas', () => {
  const flow = simulatePour(figures, { volumeMl: 600, flowMlPerS: 60, kegEmptiesAfterMl: 300, seed: 1 });
  expect(flow.beerMl).toBeCloseTo(300, 0);
  // Five seconds are left, of which 0.8 are foam; gas flows twice as fast.
  expect(flow.gasMl).toBeGreaterThan(400);
  expect(flow.gasMl).toBeLessThan(600);
});
