import { expect, test } from 'vitest';
import { toKegDensity } from '../../../../src/core/kegs/keg-density.ts';
import { toScaleRemainder, toScaleVolume } from '../../../../src/extensions/scales/core/scale-beer.ts';
import { judgeKegSize } from '../../../../src/extensions/scales/core/scale-findings.ts';

test('the weight of a litre of unknown beer is a litre', () => {
  expect(toScaleVolume(1_005.4, 10, toKegDensity(null)).volumeMl).toBeCloseTo(1_000, 1);
});

test('what is left is the weight without the empty keg', () => {
  const { volumeMl, uMl } = toScaleRemainder(40_000, 10_000, toKegDensity(null));
  expect(volumeMl).toBeCloseTo(29_839, 0);
  // Empty keg and zero 150 g each; density and gain half a per cent each.
  expect(uMl).toBeGreaterThan(250);
  expect(uMl).toBeLessThan(320);
});

test('a keg of 30 L that is noted as one of 50 L has a wrong size, half a litre more or less is none', () => {
  const scale = (volumeMl: number) => ({ volumeMl, uMl: 280 });
  const record = { volumeMl: 50_000, uMl: 300 };
  expect(judgeKegSize(scale(30_000), record)).toEqual({
    kind: 'wrong_keg_size',
    figures: { scaleMl: 30_000, meterMl: 50_000, uMl: expect.closeTo(410, -1), ratio: null },
  });
  expect(judgeKegSize(scale(50_500), record)).toEqual({ kind: 'wrong_keg_size', figures: null });
  // Between two and three standard uncertainties nothing is said.
  expect(judgeKegSize(scale(51_000), record)).toBeNull();
});
