import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PourStep } from '../../../src/core/pours/pour.ts';
import { PourTracker } from '../../../src/core/pours/pour-tracker.ts';
import { parseTickSeries, sumTicks } from '../../../src/core/pours/tick-series.ts';
import { cutAnywhere, tickStamps } from './arbitrary-batches.ts';

const limits = { idleMs: 5_000, minTicks: 3, maxMs: 300_000 };

/** Ticks `gapMs` apart from the first, before `endMs`. */
const flow = (startMs: number, endMs: number, gapMs: number): number[] =>
  Array.from({ length: Math.ceil((endMs - startMs) / gapMs) }, (_, i) => startMs + i * gapMs);

const endings = (steps: readonly PourStep[]) =>
  steps.filter((step) => step.kind === 'ended' || step.kind === 'drip');

const ticksOf = (steps: readonly PourStep[]): number =>
  steps.reduce(
    (sum, step) => sum + (step.kind === 'ended' ? step.pour.ticks : step.kind === 'drip' ? step.ticks : 0),
    0,
  );

test('a pour lasts until its last tick', () => {
  const tracker = new PourTracker(limits);
  expect(tracker.step([1_000, 1_500, 2_000], 2_050)).toEqual([
    { kind: 'started', startedMonoMs: 1_000 },
    { kind: 'flowing', ticks: 3, lastTickMonoMs: 2_000 },
  ]);
  expect(tracker.step([], 7_001)).toEqual([
    {
      kind: 'ended',
      pour: {
        ticks: 3,
        startedMonoMs: 1_000,
        durationMs: 1_000,
        series: '0:1 500:1 1000:1',
        reachedMaxDuration: false,
      },
    },
  ]);
  expect(tracker.running).toBeNull();
});

test('a silence of exactly the idle time continues the pour', () => {
  const tracker = new PourTracker(limits);
  tracker.step([1_000, 1_100, 1_200], 1_200);
  expect(tracker.step([], 6_200)).toEqual([]);
  expect(tracker.step([6_200], 6_200)).toEqual([{ kind: 'flowing', ticks: 4, lastTickMonoMs: 6_200 }]);
});

test('a drain without ticks gives no step', () => {
  const tracker = new PourTracker(limits);
  expect(tracker.step([], 1_000)).toEqual([]);
  tracker.step([1_100], 1_150);
  expect(tracker.step([], 1_200)).toEqual([]);
});

test('two ticks are reported as a drip', () => {
  const tracker = new PourTracker(limits);
  tracker.step([1_000, 1_250], 1_300);
  expect(tracker.step([], 60_000)).toEqual([
    { kind: 'drip', ticks: 2, startedMonoMs: 1_000, durationMs: 250 },
  ]);
});

test('one late batch can end one pour and start the next', () => {
  const tracker = new PourTracker(limits);
  const steps = tracker.step([0, 10, 20, 10_000, 10_010], 10_050);
  expect(steps.map((step) => step.kind)).toEqual(['started', 'ended', 'started', 'flowing']);
  expect(tracker.running).toEqual({ startedMonoMs: 10_000, lastTickMonoMs: 10_010, ticks: 2 });
});

test('a stalled loop does not split a pour: silence is proven only up to `untilMonoMs`', () => {
  const tracker = new PourTracker(limits);
  tracker.step([1_000, 1_100, 1_200], 1_250);
  expect(tracker.step([], 1_300)).toEqual([]);
  // The loop stalled for 20 s while beer was flowing.
  expect(endings(tracker.step(flow(1_300, 21_000, 100), 21_000))).toEqual([]);
  expect(tracker.running?.ticks).toBe(3 + 197);
});

test('a tap left open is cut at the maximum duration, and the next tick starts a new pour', () => {
  const tracker = new PourTracker({ idleMs: 5_000, minTicks: 3, maxMs: 10_000 });
  const steps = tracker.step(flow(0, 20_500, 1_000), 20_000);
  expect(endings(steps)).toMatchObject([
    { pour: { startedMonoMs: 0, ticks: 10, durationMs: 9_000, reachedMaxDuration: true } },
    { pour: { startedMonoMs: 10_000, ticks: 10, durationMs: 9_000, reachedMaxDuration: true } },
  ]);
  expect(tracker.running).toEqual({ startedMonoMs: 20_000, lastTickMonoMs: 20_000, ticks: 1 });
});

