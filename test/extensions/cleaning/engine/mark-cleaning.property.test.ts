import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../../src/core/app-error.ts';
import { systemActor } from '../../../../src/engine/engine.ts';
import { at, minute, pour } from '../../../engine/bar.ts';
import { propertyRuns } from '../../../kit/slow.ts';
import { openCleaningBar } from '../cleaning-bar.ts';

const row = fc.integer({ min: 1, max: 14 });

const step = fc.oneof(
  fc.record({
    do: fc.constant('mark' as const),
    ids: fc.uniqueArray(row, { minLength: 1, maxLength: 4 }),
    lineVolumeMl: fc.constantFrom(null, 0, 250, 700),
    hasBeer: fc.boolean(),
  }),
  fc.record({ do: fc.constant('undo' as const), id: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ do: fc.constant('undoDrink' as const), row }),
  fc.record({ do: fc.constant('keep' as const), row }),
  fc.record({ do: fc.constant('keepAll' as const), cleaning: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constant('cancel' as const), row, spilled: fc.boolean() }),
  fc.record({ do: fc.constant('pour' as const), ml: fc.integer({ min: 1, max: 900 }) }),
  fc.record({ do: fc.constant('start' as const), lineVolumeMl: fc.constantFrom(null, 300) }),
  fc.record({ do: fc.constant('step' as const), step: fc.constantFrom('cleaner', 'rinse', 'refill') }),
  fc.record({ do: fc.constant('finish' as const), beerLostMl: fc.constantFrom(undefined, 123.4) }),
);

test('property: after any marks, undos and cleanings the totals are the sums of what is left, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const bar = openCleaningBar();
      const { engine, store, left, keg } = bar;
      let counted = 0;
      const record = (ml: number, now: ReturnType<typeof at>) => {
        counted += ml;
        engine.drinks.pours.record(pour(now, { ticks: ml, series: `0:${ml}` }), 'pin', now);
      };
      try {
        for (let i = 1; i <= 8; i++) record(100 * i + 0.5 * 2, at(i * minute));
        steps.forEach((input, index) => {
          const now = at((20 + index) * minute);
          const context = { actor: systemActor, now };
          const running = engine.cleanings.running()[0]?.id ?? 0;
          try {
            if (input.do === 'mark')
              engine.cleaningSuggestions.mark({ ...input, drinkIds: input.ids, kind: 'caustic' }, context);
            else if (input.do === 'undo') engine.corrections.undo(input.id, {}, now);
            else if (input.do === 'undoDrink') engine.drinks.undo(input.row, {}, now);
            else if (input.do === 'keep') engine.drinks.keep(input.row, {}, now);
            else if (input.do === 'keepAll') engine.cleaningSuggestions.keepPours(input.cleaning, context);
            else if (input.do === 'cancel') engine.drinks.cancel(input.row, input, now);
            else if (input.do === 'pour') record(input.ml, now);
            else if (input.do === 'start')
              engine.cleanings.start({ tapId: left.id, kind: 'caustic', ...input }, context);
            else if (input.do === 'step') engine.cleanings.step(running, input.step as 'rinse', context);
            else engine.cleanings.finish(running, { beerLostMl: input.beerLostMl ?? null }, context);
          } catch (refusal) {
            if (!(refusal instanceof AppError)) throw refusal;
            expect(['conflict', 'not_found', 'invalid_request']).toContain(refusal.code);
          }
          expect(engine.site.checkDatabase(), JSON.stringify(input)).toEqual([]);
        });
        // Every pour is a drink, a flow of one cleaning, or was cancelled by staff.
        const drinks = engine.drinks.list({ limit: 1_000 }).items;
        const cleanings = [
          1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
        ]
          .filter((id) => store.cleanings.byId(id) !== null)
          .map((id) => engine.cleanings.get(id));
        const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);
        const flowed = cleanings.flatMap(({ pours }) => pours.map(({ volumeMl }) => volumeMl));
        const cancelled = Array.from({ length: 60 }, (_, i) =>
          store.drinks.rows.byKey('drinks', i + 1),
        ).filter((one) => one !== null);
        expect(sum(drinks.map(({ volumeMl }) => volumeMl)) + sum(flowed)).toBeCloseTo(
          sum(cancelled.map((one) => Number(one.volume_ml))),
          6,
        );
        expect(sum(cancelled.map((one) => Number(one.ticks)))).toBeLessThanOrEqual(counted);
        // The keg lost the beer of its cleanings and what was spilled, and served what is a drink.
        const now = engine.kegs.get(keg.id)!;
        const spilled = Array.from({ length: 60 }, (_, i) => store.drinks.rows.byKey('spills', i + 1)).filter(
          (one) => one?.cause === null,
        );
        const beer = cleanings.filter(({ kegId }) => kegId === keg.id).map(({ parts }) => parts.beerMl);
        expect(now.spilledVolumeMl).toBeCloseTo(
          sum(beer) + sum(spilled.map((one) => Number(one!.volume_ml))),
          6,
        );
        expect(now.servedVolumeMl).toBeCloseTo(
          sum(drinks.filter(({ kegId }) => kegId === keg.id).map(({ volumeMl }) => volumeMl)),
          6,
        );
        // What is marked has an entry that holds as long as pours are left.
        for (const { origin, pours, entries } of cleanings)
          if (origin === 'pours') expect(entries[0]?.isWithdrawn).toBe(pours.length === 0);
        expect(store.faults()).toEqual([]);
      } finally {
        store.close();
      }
    }),
    { numRuns: propertyRuns(40) },
  );
}, 120_000);
