import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, openEmptyBar, pour } from '../bar.ts';

const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
const kegIds = [1, 2, 3, 4, 5, 6];
/** Counted from the newest one. */
const drink = fc.constantFrom(0, 0, 1, 2);
const keg = fc.constantFrom(...kegIds);
/** Seconds before now: most of them are within the glass before, which is divided then. */
const late = fc.constantFrom(0, 11, 12, 13, 13, 22, 23);

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pour' as const), seconds: fc.integer({ min: 4, max: 9 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change' as const), late }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('spill' as const), drink }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), drink }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('undo change' as const) }) },
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

/** A glass during which the keg is changed comes often. */
const phrase = fc.oneof(
  { weight: 3, arbitrary: step.map((one) => [one]) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 5, max: 9 }).map((seconds) => [
      { do: 'pour' as const, seconds },
      { do: 'change' as const, late: 13 },
    ]),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function open() {
  const bar = openEmptyBar();
  const { engine, store, left, right } = bar;
  for (const _ of kegIds) engine.kegs.create({ beverage, sizeKey: 'euro' }, at(0));
  engine.kegs.attach(left.id, 1, at(0), systemActor);
  engine.kegs.attach(right.id, 2, at(0), systemActor);
  let newest = 0;
  const nextKeg = () => kegIds.find((id) => store.kegs.byId(id)!.state === 'available') ?? 0;
  const idOf = (back: number) => newest - back;
  const run = (one: Step, now: ReturnType<typeof at>): void => {
    const changedAtMs = 'late' in one && one.late > 0 ? now.wallMs - one.late * 1_000 : undefined;
    switch (one.do) {
      case 'pour': {
        const series = Array.from({ length: one.seconds * 10 }, (_, bin) => `${bin * 100}:6`).join(' ');
        const counted = { ticks: 60 * one.seconds, durationMs: one.seconds * 1_000, series };
        const pourId = `pour-at-${now.monoMs}`;
        newest = engine.drinks.pours.record(pour(now, { ...counted, pourId }), 'pin', now).id;
        return;
      }
      case 'change':
        return void engine.kegs.attachNext(left.id, nextKeg(), now, systemActor, { changedAtMs });
      case 'end':
        return void engine.kegs.endOnTap(left.id, now, systemActor, { changedAtMs });
      case 'undo change': {
        const kegId = store.taps.kegSpans.recent(left.id)[0]?.kegId;
        const id =
          kegId === undefined ? null : engine.audit.latestCorrection('keg', { kind: 'keg', id: kegId });
        if (id !== null) engine.corrections.undo(id, { actor: systemActor }, now);
        return;
      }
      case 'spill':
        return void engine.drinks.cancel(idOf(one.drink), { spilled: true }, now);
      case 'undo':
        return void engine.drinks.undo(idOf(one.drink), {}, now);
      case 'edit':
        return void engine.drinks.edit(idOf(one.drink), { volumeMl: one.volumeMl }, now);
      case 'split':
        newest = engine.drinks.split(idOf(one.drink), { volumeMl: one.volumeMl }, now).part.drink.id;
        return;
      case 'to tap':
        return void engine.drinks.move(idOf(one.drink), { tap: one.isLeft ? left.id : right.id }, now);
      case 'to keg':
        return void engine.drinks.move(idOf(one.drink), { kegId: one.keg }, now);
    }
  };
  /** The latest correction of a drink is that it was spilled. */
  const isSpilled = (back: number) => {
    const latest = store.drinks.corrections.latestByDrink(idOf(back));
    return latest !== null && store.drinks.corrections.byId(latest)!.action === 'drink.spilled';
  };
  return { ...bar, run, isSpilled };
}

/** False where it was refused. */
function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (fault) {
    if (fault instanceof AppError) return false;
    throw fault;
  }
}

test('property: a keg loses the same whether its drinks are spilled or not, whatever is corrected, changed and undone', () => {
  fc.assert(
    fc.property(fc.array(phrase, { minLength: 1, maxLength: 20, size: 'max' }), (phrases) => {
      const bar = open();
      const twin = open();
      let seconds = 60;
      for (const one of phrases.flat() as readonly Step[]) {
        seconds += 10;
        const now = at(seconds * 1_000);
        const ofSpill = one.do === 'spill' || (one.do === 'undo' && bar.isSpilled(one.drink));
        const isDone = attempt(() => bar.run(one, now));
        // Drinks that are spilled are corrected no more, but what was on the tap is changed as ever.
        const isOfKeg = one.do === 'change' || one.do === 'end' || one.do === 'undo change';
        if (isOfKeg) expect(attempt(() => twin.run(one, now))).toBe(isDone);
        // In the other bar nothing was spilled.
        else if (isDone && !ofSpill) twin.run(one, now);
      }
      const spilled = bar.store.reports.spilled({ sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER });
      for (const id of kegIds) {
        const { servedVolumeMl, spilledVolumeMl } = bar.engine.kegs.get(id)!;
        expect(servedVolumeMl + spilledVolumeMl).toBeCloseTo(twin.engine.kegs.get(id)!.servedVolumeMl, 4);
        const reported = spilled.filter(({ kegId }) => kegId === id);
        expect(reported.reduce((sum, { volumeMl }) => sum + volumeMl, 0)).toBeCloseTo(spilledVolumeMl, 4);
      }
      for (const { engine, store } of [bar, twin]) {
        expect(engine.site.checkDatabase()).toEqual([]);
        store.close();
      }
    }),
    { numRuns: propertyRuns(300) },
  );
});
