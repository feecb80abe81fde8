import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drinkSpan, groupOverlapping, isSessionActive } from '../../../src/core/pours/session-rules.ts';

const hour = 3_600_000;
const session = { startTimeMs: 20 * hour, endTimeMs: 25 * hour };
const timeouts = [
  { fromMs: 30 * hour, timeoutMs: hour },
  { fromMs: 10 * hour, timeoutMs: 3 * hour },
];

const group = (times: readonly number[]) =>
  groupOverlapping(times.map((timeMs) => drinkSpan(timeMs, timeouts))).map((spans) =>
    spans.map(({ startTimeMs }) => startTimeMs / hour),
  );

test('a drink covers the time-out that the site had when it was poured', () => {
  expect(drinkSpan(30 * hour - 1, timeouts).endTimeMs).toBe(33 * hour - 1);
  expect(drinkSpan(30 * hour, timeouts).endTimeMs).toBe(31 * hour);
  expect(drinkSpan(0, timeouts).endTimeMs).toBe(3 * hour);
});

test('drinks with a gap below the time-out are one session, one of the time-out or more separates them', () => {
  expect(group([10 * hour, 12 * hour, 15 * hour, 18 * hour - 1])).toEqual([
    [10, 12],
    [15, 18 - 1 / hour],
  ]);
});

test('a longer time-out before a change reaches beyond drinks poured after it', () => {
  expect(group([29 * hour, 30 * hour, 31.5 * hour, 32.5 * hour])).toEqual([[29, 30, 31.5], [32.5]]);
});

test('without a time-out each drink is a session', () => {
  const spans = [20 * hour, 20 * hour].map((timeMs) => drinkSpan(timeMs, [{ fromMs: 0, timeoutMs: 0 }]));
  expect(groupOverlapping(spans)).toHaveLength(2);
});

test('a session is over at its end', () => {
  expect(isSessionActive(session, 25 * hour - 1)).toBe(true);
  expect(isSessionActive(session, 25 * hour)).toBe(false);
});

test('property: a further drink only joins groups, it splits none', () => {
  const time = fc.integer({ min: 0, max: 48 }).map((halves) => (halves * hour) / 2);
  fc.assert(
    fc.property(fc.array(time, { minLength: 1, maxLength: 12 }), time, (times, more) => {
      const sorted = (all: readonly number[]) => [...all].sort((one, other) => one - other);
      const after = group(sorted([...times, more]));
      for (const before of group(sorted(times))) {
        const holders = after.filter((one) => one.some((timeMs) => before.includes(timeMs)));
        expect(holders).toHaveLength(1);
      }
    }),
  );
});
