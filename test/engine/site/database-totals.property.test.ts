import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import type { Moment } from '../../../src/core/clock/moment.ts';
import { omitUndefined } from '../../../src/core/omit-undefined.ts';
import type { Drink } from '../../../src/core/records.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, minute, openBar, openingMs, pour } from '../bar.ts';

const taps = ['pi.flow0', 'pi.flow1', 'pi.flow2', 'attic.flow0'];
const pourIds = ['a', 'b', 'c', 'd', 'e', 'f'];
const names = [null, 'ana', 'bob', 'unknown'];

const place = fc.constantFrom(...taps);
const pourId = fc.option(fc.constantFrom(...pourIds), { nil: undefined });
const ticks = fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.constantFrom(0, 200_000));
const row = fc.nat({ max: 30 });
const ago = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2_000 }));

/** Actions in a bar within one minute, in any order. Ids may refer to nothing: then the action is refused. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('record' as const), place, ticks, pourId, ago }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      place,
      ticks,
      pourId,
      ago,
      name: fc.constantFrom(...names),
      volumeMl: fc.option(fc.double({ min: 0, max: 150_000, noNaN: true }), { nil: undefined }),
    }),
  },
  fc.record({ do: fc.constant('spill' as const), place, ticks, pourId }),
  fc.record({ do: fc.constant('cancel' as const), row, spilled: fc.boolean() }),
  fc.record({ do: fc.constant('reassign' as const), row, name: fc.constantFrom(...names) }),
  fc.record({ do: fc.constant('volume' as const), row, ml: fc.double({ min: 0, max: 5_000, noNaN: true }) }),
  fc.record({ do: fc.constant('keep' as const), row, kegId: fc.constantFrom(undefined, null, 1, 2) }),
  fc.record({ do: fc.constant('discard' as const), row }),
  fc.record({ do: fc.constant('move' as const), row, kegId: fc.constantFrom(null, 1, 2, 3) }),
  fc.record({ do: fc.constant('endKeg' as const), kegId: fc.constantFrom(1, 2, 3) }),
  fc.record({ do: fc.constant('startKeg' as const), tapId: fc.constantFrom(1, 2) }),
  fc.record({ do: fc.constant('reactivate' as const), kegId: fc.constantFrom(1, 2) }),
  fc.record({ do: fc.constant('timeout' as const), minutes: fc.constantFrom(0, 30, 180) }),
  fc.record({ do: fc.constant('setClock' as const) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Bar = ReturnType<typeof openBar>;

function runStep({ engine }: Bar, input: Step, now: Moment): void {
  switch (input.do) {
    case 'record': {
      const ended = { ...now, monoMs: now.monoMs - input.ago * minute };
      const { place: meter, ticks: count } = input;
      const options = { meter, ticks: count, pourId: input.pourId ?? `unnamed-${now.monoMs}` };
      engine.drinks.pours.record(pour(ended, options), 'pin', now);
      return;
    }
    case 'report': {
      const { place: tap, ticks: count, name, volumeMl } = input;
      engine.drinks.pours.report(
        {
          tap,
          ticks: count,
          agoMs: input.ago * minute,
          source: 'post',
          ...omitUndefined({ username: name ?? undefined, volumeMl, pourId: input.pourId }),
        },
        now,
      );
      return;
    }
    case 'spill': {
      const { place: tap, ticks: count } = input;
      const id = input.pourId === undefined ? {} : { pourId: input.pourId };
      engine.drinks.pours.spill({ tap, ticks: count, ...id }, now);
      return;
    }
    case 'cancel':
      engine.drinks.cancel(input.row, { spilled: input.spilled }, now);
      return;
    case 'reassign':
      engine.drinks.reassign(input.row, { username: input.name }, now);
      return;
    case 'volume':
      engine.drinks.edit(input.row, { volumeMl: input.ml }, now);
      return;
    case 'keep':
      engine.drinks.keep(input.row, input.kegId === undefined ? {} : { kegId: input.kegId }, now);
      return;
    case 'discard':
      engine.drinks.discard(input.row, {}, now);
      return;
    case 'move':
      engine.drinks.move(input.row, { kegId: input.kegId }, now);
      return;
    case 'endKeg':
      engine.kegs.end(input.kegId, now);
      return;
    case 'startKeg':
      engine.kegs.start(
        input.tapId,
        { beverage: { name: 'Ale', producerName: 'Brewery', styleName: '' }, sizeKey: 'corny' },
        now,
      );
      return;
    case 'reactivate':
      engine.kegs.reactivate(input.kegId);
      return;
    case 'timeout':
      engine.users.changeSite({ sessionTimeoutMinutes: input.minutes });
      return;
    case 'setClock':
      engine.drinks.clockCorrection.correct({ ...now, synced: true });
  }
}

/** Runs the steps; expected errors are ignored, any other error fails the test. Returns the positions of those accepted. */
function runSteps(bar: Bar, steps: readonly Step[], clock: (step: number) => Moment): ReadonlySet<number> {
  const accepted = new Set<number>();
  bar.engine.users.addUser({ username: 'ana' }, at(0));
  bar.engine.users.addUser({ username: 'bob' }, at(0));
  steps.forEach((input, index) => {
    try {
      runStep(bar, input, clock(index));
      accepted.add(index);
    } catch (refusal) {
      if (!(refusal instanceof AppError)) throw refusal;
    }
  });
  return accepted;
}