test('a long pour that ended by itself did not reach the maximum duration', () => {
  const tracker = new PourTracker({ idleMs: 5_000, minTicks: 3, maxMs: 10_000 });
  const steps = [...tracker.step(flow(0, 10_000, 1_000), 10_000), ...tracker.step([], 14_001)];
  expect(endings(steps)).toMatchObject([{ pour: { ticks: 10, reachedMaxDuration: false } }]);
});

test('a long pour ended by the start of the next one did not reach the maximum duration', () => {
  const tracker = new PourTracker({ idleMs: 5_000, minTicks: 3, maxMs: 10_000 });
  const steps = tracker.step([...flow(0, 9_000, 1_000), 30_000], 30_000);
  expect(endings(steps)).toMatchObject([{ pour: { ticks: 9, reachedMaxDuration: false } }]);
});

test('a late tick counts, and the pour does not become shorter', () => {
  const tracker = new PourTracker(limits);
  expect(tracker.step([1_000, 3_000, 2_000], 3_000).at(-1)).toEqual({
    kind: 'flowing',
    ticks: 3,
    lastTickMonoMs: 3_000,
  });
  expect(tracker.finish()).toMatchObject([{ pour: { ticks: 3, durationMs: 2_000 } }]);
});

test('finishing ends the running pour with its ticks so far', () => {
  const tracker = new PourTracker(limits);
  expect(tracker.finish()).toEqual([]);
  tracker.step([1_000, 1_100, 1_200], 1_200);
  expect(tracker.finish()).toMatchObject([{ kind: 'ended', pour: { ticks: 3, reachedMaxDuration: false } }]);
  expect(tracker.finish()).toEqual([]);
  expect(tracker.running).toBeNull();
});

test('a pour from the journal continues with its ticks, start and series', () => {
  const before = new PourTracker(limits);
  before.step([1_000, 1_050, 1_200], 1_200);
  const after = new PourTracker(limits);
  after.resume(before.checkpoint()!);
  expect(after.step([4_000], 4_050)).toEqual([{ kind: 'flowing', ticks: 4, lastTickMonoMs: 4_000 }]);
  expect(after.step([], 9_001)).toMatchObject([
    { pour: { ticks: 4, startedMonoMs: 1_000, durationMs: 3_000, series: '0:2 200:1 3000:1' } },
  ]);
});

test('a pour from the journal with too long a silence ends unchanged', () => {
  const tracker = new PourTracker(limits);
  tracker.resume({ startedMonoMs: 1_000, lastTickMonoMs: 2_000, ticks: 40, series: '0:20 1000:20' });
  expect(tracker.step([90_000], 90_000)).toMatchObject([
    { kind: 'ended', pour: { ticks: 40, durationMs: 1_000 } },
    { kind: 'started', startedMonoMs: 90_000 },
    { kind: 'flowing', ticks: 1 },
  ]);
});

test.each(['', 'nonsense', '0:5'])(
  'a journal with the series "%s" loses the shape, never the ticks',
  (series) => {
    const tracker = new PourTracker(limits);
    tracker.resume({ startedMonoMs: 1_000, lastTickMonoMs: 2_000, ticks: 40, series });
    expect(tracker.finish()).toMatchObject([{ pour: { ticks: 40, series: '0:40' } }]);
  },
);

test('a running meter refuses a second pour', () => {
  const tracker = new PourTracker(limits);
  tracker.step([1_000], 1_000);
  const pour = { startedMonoMs: 0, lastTickMonoMs: 0, ticks: 1, series: '0:1' };
  expect(() => tracker.resume(pour)).toThrow(expect.objectContaining({ code: 'internal' }));
});

const scenario = fc.record({
  stamps: tickStamps,
  cuts: cutAnywhere,
  /** Position of each `until` between the earliest and latest legal value. */
  untilPositions: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 62, maxLength: 62 }),
  limits: fc.record({
    idleMs: fc.integer({ min: 200, max: 3_000 }),
    minTicks: fc.integer({ min: 1, max: 10 }),
    maxMs: fc.integer({ min: 1_000, max: 8_000 }),
  }),
});

