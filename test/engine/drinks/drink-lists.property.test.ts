import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Drink } from '../../../src/core/records.ts';
import type { DrinkQuery } from '../../../src/engine/engine.ts';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, hour, minute, openBar, openingMs } from '../bar.ts';

const names = [undefined, 'ana', 'bob', 'unknown', 'Unknown', 'Ｕｎknown'] as const;
const tokens = [undefined, 'core.rfid|0a', 'core.rfid.0A', '0A', 'onewire|0a', 'card|1'] as const;
/** The form in which each token is stored. */
const stored: Readonly<Record<string, string>> = {
  'core.rfid.0A': 'core.rfid|0a',
  'onewire|0a': 'core.onewire|0a',
};
const taps = ['pi.flow0', 'pi.flow1', 'pi.flow2'] as const;

const pour = fc.record({
  tap: fc.constantFrom(...taps),
  name: fc.constantFrom(...names),
  token: fc.constantFrom(...tokens),
  ticks: fc.integer({ min: 1, max: 2_000 }),
  agoMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 * hour })),
  after: fc.constantFrom('nothing', 'nothing', 'nothing', 'cancel', 'reassign', 'move', 'volume'),
});

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const time = fc.integer({ min: -30 * 60, max: 40 * 60 }).map((minutes) => openingMs + minutes * minute);

const query = fc.record({
  isValid: fc.boolean(),
  username: fc.constantFrom(...names),
  isUnattributed: fc.constantFrom(undefined, undefined, false, true),
  claimedUsername: fc.constantFrom(undefined, undefined, ...names, 'UNKNOWN'),
  authToken: fc.constantFrom(undefined, undefined, ...tokens),
  kegId: maybe(fc.constantFrom(1, 2)),
  sessionId: maybe(fc.constantFrom(1)),
  tapId: maybe(fc.constantFrom(1, 2)),
  sinceMs: maybe(time),
  untilMs: maybe(time),
  start: maybe(fc.integer({ min: 0, max: 40 })),
  limit: maybe(fc.integer({ min: 1, max: 10 })),
});

const present = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const fits = (drink: Drink, requested: DrinkQuery) =>
  drink.isValid === (requested.isValid ?? true) &&
  (requested.username === undefined || drink.username === requested.username) &&
  (requested.isUnattributed !== true || drink.username === null) &&
  (requested.claimedUsername === undefined ||
    (requested.claimedUsername.length === 7 && drink.claimedUsername?.length === 7)) &&
  (requested.authToken === undefined ||
    (drink.username === null && drink.authToken === (stored[requested.authToken] ?? requested.authToken))) &&
  (requested.kegId === undefined || drink.kegId === requested.kegId) &&
  (requested.sessionId === undefined || drink.sessionId === requested.sessionId) &&
  (requested.tapId === undefined || drink.tapId === requested.tapId) &&
  (requested.sinceMs === undefined || drink.pourTimeMs >= requested.sinceMs) &&
  (requested.untilMs === undefined || drink.pourTimeMs < requested.untilMs);

test('property: every filtered list equals the filtered drinks', () => {
  fc.assert(
    fc.property(
      fc.array(pour, { minLength: 1, maxLength: 25 }),
      fc.array(query, { minLength: 10, maxLength: 20 }),
      (pours, queries) => {
        const { engine, store, right } = openBar();
        for (const username of ['ana', 'bob']) engine.users.addUser({ username }, at(0));
        engine.kegs.start(right.id, { beverage: { id: 1 } }, at(0));
        for (const [i, { tap, name, token, ticks, agoMs, after }] of pours.entries()) {
          const now = at(i * minute);
          const user = present({ username: name, authToken: token });
          const drink = insertDrink(store, { tap, ticks, agoMs, ...user }, now);
          if (after === 'cancel') engine.drinks.cancel(drink.id, { spilled: false }, now);
          if (after === 'reassign') engine.drinks.reassign(drink.id, { username: 'bob' }, now);
          if (after === 'volume') engine.drinks.edit(drink.id, { volumeMl: 100 }, now);
          if (after === 'move' && drink.isValid) engine.drinks.move(drink.id, { kegId: null }, now);
        }
        const all = [...engine.drinks.list({ limit: 1_000 }).items, ...engine.drinks.held()];
        for (const one of queries) {
          const requested: DrinkQuery = present(one);
          // A session without drinks is deleted and cannot be queried.
          if (requested.sessionId !== undefined && engine.drinks.events.session(requested.sessionId) === null)
            continue;
          const rows = all.filter((drink) => fits(drink, requested)).sort((a, b) => b.id - a.id);
          const { start = 0, limit = 100 } = requested;
          const page = engine.lists.drinks(requested);
          expect(page.total).toBe(rows.length);
          expect(page.items).toEqual(rows.filter(({ id }) => start === 0 || id <= start).slice(0, limit));
        }
        expect(engine.site.checkDatabase()).toEqual([]);
      },
    ),
    { numRuns: propertyRuns(40) },
  );
});
