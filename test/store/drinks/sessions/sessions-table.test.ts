import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupOverlapping } from '../../../../src/core/pours/session-rules.ts';
import { openStore } from '../../../../src/store/store.ts';
import { propertyRuns } from '../../../kit/slow.ts';

interface Span {
  readonly startTimeMs: number;
  readonly endTimeMs: number;
}

/** Few different times, so that spans often begin or end at the same millisecond. */
const span = fc
  .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 6 }))
  .map(([startTimeMs, durationMs]) => ({ startTimeMs, endTimeMs: startTimeMs + durationMs }));

const overlap = (one: Span, other: Span) =>
  one.startTimeMs < other.endTimeMs && one.endTimeMs > other.startTimeMs;

/** Stores the sessions and returns which of them overlap the span. */
function findOverlapping(spans: readonly Span[], asked: Span, maxStarted?: number): readonly Span[] {
  const store = openStore({ file: ':memory:' });
  for (const one of spans) store.drinks.sessions.add({ ...one, volumeMl: 0, timeZone: 'UTC' });
  const found = store.drinks.sessions.overlapping(asked, maxStarted);
  store.close();
  return found.map(({ startTimeMs, endTimeMs }) => ({ startTimeMs, endTimeMs }));
}

test('sessions that only touch a span do not overlap it, whether few or many are looked at', () => {
  const sessions = [0, 10, 20].map((ms) => ({ startTimeMs: ms, endTimeMs: ms + 10 }));
  for (const maxStarted of [1, 2, 4]) {
    expect(findOverlapping(sessions, sessions[1]!, maxStarted)).toEqual([sessions[1]]);
    expect(findOverlapping(sessions, { startTimeMs: 9, endTimeMs: 21 }, maxStarted)).toEqual(sessions);
    expect(findOverlapping(sessions, { startTimeMs: 30, endTimeMs: 31 }, maxStarted)).toEqual([]);
  }
});

test('finds the sessions of a span in the order of their starts, also while some overlap', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 6 }), span, (spans, asked) => {
      const expected = spans
        .filter((one) => overlap(one, asked))
        .toSorted((one, other) => one.startTimeMs - other.startTimeMs);
      const found = findOverlapping(spans, asked, spans.length + 1);
      expect(found.map(({ startTimeMs }) => startTimeMs)).toEqual(
        expected.map(({ startTimeMs }) => startTimeMs),
      );
      expect(new Set(found.map((one) => JSON.stringify(one)))).toEqual(
        new Set(expected.map((one) => JSON.stringify(one))),
      );
    }),
    { numRuns: propertyRuns(400) },
  );
});

test('of sessions that do not overlap each other, one that started before is looked at', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 8 }), span, (spans, asked) => {
      const separate = groupOverlapping(
        spans.toSorted((one, other) => one.startTimeMs - other.startTimeMs),
      ).map(([first]) => first!);
      expect(findOverlapping(separate, asked)).toEqual(separate.filter((one) => overlap(one, asked)));
    }),
    { numRuns: propertyRuns(400) },
  );
});
