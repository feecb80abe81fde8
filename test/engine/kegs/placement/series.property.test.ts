import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../kit/slow.ts';
import { at, minute, openEmptyBar } from '../../bar.ts';

const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
const fullMl = 2_000;
const kegCount = 4;

/** A glass of the evening, in the order in which they flow: it is reported in another one, perhaps deleted, and perhaps restored. */
const glass = fc.record({
  ml: fc.integer({ min: 150, max: 900 }),
  reported: fc.integer({ min: 0, max: 1_000 }),
  fate: fc.constantFrom('stays' as const, 'stays' as const, 'is deleted' as const, 'is restored' as const),
});

test('property: the kegs of a series are emptied in the order in which the glasses flowed, whenever they are reported or corrected', () => {
  fc.assert(
    fc.property(fc.array(glass, { maxLength: 12 }), (glasses) => {
      const { engine, left } = openEmptyBar();
      const kegIds: number[] = [];
      for (let i = 0; i < kegCount; i++) {
        const keg = engine.kegs.create({ beverage, fullVolumeMl: fullMl }, at(0));
        kegIds.push(keg.id);
        engine.kegs.connect(left.id, keg.id, at(0));
      }
      const evening = glasses.map((one, i) => ({ ...one, endMs: (i + 1) * minute, id: 0 }));
      let clockMs = (glasses.length + 1) * minute;
      const now = () => {
        clockMs += 1_000;
        return at(clockMs);
      };
      for (const one of evening.toSorted((a, b) => a.reported - b.reported)) {
        const moment = now();
        const agoMs = moment.wallMs - at(one.endMs).wallMs;
        one.id = engine.drinks.pours.report(
          { tap: left.id, ticks: 0, volumeMl: one.ml, durationMs: 5_000, agoMs, source: 'post' },
          moment,
        ).id;
      }
      for (const one of evening.filter(({ fate }) => fate !== 'stays')) {
        engine.drinks.cancel(one.id, { spilled: false }, now());
        if (one.fate === 'is restored') engine.drinks.undo(one.id, {}, now());
      }

      // The last keg takes what is poured beyond all of them.
      const served = kegIds.map(() => 0);
      let keg = 0;
      for (const { ml, id } of evening.filter(({ fate }) => fate !== 'is deleted')) {
        served[keg]! += ml;
        expect(engine.drinks.get(id)!.drink).toMatchObject({ kegId: kegIds[keg], parts: null });
        if (served[keg]! >= fullMl && keg < kegCount - 1) keg++;
      }
      const kegs = kegIds.map((id) => engine.kegs.get(id)!);
      expect(kegs.map(({ servedVolumeMl }) => Math.round(servedVolumeMl))).toEqual(served);
      expect(kegs.map(({ state }) => state)).toEqual(kegIds.map((_, i) => (i < keg ? 'finished' : 'on_tap')));
      expect(engine.taps.find(left.id)!.tap).toMatchObject({
        kegId: kegIds[keg],
        kegIdsBehind: kegIds.slice(keg + 1),
      });
      expect(engine.site.checkDatabase()).toEqual([]);
    }),
    { numRuns: propertyRuns(160) },
  );
});
