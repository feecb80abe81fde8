import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import type { EventQuery, Page } from '../../../src/engine/engine.ts';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, hour, minute, openBar, openingMs } from '../bar.ts';

const names = ['ana', 'bob'] as const;
const kinds = ['keg_tapped', 'session_started', 'session_joined', 'drink_poured'] as const;
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const present = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pour' as const),
      tap: fc.constantFrom('pi.flow0', 'pi.flow1'),
      username: fc.constantFrom(...names),
      agoMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 * hour })),
    }),
  },
  fc.record({ do: fc.constant('cancel' as const), id: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ do: fc.constant('move' as const), id: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ do: fc.constant('undo' as const), id: fc.integer({ min: 1, max: 20 }) }),
);

/** A bar after these steps, a minute apart; refused ones change nothing. */
function openBarAfter(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) {
  const bar = openBar();
  const { engine, store } = bar;
  for (const username of names) engine.users.addUser({ username }, at(0));
  engine.kegs.start(bar.right.id, { beverage: { id: 1 } }, at(0));
  for (const [i, one] of steps.entries()) {
    const now = at(i * minute);
    try {
      if (one.do === 'pour') {
        const { tap, username, agoMs } = one;
        insertDrink(store, { tap, ticks: 100, username, agoMs }, now);
      }
      if (one.do === 'cancel') engine.drinks.cancel(one.id, { spilled: false }, now);
      if (one.do === 'move') engine.drinks.move(one.id, { kegId: 2 }, now);
      if (one.do === 'undo') engine.drinks.undo(one.id, {}, now);
    } catch (refusal) {
      if (!(refusal instanceof AppError)) throw refusal;
    }
  }
  return bar;
}

/** All pages of a list, each of three items, one after the other; every page has the same total. */
function readAll<T extends { readonly id: number }>(read: (start: number) => Page<T>, total: number): T[] {
  const items: T[] = [];
  for (let start = 0; ; ) {
    const page = read(start);
    expect(page.total).toBe(total);
    items.push(...page.items);
    const last = page.items.at(-1);
    if (last === undefined || last.id === 1) return items;
    start = last.id - 1;
  }
}

const query = fc.record({
  since: maybe(fc.integer({ min: 0, max: 40 })),
  kind: maybe(fc.constantFrom(...kinds)),
  username: maybe(fc.constantFrom(...names)),
  kegId: maybe(fc.constantFrom(1, 2)),
  sessionId: maybe(fc.constantFrom(1, 2)),
});

test('property: the pages of the events feed are all events that match, and their total is exact', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 25 }),
      fc.array(query, { minLength: 10, maxLength: 20 }),
      (steps, queries) => {
        const { engine, store } = openBarAfter(steps);
        const all = engine.lists.events({ limit: 1_000 }).items;
        expect(all).toEqual(store.drinks.events.newest(1_000));
        for (const one of queries) {
          const filter: EventQuery = present(one);
          const session =
            one.sessionId === undefined ? undefined : engine.drinks.events.session(one.sessionId);
          if (session === null) continue;
          const rows = all.filter(
            (event) =>
              event.id > (one.since ?? 0) &&
              (one.kind === undefined || event.kind === one.kind) &&
              (one.username === undefined || event.username === one.username) &&
              (one.kegId === undefined || event.kegId === one.kegId) &&
              // One that was joined to another leads to that.
              (session === undefined || event.sessionId === session.id),
          );
          const read = (start: number) => engine.lists.events({ ...filter, start, limit: 3 });
          expect(readAll(read, rows.length)).toEqual(rows);
        }
        expect(engine.site.checkDatabase()).toEqual([]);
        store.close();
      },
    ),
    { numRuns: propertyRuns(30) },
  );
});

test('property: the pages of the sessions of a date are all sessions that began on it, latest id first', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const { engine, store } = openBarAfter(steps);
      const all = engine.lists.sessions({ limit: 1_000 });
      expect(all.total).toBe(all.items.length);
      const sameDate = (startTimeMs: number, parts: number, date: string) =>
        new Date(startTimeMs).toISOString().split(/[-T]/, parts).join('-') === date;
      for (const ago of [0, 1, 2, 30]) {
        const date = new Date(openingMs - ago * 24 * hour).toISOString();
        const [year = 0, month = 0, day = 0] = date.split(/[-T]/, 3).map(Number);
        for (const filter of [{ year }, { year, month }, { year, month, day }]) {
          const parts = Object.keys(filter).length;
          const text = date.split(/[-T]/, parts).join('-');
          const rows = all.items.filter(({ startTimeMs }) => sameDate(startTimeMs, parts, text));
          const read = (start: number) => engine.lists.sessions({ ...filter, start, limit: 3 });
          expect(readAll(read, rows.length)).toEqual(rows);
        }
      }
      store.close();
    }),
    { numRuns: propertyRuns(30) },
  );
});
