import fc from 'fast-check';
import { expect } from 'vitest';
import { AppError } from '../../../../src/core/app-error.ts';
import { drinkSpan, groupOverlapping, joinSpans } from '../../../../src/core/pours/session-rules.ts';
import type { Drink } from '../../../../src/core/records.ts';
import { propertyRuns } from '../../../kit/slow.ts';
import { at, hour, minute, type openBar, pour } from '../../bar.ts';

export type Bar = ReturnType<typeof openBar>;

/** A step that an extension adds. */
export interface OtherStep {
  readonly do: 'other';
  readonly name: string;
  take(bar: Bar, index: number): unknown;
}

const row = fc.integer({ min: 1, max: 20 });
/** When a pour ended, in half hours after opening. */
export const halfHour = fc.integer({ min: 0, max: 48 });
export const username = fc.constantFrom(undefined, 'ana', 'bob');
export const now = at(30 * hour);

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('pour' as const), halfHour, username }) },
  fc.record({ do: fc.constant('unset' as const), halfHour }),
  fc.record({ do: fc.constant('hold' as const), halfHour }),
  fc.record({ do: fc.constant('keep' as const), row }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), row }) },
  fc.record({ do: fc.constant('join' as const), row, otherId: row }),
  fc.record({ do: fc.constant('split' as const), row }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('undo' as const), row }) },
  fc.record({ do: fc.constant('undoAny' as const), id: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ do: fc.constant('setClock' as const), shift: fc.integer({ min: -20, max: 20 }) }),
  fc.record({ do: fc.constant('timeout' as const), minutes: fc.constantFrom(0, 45, 90, 180) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

export function take(bar: Bar, input: Step | OtherStep, index: number): unknown {
  const { engine } = bar;
  const { drinks } = engine;
  const { pours } = engine.drinks;
  const boot2 = { bootId: 'boot-2', synced: false };
  switch (input.do) {
    case 'other':
      return input.take(bar, index);
    case 'pour': {
      const agoMs = now.wallMs - at(input.halfHour * 30 * minute).wallMs;
      return pours.report(
        { tap: 1, ticks: 100, agoMs, source: 'post', ...(input.username && { username: input.username }) },
        now,
      );
    }
    case 'unset': {
      const moment = at(input.halfHour * 30 * minute, boot2);
      return pours.record(pour(moment), 'pin', moment);
    }
    case 'hold': {
      const moment = at(input.halfHour * 30 * minute);
      return pours.record(pour(moment, { doubts: ['no_end'] }), 'pin', moment);
    }
    case 'keep':
      return drinks.keep(input.row, {}, now);
    case 'cancel':
      return drinks.cancel(input.row, { spilled: false }, now);
    case 'join':
      return drinks.join(input.row, input, now);
    case 'split':
      return drinks.split(input.row, { ticks: 30 }, now);
    case 'undo':
      return drinks.undo(input.row, {}, now);
    case 'undoAny':
      return bar.engine.corrections.undo(input.id, {}, now);
    case 'setClock':
      return engine.drinks.clockCorrection.correct(
        at(30 * hour, { bootId: 'boot-2', monoMs: now.monoMs + input.shift * 30 * minute }),
      );
    case 'timeout':
      return engine.users.changeSite({ sessionTimeoutMinutes: input.minutes });
  }
}

const validDrinks = ({ engine }: Bar): readonly Drink[] =>
  [...engine.lists.drinks({ limit: 1_000 }).items].sort(
    (one, other) => one.pourTimeMs - other.pourTimeMs || one.id - other.id,
  );

interface Figures {
  readonly startTimeMs: number;
  readonly endTimeMs: number;
  readonly volumeMl: number;
}

const byTime = (one: Figures, other: Figures): number =>
  one.startTimeMs - other.startTimeMs || one.endTimeMs - other.endTimeMs || one.volumeMl - other.volumeMl;

/** Start, end, volume and drinks of each session, from the valid drinks and the time-outs alone. */
const computeSessions = (bar: Bar) =>
  groupOverlapping(
    validDrinks(bar).map((drink) => ({
      drink,
      ...drinkSpan(drink.pourTimeMs, bar.store.drinks.sessionTimeouts.all()),
    })),
  )
    .map((group) => ({
      ...joinSpans(group),
      volumeMl: group.reduce((sum, { drink }) => sum + drink.volumeMl, 0),
      times: group.map(({ drink }) => drink.pourTimeMs),
    }))
    .sort(byTime);

/** The same of the stored sessions. */
export const storedSessions = (bar: Bar) =>
  bar.engine.lists
    .sessions({ limit: 1_000 })
    .items.map(({ id, startTimeMs, endTimeMs, volumeMl }) => {
      const drinks = validDrinks(bar).filter(({ sessionId }) => sessionId === id);
      const times = drinks.map(({ pourTimeMs }) => pourTimeMs);
      return { startTimeMs, endTimeMs, volumeMl, times };
    })
    .sort(byTime);

/** Each session has one start event, with its first drink that was not imported, and at most one join event per user. */
function expectEvents(bar: Bar): void {
  const events = bar.engine.drinks.events.list({ limit: 1_000 });
  for (const { id, startTimeMs } of bar.engine.lists.sessions({ limit: 1_000 }).items) {
    const own = events.filter(({ sessionId }) => sessionId === id);
    const drinks = validDrinks(bar).filter(
      ({ sessionId, source }) => sessionId === id && source !== 'import',
    );
    const starts = own.filter(({ kind }) => kind === 'session_started');
    expect(starts.map(({ timeMs }) => timeMs)).toEqual(drinks.length > 0 ? [startTimeMs] : []);
    const start = drinks.find((drink) => drink.id === starts[0]?.drinkId);
    expect(start?.pourTimeMs).toBe(drinks[0]?.pourTimeMs);
    for (const event of own.filter(({ drinkId }) => drinkId !== null))
      expect(bar.store.drinks.byId(event.drinkId!)?.sessionId).toBe(id);
  }
  const merged = events.filter(({ kind }) => kind === 'session_merged');
  expect(new Set(merged.map(({ mergedSessionId }) => mergedSessionId)).size).toBe(merged.length);
  for (const { sessionId, mergedSessionId } of merged)
    expect(bar.engine.drinks.events.session(mergedSessionId!)?.id).toBe(sessionId);
}

/** After any pours, corrections, undos, clocks and `others` the sessions are those of the valid drinks. */
export function checkSessions(open: () => Bar, others: readonly fc.Arbitrary<OtherStep>[] = []): void {
  const steps = fc.oneof({ weight: 19, arbitrary: step }, ...others);
  fc.assert(
    fc.property(fc.array(steps, { minLength: 1, maxLength: 30 }), (taken) => {
      const bar = open();
      for (const name of ['ana', 'bob']) bar.engine.users.addUser({ username: name }, at(0));
      try {
        taken.forEach((input, index) => {
          try {
            take(bar, input, index);
          } catch (refusal) {
            if (!(refusal instanceof AppError)) throw refusal;
          }
          expect(storedSessions(bar), JSON.stringify(input)).toEqual(computeSessions(bar));
          expectEvents(bar);
          expect(bar.engine.site.checkDatabase()).toEqual([]);
        });
        expect(bar.store.faults()).toEqual([]);
      } finally {
        bar.store.close();
      }
    }),
    { numRuns: propertyRuns(60) },
  );
}
