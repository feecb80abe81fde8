import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketVolumes, curveVolume, factorAtRate } from '../../../src/core/measurement/meter-curve.ts';
import { pourVolume } from '../../../src/core/measurement/pour-volume.ts';
import { volumeOfTicks } from '../../../src/core/pours/calibration.ts';
import { maxSeriesPairs, sumTicks } from '../../../src/core/pours/tick-series.ts';
import { propertyRuns } from '../../kit/slow.ts';

const factor = fc.double({ min: 0.001, max: 1_000, noNaN: true });
const hz = fc.double({ min: 0.01, max: 100_000, noNaN: true });
const rates = fc.uniqueArray(hz, { minLength: 1, maxLength: 8 }).map((all) => all.toSorted((a, b) => a - b));
const pairs = fc
  .uniqueArray(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: maxSeriesPairs })
  .chain((slots) =>
    fc
      .array(fc.integer({ min: 1, max: 400 }), { minLength: slots.length, maxLength: slots.length })
      .map((ticks) =>
        slots.toSorted((a, b) => a - b).map((slot, i) => ({ ms: slot * 100, ticks: ticks[i]! })),
      ),
  );
const curve = fc.record({ rates, factors: fc.array(factor, { minLength: 8, maxLength: 8 }) }).map((one) => ({
  points: one.rates.map((rate, i) => ({ hz: rate, ticksPerMl: one.factors[i]! })),
  offsetTicks: 0,
}));

const numRuns = propertyRuns(200);

test('property: one point, or equal factors, give the volume of the one factor', () => {
  fc.assert(
    fc.property(pairs, rates, factor, (series, hertz, ticksPerMl) => {
      const meter = {
        ticksPerMl,
        curve: { points: hertz.map((hz) => ({ hz, ticksPerMl })), offsetTicks: 0 },
      };
      const ticks = sumTicks(series);
      const text = series.map((pair) => `${pair.ms}:${pair.ticks}`).join(' ');
      const pour = { source: 'pin', ticks, gasTicks: 0, foamTicks: 0, series: text, pourId: 'a' } as const;
      const simple = volumeOfTicks(ticks, ticksPerMl);
      expect(Math.abs(pourVolume(meter, pour) / simple - 1)).toBeLessThan(1e-12);
      // Without a curve it is not merely close.
      expect(pourVolume({ ticksPerMl, curve: null }, pour)).toBe(simple);
    }),
    { numRuns },
  );
});

test('property: the volumes of the intervals add up to that of the pour', () => {
  fc.assert(
    fc.property(pairs, curve, (series, meter) => {
      const sum = bucketVolumes(series, meter).reduce((total, ml) => total + ml, 0);
      expect(Math.abs(curveVolume(series, meter) / sum - 1)).toBeLessThan(1e-12);
    }),
    { numRuns },
  );
});

test('property: a volume is between those by the lowest and the highest factor', () => {
  fc.assert(
    fc.property(pairs, curve, hz, (series, meter, rate) => {
      const factors = meter.points.map(({ ticksPerMl }) => ticksPerMl);
      const [low, high] = [Math.min(...factors), Math.max(...factors)];
      const volumeMl = curveVolume(series, meter);
      expect(volumeMl).toBeGreaterThanOrEqual((sumTicks(series) / high) * (1 - 1e-12));
      expect(volumeMl).toBeLessThanOrEqual((sumTicks(series) / low) * (1 + 1e-12));
      expect(factorAtRate(meter, rate)).toBeGreaterThanOrEqual(low * (1 - 1e-12));
      expect(factorAtRate(meter, rate)).toBeLessThanOrEqual(high * (1 + 1e-12));
    }),
    { numRuns },
  );
});
