import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import type { Drink } from '../../../src/core/records.ts';
import type { StatisticsView } from '../../../src/engine/engine.ts';
import { systemActor } from '../../../src/engine/shared/audit.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, hour, openBar } from '../bar.ts';

const names = [null, 'ana', 'bob', 'cem'];
const row = fc.nat({ max: 25 });
const ml = fc.oneof(fc.constantFrom(0, 300, 500), fc.double({ min: 0, max: 900, noNaN: true }));

/** Pours and later corrections. */
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('pour' as const),
      tap: fc.constantFrom('pi.flow0', 'pi.flow1', 'pi.flow2'),
      name: fc.constantFrom(...names),
      // Without a volume it is computed from the ticks, and a calibration changes it.
      ml: fc.option(ml, { nil: undefined }),
      ticks: fc.constantFrom(1, 1_500),
      hoursAgo: fc.constantFrom(0, 0, 1, 5, 30, 24 * 200),
    }),
  },
  fc.record({ do: fc.constant('cancel' as const), row }),
  fc.record({ do: fc.constant('reassign' as const), row, name: fc.constantFrom(...names) }),
  fc.record({ do: fc.constant('volume' as const), row, ml }),
  fc.record({ do: fc.constant('move' as const), row, kegId: fc.constantFrom(null, 1, 2) }),
  fc.record({ do: fc.constant('keep' as const), row }),
  fc.record({ do: fc.constant('split' as const), row, ml, name: fc.constantFrom(...names) }),
  fc.record({ do: fc.constant('join' as const), row, other: row }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('undo' as const), row }) },
  fc.record({ do: fc.constant('setClock' as const) }),
  fc.record({
    do: fc.constant('calibrate' as const),
    kegId: fc.constantFrom(null, 1, 2),
    ticksPerMl: fc.constantFrom(1, 2, 5.4),
  }),
  fc.record({ do: fc.constant('undoCorrection' as const), row: fc.nat({ max: 60 }) }),
  fc.record({ do: fc.constant('removeTap' as const), row: fc.nat({ max: 3 }) }),
  fc.record({ do: fc.constant('read' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Bar = ReturnType<typeof openBar>;

function runStep({ engine }: Bar, input: Step, index: number, isSet: boolean): void {
  // The clock is a week slow until it is set.
  const now = isSet
    ? at(index * hour)
    : at(index * hour, { synced: false, wallMs: at((index - 168) * hour).wallMs });
  switch (input.do) {
    case 'pour': {
      const { tap, name, ml: given, ticks, hoursAgo } = input;
      const agoMs = hoursAgo * hour;
      const username = name === null ? {} : { username: name };
      const volume = given === undefined ? {} : { volumeMl: given };
      engine.drinks.pours.report({ tap, ticks, agoMs, source: 'post', ...volume, ...username }, now);
      return;
    }
    case 'cancel':
      engine.drinks.cancel(input.row, { spilled: false }, now);
      return;
    case 'reassign':
      engine.drinks.reassign(input.row, { username: input.name }, now);
      return;
    case 'volume':
      engine.drinks.edit(input.row, { volumeMl: input.ml }, now);
      return;
    case 'move':
      engine.drinks.move(input.row, { kegId: input.kegId }, now);
      return;
    case 'keep':
      engine.drinks.keep(input.row, { tapId: 1 }, now);
      return;
    case 'split':
      engine.drinks.split(input.row, { volumeMl: input.ml, username: input.name }, now);
      return;
    case 'join':
      engine.drinks.join(input.row, { otherId: input.other }, now);
      return;
    case 'undo':
      engine.drinks.undo(input.row, {}, now);
      return;
    case 'setClock':
      engine.drinks.clockCorrection.correct(at(index * hour));
      return;
    case 'calibrate':
      engine.drinks.calibrate(1, { ticksPerMl: input.ticksPerMl, kegId: input.kegId }, now);
      return;
    case 'undoCorrection':
      engine.corrections.undo(input.row, {}, now);
      return;
    case 'removeTap':
      engine.taps.remove(input.row, { actor: systemActor, now });
      return;
    case 'read':
      // A value read before a later change must not be returned after it.
      engine.reports.statistics.get({ kind: 'site' });
  }
}

/** The same values computed from the drinks themselves. */
function computeFromDrinks({ engine }: Bar, view: StatisticsView) {
  const all = [...engine.drinks.list({ limit: 1_000 }).items].reverse();
  const isIn = (drink: Drink) =>
    view.kind === 'site' ||
    (view.kind === 'user' && drink.username === view.username) ||
    (view.kind === 'keg' && drink.kegId === view.id) ||
    (view.kind === 'session' && drink.sessionId === view.id);
  const drinks = all.filter(isIn);
  if (drinks.length === 0) return null;
  const nl = (some: readonly Drink[]) =>
    some.reduce((sum, { volumeMl }) => sum + Math.round(volumeMl * 1e6), 0);
  const millilitres = (some: readonly Drink[]) => nl(some) / 1e6;
  const groups = <K>(keyOf: (drink: Drink) => K) => {
    const found = new Map<K, Drink[]>();
    for (const drink of drinks) found.set(keyOf(drink), [...(found.get(keyOf(drink)) ?? []), drink]);
    return [...found];
  };
  const byNumber = (keyOf: (drink: Drink) => number) =>
    new Map(
      groups(keyOf)
        .map(([key, some]) => [key, millilitres(some)] as const)
        .filter(([, volume]) => volume > 0)
        .sort(([a], [b]) => a - b),
    );
  const sessionIds = [...new Set(drinks.map(({ sessionId }) => sessionId!))].sort((a, b) => a - b);
  const whole = sessionIds
    .map((id) => ({ id, volumeMl: millilitres(all.filter(({ sessionId }) => sessionId === id)) }))
    .sort((a, b) => b.volumeMl - a.volumeMl || b.id - a.id);
  const greatest = Math.max(...drinks.map(({ volumeMl }) => volumeMl));
  return {
    pours: drinks.length,
    volumeMl: millilitres(drinks),
    lastDrinkId: drinks.at(-1)!.id,
    greatest: { drinkId: drinks.find(({ volumeMl }) => volumeMl === greatest)!.id, volumeMl: greatest },
    kegIds: [...new Set(drinks.flatMap(({ kegId }) => kegId ?? []))],
    drinkers: groups(({ username }) => username).map(([username, some]) => ({
      username,
      volumeMl: millilitres(some),
    })),
    sessions: sessionIds.map((id) => ({
      id,
      volumeMl: millilitres(drinks.filter(({ sessionId }) => sessionId === id)),
    })),
    sessionsCount: sessionIds.length,
    hasGuestPour: drinks.some(({ username }) => username === null),
    largestSession: whole[0],
    // The site's time zone in these tests is Sydney.
    byWeekday: byNumber(({ sessionId }) => {
      const local = new Date(engine.drinks.events.session(sessionId!)!.startTimeMs).toLocaleDateString(
        'en-US',
        {
          weekday: 'short',
          timeZone: 'Australia/Sydney',
        },
      );
      return ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(local);
    }),
    byYear: byNumber(({ pourTimeMs }) => new Date(pourTimeMs).getUTCFullYear()),
  };
}

test('property: after any corrections the statistics equal those of the drinks', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 45 }), fc.nat({ max: 45 }), (steps, setAfter) => {
      const bar = openBar();
      try {
        const { engine } = bar;
        engine.users.changeSite({ timeZone: 'Australia/Sydney' });
        for (const username of names) if (username !== null) engine.users.addUser({ username }, at(0));
        const ale = {
          beverage: { name: 'Ale', producerName: 'Brewery', styleName: 'Ale' },
          sizeKey: 'corny',
        };
        engine.kegs.start(bar.right.id, ale, at(0));
        steps.forEach((input, index) => {
          try {
            runStep(bar, input, index, index >= setAfter);
          } catch (refusal) {
            if (!(refusal instanceof AppError)) throw refusal;
          }
        });
        const sessions = new Set(
          engine.drinks.list({ limit: 1_000 }).items.map(({ sessionId }) => sessionId!),
        );
        const views: StatisticsView[] = [
          { kind: 'site' },
          ...['ana', 'bob', 'cem'].map((username) => ({ kind: 'user', username }) as const),
          ...[1, 2].map((id) => ({ kind: 'keg', id }) as const),
          ...[...sessions].map((id) => ({ kind: 'session', id }) as const),
        ];
        for (const view of views)
          expect(engine.reports.statistics.get(view), JSON.stringify(view)).toEqual(
            computeFromDrinks(bar, view),
          );
        expect(engine.site.checkDatabase()).toEqual([]);
      } finally {
        bar.store.close();
      }
    }),
    { numRuns: propertyRuns(60) },
  );
}, 60_000);
