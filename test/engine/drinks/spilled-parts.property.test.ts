import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, openEmptyBar, pour } from '../bar.ts';

const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
const kegIds = [1, 2, 3, 4];
const drink = fc.integer({ min: 1, max: 8 });
const keg = fc.constantFrom(...kegIds);
/** Seconds before now. */
const late = fc.integer({ min: 0, max: 25 });

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pour' as const), seconds: fc.integer({ min: 2, max: 9 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('change' as const), keg, late }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('spill' as const), drink }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), drink }) },
  fc.record({ do: fc.constant('undo change' as const), keg }),
  fc.record({ do: fc.constant('end' as const), late }),
  fc.record({
    do: fc.constant('edit' as const),
    drink,
    volumeMl: fc.double({ min: 1, max: 900, noNaN: true }),
  }),
  fc.record({
    do: fc.constant('split' as const),
    drink,
    volumeMl: fc.double({ min: 1, max: 300, noNaN: true }),
  }),
  fc.record({ do: fc.constant('to tap' as const), drink, isLeft: fc.boolean() }),
  fc.record({ do: fc.constant('to keg' as const), drink, keg }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function open() {
  const bar = openEmptyBar();
  const { engine, store, left, right } = bar;
  for (const _ of kegIds) engine.kegs.create({ beverage, sizeKey: 'euro' }, at(0));
  engine.kegs.attach(left.id, 1, at(0), systemActor);
  engine.kegs.attach(right.id, 2, at(0), systemActor);
  const run = (one: Step, now: ReturnType<typeof at>): void => {
    const changedAtMs = 'late' in one && one.late > 0 ? now.wallMs - one.late * 1_000 : undefined;
    switch (one.do) {
      case 'pour': {
        const series = Array.from({ length: one.seconds * 10 }, (_, bin) => `${bin * 100}:6`).join(' ');
        const counted = { ticks: 60 * one.seconds, durationMs: one.seconds * 1_000, series };
        engine.pours.record(pour(now, { ...counted, pourId: `pour-at-${now.monoMs}` }), 'pin', now);
        return;
      }
      case 'change':
        return void engine.kegs.attachNext(left.id, one.keg, now, systemActor, { changedAtMs });
      case 'end':
        return void engine.kegs.endOnTap(left.id, now, systemActor, { changedAtMs });
      case 'undo change': {
        const id = engine.audit.latestCorrection('keg', { kind: 'keg', id: one.keg });
        if (id !== null) engine.corrections.undo(id, { actor: systemActor }, now);
        return;
      }
      case 'spill':
        return void engine.drinks.cancel(one.drink, { spilled: true }, now);
      case 'undo':
        return void engine.drinks.undo(one.drink, {}, now);
      case 'edit':
        return void engine.drinks.edit(one.drink, { volumeMl: one.volumeMl }, now);
      case 'split':
        return void engine.drinks.split(one.drink, { volumeMl: one.volumeMl }, now);
      case 'to tap':
        return void engine.drinks.move(one.drink, { tap: one.isLeft ? left.id : right.id }, now);
      case 'to keg':
        return void engine.drinks.move(one.drink, { kegId: one.keg }, now);
    }
  };
  /** The latest correction of a drink is that it was spilled. */
  const isSpilled = (id: number) => {
    const latest = store.corrections.latestByDrink(id);
    return latest !== null && store.corrections.byId(latest)!.action === 'drink.spilled';
  };
  return { ...bar, run, isSpilled };
}

test('property: a keg loses the same whether its drinks are spilled or not, whatever is corrected, changed and undone', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 24, size: 'max' }), (steps) => {
      const bar = open();
      const twin = open();
      let seconds = 60;
      for (const one of steps) {
        seconds += 10;
        const now = at(seconds * 1_000);
        const ofSpill = one.do === 'spill' || (one.do === 'undo' && bar.isSpilled(one.drink));
        try {
          bar.run(one, now);
        } catch (fault) {
          if (!(fault instanceof AppError)) throw fault;
          continue;
        }
        // In the other bar nothing was spilled.
        if (!ofSpill) twin.run(one, now);
      }
      const spilled = bar.store.reports.spilled({ sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER });
      for (const id of kegIds) {
        const { servedVolumeMl, spilledVolumeMl } = bar.engine.kegs.get(id)!;
        expect(servedVolumeMl + spilledVolumeMl).toBeCloseTo(twin.engine.kegs.get(id)!.servedVolumeMl, 4);
        const reported = spilled.filter(({ kegId }) => kegId === id);
        expect(reported.reduce((sum, { volumeMl }) => sum + volumeMl, 0)).toBeCloseTo(spilledVolumeMl, 4);
      }
      for (const { engine, store } of [bar, twin]) {
        expect(engine.checkDatabase()).toEqual([]);
        store.close();
      }
    }),
    { numRuns: propertyRuns(300) },
  );
});