/** All data except the ids of created rows. */
function snapshot({ engine }: Bar) {
  return JSON.stringify([
    engine.drinks.list({ limit: 1_000 }),
    engine.drinks.held(),
    engine.kegs.list({ limit: 1_000 }),
    engine.taps.hardware.meters(),
    engine.drinks.events.list({ limit: 1_000 }),
  ]);
}

/** Times of drinks and sessions, and of their events. */
function readTimes({ engine }: Bar) {
  const drinks = [...engine.drinks.list({ limit: 1_000 }).items, ...engine.drinks.held()];
  return {
    drinks,
    sessions: drinks.map((drink) => engine.drinks.get(drink.id)?.session),
    events: engine.drinks.events.list({ limit: 1_000 }),
  };
}

test('property: stored totals always equal their sums', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat({ max: 40 }), (steps, syncedAfter) => {
      const bar = openBar();
      try {
        // The clock is a day slow until it is set.
        const clock = (index: number) =>
          index < syncedAfter
            ? at(index * minute, { synced: false, wallMs: openingMs + (index - 1_440) * minute })
            : at(index * minute);
        runSteps(bar, steps, clock);
        expect(bar.engine.site.checkDatabase()).toEqual([]);
        expect(bar.store.faults()).toEqual([]);
      } finally {
        bar.store.close();
      }
    }),
    { numRuns: propertyRuns(80) },
  );
}, 60_000);

test('property: a run with a wrong clock, once corrected, equals one with a right clock', () => {
  const steps = fc.array(
    step.filter((input) => input.do !== 'setClock' && input.do !== 'timeout'),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(steps, fc.integer({ min: -500_000, max: 500_000 }), (steps, wrongMinutes) => {
      const right = openBar();
      const wrong = openBar();
      try {
        runSteps(right, steps, (index) => at(index * minute));
        runSteps(wrong, steps, (index) =>
          at(index * minute, { synced: false, wallMs: openingMs + (index + wrongMinutes) * minute }),
        );
        wrong.engine.drinks.clockCorrection.correct(at(60 * minute));
        expect(readTimes(wrong)).toEqual(readTimes(right));
        expect(wrong.store.provisionalTimes.byBoot('boot-1')).toEqual([]);
        expect(wrong.engine.site.checkDatabase()).toEqual([]);
      } finally {
        right.store.close();
        wrong.store.close();
      }
    }),
    { numRuns: propertyRuns(50) },
  );
}, 60_000);

test('property: reporting every pour again changes nothing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const bar = openBar();
      try {
        const accepted = runSteps(bar, steps, (index) => at(index * minute));
        const before = snapshot(bar);
        for (const [index, input] of steps.entries()) {
          if (!accepted.has(index) || !('pourId' in input) || input.pourId === undefined) continue;
          // Its age is told anew.
          const again = 'ago' in input ? { ...input, ago: input.ago + 100 - index } : input;
          runStep(bar, again, at(100 * minute));
        }
        expect(snapshot(bar)).toBe(before);
      } finally {
        bar.store.close();
      }
    }),
    { numRuns: propertyRuns(50) },
  );
}, 60_000);

test('property: a session covers its drinks, and gaps between its drinks are at most the timeout', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 25 }),
      (minutesAgo) => {
        const bar = openBar();
        try {
          for (const ago of minutesAgo) {
            bar.engine.drinks.pours.report({ tap: 1, ticks: 10, agoMs: ago * minute, source: 'post' }, at(0));
          }
          const bySession = bySessionId(bar.engine.drinks.list({}).items);
          for (const drinks of bySession.values()) {
            const times = drinks.map((drink) => drink.pourTimeMs).sort((a, b) => a - b);
            times.slice(1).forEach((time, index) => {
              expect(time - times[index]!).toBeLessThanOrEqual(180 * minute);
            });
          }
        } finally {
          bar.store.close();
        }
      },
    ),
    { numRuns: propertyRuns(50) },
  );
}, 60_000);

function bySessionId(drinks: readonly Drink[]): Map<number | null, Drink[]> {
  const groups = new Map<number | null, Drink[]>();
  for (const drink of drinks) groups.set(drink.sessionId, [...(groups.get(drink.sessionId) ?? []), drink]);
  return groups;
}
