import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Drink } from '../../../src/core/records.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, openBar } from '../bar.ts';
import { checkSessions, halfHour, storedSessions, take, username } from './laws/sessions.ts';

test(
  'property: after any pours, corrections, undos and clocks the sessions are those of the valid drinks',
  () => checkSessions(openBar),
  240_000,
);

const shuffledPours = fc
  .array(fc.record({ do: fc.constant('pour' as const), halfHour, username }), { minLength: 2, maxLength: 12 })
  .chain((pours) => fc.tuple(fc.constant(pours), fc.shuffledSubarray(pours, { minLength: pours.length })));

test('property: the order in which pours arrive changes no session, and no id of a session is lost', () => {
  fc.assert(
    fc.property(shuffledPours, (orders) => {
      const results = orders.map((pours) => {
        const bar = openBar();
        for (const name of ['ana', 'bob']) bar.engine.users.addUser({ username: name }, at(0));
        try {
          const ids = pours.map((input, index) => (take(bar, input, index) as Drink).sessionId!);
          for (const id of ids) expect(bar.engine.drinks.events.session(id)).not.toBeNull();
          const starts = bar.engine.drinks.events
            .list({ limit: 1_000 })
            .filter(({ kind }) => kind === 'session_started')
            .map(({ timeMs }) => timeMs)
            .sort();
          const days = bar.engine.reports.statistics.sessionDays();
          return { sessions: storedSessions(bar), starts, days };
        } finally {
          bar.store.close();
        }
      });
      expect(results[0]).toEqual(results[1]);
    }),
    { numRuns: propertyRuns(40) },
  );
}, 120_000);
