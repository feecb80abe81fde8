import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Drink } from '../../../src/core/records.ts';
import { systemActor } from '../../../src/engine/shared/audit.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, hour } from '../bar.ts';
import { type Bar, runSteps, step } from './drink-steps.ts';

const nl = (some: readonly { readonly volumeMl: number }[]): number =>
  some.reduce((sum, { volumeMl }) => sum + Math.round(volumeMl * 1e6), 0);

/** Groups drinks and sums them up: number and millilitres by key. */
function sums(drinks: readonly Drink[], keyOf: (drink: Drink) => string | number | null) {
  const groups = new Map<string, Drink[]>();
  for (const drink of drinks) {
    const key = String(keyOf(drink));
    groups.set(key, [...(groups.get(key) ?? []), drink]);
  }
  return new Map([...groups].map(([key, some]) => [key, [some.length, nl(some) / 1e6]]));
}

const byKey = <T extends { readonly pours: number; readonly volumeMl: number }>(
  rows: readonly T[],
  keyOf: (row: T) => string | number | null,
) => new Map(rows.map((row) => [String(keyOf(row)), [row.pours, row.volumeMl]]));

/** The zone's clock as text: date and hour. A day ends at 04:05, so its date is that of 245 minutes before. */
const clock = (ms: number, part: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Australia/Sydney', ...part }).format(ms);
const dayOf = ({ pourTimeMs }: Drink): string =>
  clock(pourTimeMs - 245 * 60_000, { year: 'numeric', month: '2-digit', day: '2-digit' });
const hourOf = ({ pourTimeMs }: Drink): number =>
  Number(clock(pourTimeMs, { hour: '2-digit', hourCycle: 'h23' }));

function checkDays({ engine }: Bar, drinks: readonly Drink[], now = at(60 * hour)): void {
  const { days, byHour } = engine.reports.recentDays(now);
  expect(days).toHaveLength(30);
  const dates = new Set(days.map(({ date }) => date));
  const shown = drinks.filter((drink) => dates.has(dayOf(drink)));
  expect(
    byKey(
      days.filter(({ pours }) => pours > 0),
      ({ date }) => date,
    ),
  ).toEqual(sums(shown, dayOf));
  const hours = sums(shown, hourOf);
  expect(byHour).toEqual(Array.from({ length: 24 }, (_, i) => hours.get(String(i))?.[1] ?? 0));
  // The same days in the report, whose volumes are sums of decimals.
  const span = engine.reports.span({ first: days[0]!.date }, now);
  expect(span.drinks).toBe(shown.length);
  expect(span.pouredMl).toBeCloseTo(nl(shown) / 1e6, 6);
  const byTap = sums(shown, ({ tapId }) => tapId);
  for (const tap of span.taps.filter((one) => one.drinks > 0)) {
    const [pours, volumeMl] = byTap.get(String(tap.tapId))!;
    expect(tap.drinks).toBe(pours);
    expect(tap.pouredMl).toBeCloseTo(volumeMl!, 6);
  }
}

function checkSessions({ engine }: Bar, drinks: readonly Drink[]): void {
  for (const id of new Set(drinks.map(({ sessionId }) => sessionId!))) {
    const own = drinks.filter(({ sessionId }) => sessionId === id);
    const { people, peopleCount, kegs } = engine.reports.subjectFigures.sessionShares(id);
    expect(byKey(people, ({ username }) => username)).toEqual(sums(own, ({ username }) => username));
    expect(peopleCount).toBe(new Set(own.flatMap(({ username }) => username ?? [])).size);
    expect(byKey(kegs, ({ kegId }) => kegId)).toEqual(sums(own, ({ kegId }) => kegId));
    checkCourse(engine.reports.subjectFigures.course('session', id), own);
  }
  for (const kegId of [1, 2]) {
    const own = drinks.filter((drink) => drink.kegId === kegId && drink.timeCertain);
    checkCourse(engine.reports.subjectFigures.course('keg', kegId), own);
  }
}

/** Few drinks: a point for each, in the order of time. */
function checkCourse(
  course: readonly { readonly drinkId: number; readonly volumeMl: number }[],
  own: readonly Drink[],
) {
  const inOrder = own.toSorted((one, other) => one.pourTimeMs - other.pourTimeMs || one.id - other.id);
  expect(course.map(({ drinkId }) => drinkId)).toEqual(inOrder.map(({ id }) => id));
  expect(course.map(({ volumeMl }) => volumeMl)).toEqual(
    inOrder.map((_, i) => nl(inOrder.slice(0, i + 1)) / 1e6),
  );
}

function checkBeers({ engine }: Bar, drinks: readonly Drink[]): void {
  for (const username of ['ana', 'bob', 'cem']) {
    const own = drinks.filter((drink) => drink.username === username && drink.kegId !== null);
    const beers = sums(own, ({ kegId }) => engine.kegs.get(kegId!)!.beverageId);
    const favourites = engine.reports.drinkerFigures.favourites(username);
    expect(new Map(favourites.map(({ id, volumeMl }) => [String(id), volumeMl]))).toEqual(
      new Map([...beers].map(([id, [, volumeMl]]) => [id, volumeMl])),
    );
  }
}

function check(bar: Bar): void {
  const drinks = bar.engine.drinks.list({ limit: 1_000 }).items;
  checkDays(bar, drinks);
  checkSessions(bar, drinks);
  checkBeers(bar, drinks);
}

test('property: the sums of pages equal those of the drinks, by day, hour, tap, beer and person, before and after corrections', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat({ max: 40 }), (steps, setAfter) => {
      const pours = steps.filter((one) => one.do === 'pour' || one.do === 'setClock');
      for (const some of [
        pours,
        [...pours, ...steps.filter((one) => one.do !== 'pour' && one.do !== 'setClock')],
      ]) {
        const bar = runSteps(some, setAfter);
        try {
          bar.engine.reports.changeSettings({ dayEndsMinutes: 245 }, systemActor, at(50 * hour));
          check(bar);
        } finally {
          bar.store.close();
        }
      }
    }),
    { numRuns: propertyRuns(40) },
  );
}, 60_000);
