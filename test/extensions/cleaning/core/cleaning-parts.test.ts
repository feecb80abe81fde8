import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divideCleaning } from '../../../../src/extensions/cleaning/core/cleaning-parts.ts';
import { cleaningSteps } from '../../../../src/extensions/cleaning/core/cleaning-terms.ts';

const step = (name: (typeof cleaningSteps)[number], sinceMs: number) => ({ step: name, sinceMs });
const pour = (timeMs: number, volumeMl: number) => ({ timeMs, durationMs: 1_000, volumeMl });
const steps = [
  step('push_out', 0),
  step('cleaner', 100_000),
  step('rinse', 200_000),
  step('refill', 300_000),
];

test('the first line volume is beer, the rest is what the step says', () => {
  const pours = [pour(50_000, 800), pour(150_000, 2_000), pour(250_000, 1_500)];
  expect(divideCleaning({ pours, steps, lineVolumeMl: 500, hasBeer: true })).toEqual({
    beerMl: 500,
    cleanerMl: 2_000,
    rinseMl: 1_800,
  });
});

test('cleaner that pushes the beer out loses it, too', () => {
  const pours = [pour(150_000, 2_000)];
  const parts = divideCleaning({ pours, steps: [step('cleaner', 0)], lineVolumeMl: 500, hasBeer: true });
  expect(parts).toEqual({ beerMl: 500, cleanerMl: 1_500, rinseMl: 0 });
});

test('the beer of the line is lost once: filling it again pushes out water first', () => {
  const pours = [pour(50_000, 500), pour(350_000, 650)];
  expect(divideCleaning({ pours, steps, lineVolumeMl: 500, hasBeer: true })).toEqual({
    beerMl: 500 + 150,
    cleanerMl: 0,
    rinseMl: 500,
  });
});

test('without a line volume all that is pushed out is beer', () => {
  const pours = [pour(50_000, 800), pour(150_000, 2_000), pour(350_000, 650)];
  expect(divideCleaning({ pours, steps, lineVolumeMl: null, hasBeer: true })).toEqual({
    beerMl: 800,
    cleanerMl: 2_000,
    rinseMl: 650,
  });
});

test('a line that held water loses no beer', () => {
  const pours = [pour(50_000, 800), pour(150_000, 2_000)];
  expect(divideCleaning({ pours, steps, lineVolumeMl: 500, hasBeer: false })).toEqual({
    beerMl: 0,
    cleanerMl: 2_000,
    rinseMl: 800,
  });
});

test('property: the parts are what flowed, in any order of steps and pours', () => {
  const flow = fc.record({
    pours: fc.array(
      fc.record({
        timeMs: fc.integer({ min: 0, max: 1_000_000 }),
        durationMs: fc.integer({ min: 0, max: 300_000 }),
        volumeMl: fc.integer({ min: 0, max: 40_000 }),
      }),
      { maxLength: 20 },
    ),
    steps: fc.array(
      fc.record({ step: fc.constantFrom(...cleaningSteps), sinceMs: fc.integer({ min: 0, max: 1_000_000 }) }),
      { maxLength: 8 },
    ),
    lineVolumeMl: fc.option(fc.integer({ min: 0, max: 20_000 })),
    hasBeer: fc.boolean(),
  });
  fc.assert(
    fc.property(flow, (one) => {
      const { beerMl, cleanerMl, rinseMl } = divideCleaning(one);
      const total = one.pours.reduce((sum, { volumeMl }) => sum + volumeMl, 0);
      expect(beerMl + cleanerMl + rinseMl).toBeCloseTo(total, 6);
      expect(Math.min(beerMl, cleanerMl, rinseMl)).toBeGreaterThanOrEqual(0);
    }),
  );
});
