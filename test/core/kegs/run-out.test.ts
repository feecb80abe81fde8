import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateFlowPattern, predictRunOut, type VolumeSample } from '../../../src/core/kegs/run-out.ts';

const hour = 3_600_000;
const day = 24 * hour;
const berlin = 'Europe/Berlin';
/** Thursday 21 May 2026, noon in Berlin. */
const now = Date.UTC(2026, 4, 21, 10);

/** Twenty drinks of 500 mL between 18:00 and 23:00 in Berlin, so many days before that Thursday. */
const evening = (daysAgo: number, drinks = 20): VolumeSample[] =>
  Array.from({ length: drinks }, (_, i) => ({
    timeMs: Date.UTC(2026, 4, 21 - daysAgo, 16) + (i * 5 * hour) / drinks,
    volumeMl: 500,
  }));

/** Four weeks of Fridays and Saturdays, 10 L each; and one Wednesday. */
const weekends = [6, 5, 13, 12, 20, 19, 27, 26].flatMap((daysAgo) => evening(daysAgo));

const berlinDay = new Intl.DateTimeFormat('en-GB', {
  timeZone: berlin,
  weekday: 'long',
  hour: 'numeric',
  hourCycle: 'h23',
});
const predict = (remainMl: number, drinks: readonly VolumeSample[], at = now) => {
  const pattern = estimateFlowPattern(drinks, at, berlin);
  const end = pattern && predictRunOut(remainMl, pattern, at, berlin);
  return end && { when: berlinDay.format(end.timeMs), part: end.part };
};

test('a keg with ten litres used each Friday and Saturday is empty on Saturday evening', () => {
  expect(predict(15_000, weekends)).toEqual({ when: 'Saturday, 21', part: 'evening' });
  expect(predict(5_000, weekends)).toEqual({ when: 'Friday, 21', part: 'evening' });
  expect(predict(25_000, weekends)).toMatchObject({
    when: expect.stringMatching(/^Friday/),
    part: 'evening',
  });
});

test('no flow is predicted for weekdays that never had any', () => {
  const pattern = estimateFlowPattern(weekends, now, berlin)!;
  expect(pattern.mlBySlot.filter((ml) => ml > 0)).toHaveLength(2);
  expect(Math.max(...pattern.mlBySlot)).toBeCloseTo(10_000);
});

test('after three evenings all days share one average; a weekday seen once has none of its own', () => {
  const threeEvenings = [3, 2, 1].flatMap((daysAgo) => evening(daysAgo));
  // Ten litres an evening: the rest is used tonight and tomorrow night.
  expect(predict(15_000, threeEvenings)).toMatchObject({
    when: expect.stringMatching(/^Friday/),
    part: 'evening',
  });
});

test('three days of data give no prediction for three weeks', () => {
  const threeEvenings = [3, 2, 1].flatMap((daysAgo) => evening(daysAgo));
  expect(predict(50_000, threeEvenings)).not.toBeNull();
  expect(predict(80_000, threeEvenings)).toBeNull();
  expect(predict(90_000, weekends)).toBeNull();
});

test('a new keg, a single evening and an unused tap give no prediction', () => {
  expect(estimateFlowPattern([], now, berlin)).toBeNull();
  expect(estimateFlowPattern(evening(1, 60), now, berlin)).toBeNull();
  expect(estimateFlowPattern([...evening(3, 3), ...evening(2, 3), ...evening(1, 3)], now, berlin)).toBeNull();
  const longAgo = [20, 19, 18, 17].flatMap((daysAgo) => evening(daysAgo));
  expect(estimateFlowPattern(longAgo, now, berlin)).toBeNull();
});

test('during an evening only its remaining part is predicted', () => {
  const nightly = Array.from({ length: 14 }, (_, i) => evening(i + 1)).flat();
  const atNine = Date.UTC(2026, 4, 21, 19);
  expect(predict(3_000, nightly, atNine)).toMatchObject({ when: expect.stringMatching(/^Thursday/) });
  expect(predict(7_000, nightly, atNine)).toMatchObject({ when: expect.stringMatching(/^Friday/) });
});

test('drinks with future times are ignored', () => {
  const future = evening(-3, 40);
  expect(estimateFlowPattern(future, now, berlin)).toBeNull();
  expect(predict(15_000, [...weekends, ...future])).toEqual(predict(15_000, weekends));
});

test('local time is used, also across a clock change', () => {
  // Sunday 25 October 2026, when Berlin goes back to winter time.
  const after = Date.UTC(2026, 9, 24, 10);
  const evenings = Array.from({ length: 14 }, (_, i) =>
    evening(0).map(({ timeMs, volumeMl }) => ({
      timeMs: timeMs - now + after - (i + 1) * day,
      volumeMl,
    })),
  ).flat();
  const pattern = estimateFlowPattern(evenings, after, berlin)!;
  expect(predictRunOut(15_000, pattern, after, berlin)).toMatchObject({ part: 'evening' });
});

const anyDrinks = fc.array(
  fc.record({
    timeMs: fc.integer({ min: now - 30 * day, max: now }),
    volumeMl: fc.integer({ min: 1, max: 2_000 }),
  }),
  { minLength: 12, maxLength: 200 },
);

test('property: more beer never runs out earlier, and never in the past', () => {
  fc.assert(
    fc.property(
      anyDrinks,
      fc.integer({ min: 1, max: 60_000 }),
      fc.nat(20_000),
      (drinks, remainMl, moreMl) => {
        const pattern = estimateFlowPattern(drinks, now, berlin);
        if (pattern === null) return;
        const less = predictRunOut(remainMl, pattern, now, berlin);
        const more = predictRunOut(remainMl + moreMl, pattern, now, berlin);
        if (less === null) expect(more).toBeNull();
        else {
          expect(less.timeMs).toBeGreaterThanOrEqual(now);
          expect(less.timeMs).toBeLessThanOrEqual(now + 28 * day);
          if (more !== null) expect(more.timeMs).toBeGreaterThanOrEqual(less.timeMs);
        }
      },
    ),
  );
});

test('property: with twice the flow it is empty no later', () => {
  fc.assert(
    fc.property(anyDrinks, fc.integer({ min: 1, max: 60_000 }), (drinks, remainMl) => {
      const [pattern, doubled] = [1, 2].map((times) =>
        estimateFlowPattern(
          drinks.map(({ timeMs, volumeMl }) => ({ timeMs, volumeMl: volumeMl * times })),
          now,
          berlin,
        ),
      );
      if (!pattern || !doubled) return;
      const slow = predictRunOut(remainMl, pattern, now, berlin);
      const fast = predictRunOut(remainMl, doubled, now, berlin);
      if (slow !== null) expect(fast!.timeMs).toBeLessThanOrEqual(slow.timeMs);
    }),
  );
});