/** Steps the batches like a source whose `until` lies anywhere from the last one to the next edge. */
function pourInBatches(
  tracker: PourTracker,
  batches: readonly number[][],
  untilPositions: readonly number[],
): PourStep[] {
  const steps: PourStep[] = [];
  let until = 0;
  batches.forEach((batch, i) => {
    const next = batches.slice(i + 1).find((later) => later.length > 0)?.[0] ?? 1e9;
    until += (next - until) * untilPositions[i]!;
    steps.push(...tracker.step(batch, until));
  });
  return steps;
}

test('property: the same ticks give the same pours and drips, whatever the batches, stalls and untils', () => {
  fc.assert(
    fc.property(scenario, ({ stamps, cuts, untilPositions, limits }) => {
      const whole = new PourTracker(limits);
      const drained = new PourTracker(limits);
      const expected = [...whole.step(stamps, 0), ...whole.step([], 2e9)];
      const steps = [...pourInBatches(drained, cuts(stamps), untilPositions), ...drained.step([], 2e9)];
      expect(endings(steps)).toEqual(endings(expected));
    }),
    { numRuns: 500 },
  );
});

test('property: no tick is lost or added, and every series sums to its pour', () => {
  fc.assert(
    fc.property(scenario, ({ stamps, cuts, untilPositions, limits }) => {
      const tracker = new PourTracker(limits);
      const steps = pourInBatches(tracker, cuts(stamps), untilPositions);
      expect(ticksOf(steps) + (tracker.running?.ticks ?? 0)).toBe(stamps.length);
      steps.push(...tracker.finish());
      expect(ticksOf(steps)).toBe(stamps.length);
      for (const step of steps) {
        if (step.kind === 'drip') expect(step.ticks).toBeLessThan(limits.minTicks);
        if (step.kind !== 'ended') continue;
        expect(step.pour.ticks).toBeGreaterThanOrEqual(limits.minTicks);
        expect(step.pour.durationMs).toBeLessThan(limits.maxMs);
        expect(sumTicks(parseTickSeries(step.pour.series)!)).toBe(step.pour.ticks);
      }
    }),
    { numRuns: 500 },
  );
});

test('property: every pour and drip is preceded by its own start, in order', () => {
  fc.assert(
    fc.property(scenario, ({ stamps, cuts, untilPositions, limits }) => {
      const tracker = new PourTracker(limits);
      const steps = [...pourInBatches(tracker, cuts(stamps), untilPositions), ...tracker.step([], 2e9)];
      let openSince: number | null = null;
      for (const step of steps) {
        if (step.kind === 'started') {
          expect(openSince).toBeNull();
          openSince = step.startedMonoMs;
        } else {
          expect(openSince).not.toBeNull();
        }
        if (step.kind === 'flowing' || step.kind === 'started') continue;
        expect(step.kind === 'ended' ? step.pour.startedMonoMs : step.startedMonoMs).toBe(openSince);
        openSince = null;
      }
      expect(openSince).toBeNull();
    }),
  );
});

test('property: a daemon killed between any two drains and resumed from its checkpoint gives the same pours', () => {
  fc.assert(
    fc.property(scenario, ({ stamps, cuts, untilPositions, limits }) => {
      const batches = cuts(stamps);
      const steady = new PourTracker(limits);
      const expected = [...pourInBatches(steady, batches, untilPositions), ...steady.step([], 2e9)];

      const steps: PourStep[] = [];
      let open = new PourTracker(limits).checkpoint();
      for (const batch of batches) {
        const tracker = new PourTracker(limits);
        if (open) tracker.resume(open);
        steps.push(...tracker.step(batch, 0));
        open = tracker.checkpoint();
      }
      const last = new PourTracker(limits);
      if (open) last.resume(open);
      steps.push(...last.step([], 2e9));
      expect(endings(steps)).toEqual(endings(expected));
    }),
  );
});

test('property: stamps in any order lose no tick', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100_000 })), (stamps) => {
      const tracker = new PourTracker(limits);
      const steps = [...tracker.step(stamps, 50_000), ...tracker.finish()];
      expect(ticksOf(steps)).toBe(stamps.length);
    }),
  );
});
