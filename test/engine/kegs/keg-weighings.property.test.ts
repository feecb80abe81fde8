import fc from 'fast-check';
import { expect, test } from 'vitest';
import { insertPour } from '../../kit/drinks/insert-drink.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, hour, openBar } from '../bar.ts';

const nora = { userId: null, via: 'console' } as const;

type Step =
  | { readonly kind: 'pour'; readonly ticks: number }
  | { readonly kind: 'weigh'; readonly ml: number; readonly hasStamp: boolean }
  | { readonly kind: 'change'; readonly pick: number; readonly ml: number }
  | { readonly kind: 'remove'; readonly pick: number }
  | { readonly kind: 'discard' }
  | { readonly kind: 'end'; readonly ranDry: boolean };

const ml = fc.integer({ min: 0, max: 30_000 });
const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ kind: fc.constant('pour'), ticks: fc.integer({ min: 100, max: 6_000 }) }),
    fc.record({ kind: fc.constant('weigh'), ml, hasStamp: fc.boolean() }),
    fc.record({ kind: fc.constant('change'), pick: fc.nat(5), ml }),
    fc.record({ kind: fc.constant('remove'), pick: fc.nat(5) }),
    fc.record({ kind: fc.constant('end'), ranDry: fc.boolean() }),
  ),
  { minLength: 1, maxLength: 12 },
);

const weightOf = (volumeMl: number) => Math.round(9_300 + 102 + volumeMl * 1.0054);

test('property: a weighing never changes a drink, a keg or a total, and undo restores weighings and evidence', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { engine, store, keg, left } = openBar();
      const readRecords = () => ({
        drinks: engine.drinks.newest(100),
        keg: engine.kegs.get(keg.id),
        meter: store.taps.meters.byName('pi.flow0'),
      });
      const readWeighed = () => ({
        weighings: engine.kegs.weighings.list(keg.id),
        evidence: store.taps.meterEvidence.newest(1, 10),
      });
      const begin: readonly Step[] = [
        { kind: 'weigh', ml: 29_000, hasStamp: true },
        { kind: 'pour', ticks: 6_000 },
        { kind: 'weigh', ml: 23_000, hasStamp: true },
        { kind: 'discard' },
      ];
      for (const [n, step] of [...begin, ...all].entries()) {
        const now = at((n + 1) * hour);
        if (step.kind === 'pour') {
          insertPour(store, { ticks: step.ticks, durationMs: 60_000, series: `0:${step.ticks}` }, now);
          continue;
        }
        if (step.kind === 'discard') {
          const [evidence] = store.taps.meterEvidence.newest(1, 1);
          if (evidence) engine.drinks.meterLearning.setDiscarded(1, evidence.id, { isDiscarded: true }, now);
          continue;
        }
        if (step.kind === 'end') {
          if (engine.taps.find(left.id)?.keg?.id !== keg.id) continue;
          engine.kegs.endOnTap(left.id, now, nora, { ranDry: step.ranDry });
          continue;
        }
        const [records, weighed] = [readRecords(), readWeighed()];
        const change = () => {
          if (step.kind === 'weigh') {
            const request = { weightG: weightOf(step.ml), emptyWeightG: step.hasStamp ? 9_300 : null };
            return engine.kegs.weighings.add(keg.id, request, now, nora);
          }
          const one = weighed.weighings[step.pick];
          if (one === undefined) return null;
          return step.kind === 'remove'
            ? engine.kegs.weighings.remove(keg.id, one.id, now, nora)
            : engine.kegs.weighings.change(
                keg.id,
                one.id,
                { request: { weightG: weightOf(step.ml) }, actor: nora },
                now,
              );
        };
        const changed = change();
        expect(readRecords()).toEqual(records);
        if (changed === null || changed.correctionId === null) continue;
        const after = readWeighed();
        engine.corrections.undo(changed.correctionId, {}, now);
        expect(readWeighed()).toEqual(weighed);
        expect(readRecords()).toEqual(records);
        // Undo of the undo is the same change again.
        change();
        expect(readWeighed().weighings.map(({ id: _id, ...one }) => one)).toEqual(
          after.weighings.map(({ id: _id, ...one }) => one),
        );
      }
      expect(engine.site.checkDatabase()).toEqual([]);
    }),
    { numRuns: propertyRuns(40) },
  );
});
