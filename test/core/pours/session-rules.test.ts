import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  chooseSession,
  extendSession,
  isSessionActive,
  joinsSession,
  openSession,
  rebuildSession,
} from '../../../src/core/pours/session-rules.ts';

const hour = 3_600_000;
const timeout = 3 * hour;
const session = { startTimeMs: 20 * hour, endTimeMs: 25 * hour };

test('the first drink starts a session that lasts one timeout', () => {
  expect(openSession(20 * hour, timeout)).toEqual({ startTimeMs: 20 * hour, endTimeMs: 23 * hour });
});

test('a drink joins from one timeout before the start until just before the end', () => {
  expect(joinsSession(session, 17 * hour, timeout)).toBe(true);
  expect(joinsSession(session, 17 * hour - 1, timeout)).toBe(false);
  expect(joinsSession(session, 25 * hour - 1, timeout)).toBe(true);
  expect(joinsSession(session, 25 * hour, timeout)).toBe(false);
});

test('a drink delivered two days late does not extend the current session', () => {
  expect(joinsSession(session, session.startTimeMs - 48 * hour, timeout)).toBe(false);
});

test('an earlier drink moves the start, a later one the end', () => {
  expect(extendSession(session, 18 * hour, timeout)).toEqual({
    startTimeMs: 18 * hour,
    endTimeMs: 25 * hour,
  });
  expect(extendSession(session, 24 * hour, timeout)).toEqual({
    startTimeMs: 20 * hour,
    endTimeMs: 27 * hour,
  });
});

test('a late drink never shortens a session', () => {
  expect(extendSession(session, 20 * hour, timeout)).toEqual(session);
});

test('between two matching sessions the drink joins the one that was running', () => {
  const lunch = { id: 1, startTimeMs: 12 * hour, endTimeMs: 18 * hour };
  const dinner = { id: 2, startTimeMs: 19 * hour, endTimeMs: 23 * hour };
  expect(chooseSession([dinner, lunch], 17 * hour, timeout)?.id).toBe(1);
  expect(chooseSession([lunch, dinner], 18 * hour, timeout)?.id).toBe(2);
  expect(chooseSession([lunch, dinner], 23 * hour, timeout)).toBeNull();
});

test('of two running sessions the newer takes the drink, of two later ones the nearer', () => {
  const long = { id: 1, startTimeMs: 12 * hour, endTimeMs: 24 * hour };
  const short = { id: 2, startTimeMs: 19 * hour, endTimeMs: 23 * hour };
  for (const order of [
    [long, short],
    [short, long],
  ]) {
    expect(chooseSession(order, 20 * hour, timeout)?.id).toBe(2);
    expect(chooseSession(order, 11 * hour, 10 * hour)?.id).toBe(1);
  }
});

test('no drinks give no session', () => {
  expect(rebuildSession([], timeout)).toBeNull();
});

test('a rebuilt session follows its drinks', () => {
  const drinks = [
    { pourTimeMs: 22 * hour, volumeMl: 300 },
    { pourTimeMs: 20 * hour, volumeMl: 500 },
  ];
  expect(rebuildSession(drinks, timeout)).toEqual({
    startTimeMs: 20 * hour,
    endTimeMs: 25 * hour,
    volumeMl: 800,
  });
});

test('a session is over at its end', () => {
  expect(isSessionActive(session, 25 * hour - 1)).toBe(true);
  expect(isSessionActive(session, 25 * hour)).toBe(false);
});

test('property: drinks delivered in any order give the session they rebuild', () => {
  const drinks = fc.array(
    fc.record({ pourTimeMs: fc.integer({ min: 0, max: 30 * hour }), volumeMl: fc.nat({ max: 1_000 }) }),
    { minLength: 1, maxLength: 30 },
  );
  fc.assert(
    fc.property(drinks, fc.integer({ min: 0, max: 5 * hour }), (drinks, timeoutMs) => {
      const [first, ...later] = drinks;
      const span = later.reduce(
        (span, drink) => extendSession(span, drink.pourTimeMs, timeoutMs),
        openSession(first!.pourTimeMs, timeoutMs),
      );
      const times = drinks.map((drink) => drink.pourTimeMs);
      expect(rebuildSession(drinks, timeoutMs)).toEqual({
        ...span,
        volumeMl: drinks.reduce((sum, drink) => sum + drink.volumeMl, 0),
      });
      expect(span).toEqual({ startTimeMs: Math.min(...times), endTimeMs: Math.max(...times) + timeoutMs });
    }),
  );
});
