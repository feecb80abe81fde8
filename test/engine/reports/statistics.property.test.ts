import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Drink } from '../../../src/core/records.ts';
import type { StatisticsView } from '../../../src/engine/engine.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { type Bar, runSteps, step } from './drink-steps.ts';

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
      const bar = runSteps(steps, setAfter);
      try {
        const { engine } = bar;
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
