import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../kit/slow.ts';
import { at, hour, openBar, pour } from '../bar.ts';

const buckets = fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 5, maxLength: 60 });
const pours = fc.array(
  fc.record({
    buckets,
    hours: fc.integer({ min: 1, max: 30 }),
    gasShare: fc.double({ min: 0, max: 0.8, noNaN: true }),
  }),
  {
    minLength: 1,
    maxLength: 8,
  },
);
const curve = fc
  .record({
    rates: fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 8 }),
    factors: fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: 8, maxLength: 8 }),
    offsetTicks: fc.integer({ min: -5, max: 5 }),
  })
  .map(({ rates, factors, offsetTicks }) => ({
    points: rates.toSorted((a, b) => a - b).map((hz, i) => ({ hz, ticksPerMl: factors[i]! })),
    offsetTicks,
  }));

test('property: totals follow a curve, and undoing it restores each drink, keg, session and sum of the reports', () => {
  fc.assert(
    fc.property(
      pours,
      curve,
      fc.option(fc.double({ min: 0.5, max: 2, noNaN: true })),
      (poured, newCurve, ticksPerMl) => {
        const { engine, store, keg } = openBar();
        try {
          for (const one of poured) {
            const ended = at(one.hours * hour);
            const ticks = one.buckets.reduce((sum, count) => sum + count, 0);
            const gasTicks = Math.floor(one.gasShare * ticks);
            const series = one.buckets.map((count, i) => `${i * 100}:${count}`).join(' ');
            const gas =
              gasTicks === 0 ? null : ({ class: 'gas', onsetMs: 100, ticks: gasTicks, ratio: 2 } as const);
            engine.drinks.pours.record(
              pour(ended, { ticks, series, gas, durationMs: one.buckets.length * 100 }),
              'pin',
              ended,
            );
          }
          const state = () => {
            const { items: drinks } = engine.drinks.list({ limit: 100 });
            return {
              drinks,
              keg: engine.kegs.get(keg.id),
              sessions: engine.lists.sessions({ limit: 100 }).items,
              report: engine.reports.span({ first: '2026-05-01', last: '2026-05-04' }, at(60 * hour)),
              meters: engine.taps.hardware.meters(),
            };
          };
          const before = state();
          const sum = () =>
            state()
              .drinks.filter(({ isValid }) => isValid)
              .reduce((ml, { volumeMl }) => ml + volumeMl, 0);
          const [meter] = before.meters.filter(({ name }) => name === 'pi.flow0');
          const change = { curve: newCurve, ...(ticksPerMl === null ? {} : { ticksPerMl }), kegId: keg.id };
          const preview = engine.drinks.previewCalibration(meter!.id, change);
          expect(state()).toEqual(before);
          const { correctionId, afterMl } = engine.drinks.calibrate(meter!.id, change, at(40 * hour));
          expect(afterMl).toBe(preview.afterMl);
          expect(engine.kegs.get(keg.id)!.servedVolumeMl).toBeCloseTo(sum(), 3);
          expect(engine.site.checkDatabase()).toEqual([]);
          engine.corrections.undo(correctionId!, {}, at(41 * hour));
          expect(state()).toEqual(before);
          expect(engine.site.checkDatabase()).toEqual([]);
        } finally {
          store.close();
        }
      },
    ),
    { numRuns: propertyRuns(15) },
  );
}, 120_000);
