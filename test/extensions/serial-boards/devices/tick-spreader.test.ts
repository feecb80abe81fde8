import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventBus } from '../../../../src/core/event-bus.ts';
import type { EndedPour } from '../../../../src/core/pours/pour.ts';
import { createMeterFeed } from '../../../../src/devices/meter-feed.ts';
import type { ReportedTicks } from '../../../../src/extensions/serial-boards/devices/reported-ticks.ts';
import { SerialPulses } from '../../../../src/extensions/serial-boards/devices/serial-pulses.ts';
import { TickSpreader } from '../../../../src/extensions/serial-boards/devices/tick-spreader.ts';

const report = (ticks: number, arrivedMonoMs: number, more: Partial<ReportedTicks> = {}): ReportedTicks => ({
  meter: 'flow0',
  ticks,
  arrivedMonoMs,
  isContinuous: true,
  lost: 0,
  ...more,
});

test('ticks are spread between the previous report and their own', () => {
  const spreader = new TickSpreader('kegboard.flow0');
  expect(spreader.spread([report(4, 1_000)], 100).stampsMonoMs).toEqual([925, 950, 975, 1_000]);
  expect(spreader.spread([report(2, 1_200)], 100).stampsMonoMs).toEqual([1_100, 1_200]);
});

test('after a pause the ticks of a report are spread over its last 100 ms', () => {
  const spreader = new TickSpreader('kegboard.flow0');
  spreader.spread([report(1, 1_000)], 100);
  expect(spreader.spread([report(2, 60_000)], 100).stampsMonoMs).toEqual([59_950, 60_000]);
});

test('ticks after a gap in the reports are spaced as a steady flow', () => {
  const spreader = new TickSpreader('kegboard.flow0');
  spreader.spread([report(1, 1_000)], 100);
  const { stampsMonoMs } = spreader.spread([report(200, 60_000, { isContinuous: false })], 100);
  expect(stampsMonoMs[0]).toBe(58_010);
  expect(stampsMonoMs[199]).toBe(60_000);
});

test('a batch with one unknown loss has an unknown loss', () => {
  const spreader = new TickSpreader('kegboard.flow0');
  expect(spreader.spread([report(1, 1_000), report(0, 1_100, { lost: null })], 100).lost).toBeNull();
  expect(spreader.spread([report(1, 1_200)], 100).lost).toBe(0);
});

test('time stamps never decrease and every tick has one, for any sequence of reports', () => {
  const one = fc.record({ ticks: fc.nat(50), afterMs: fc.nat(3_000), isContinuous: fc.boolean() });
  fc.assert(
    fc.property(fc.array(fc.array(one, { maxLength: 8 }), { maxLength: 10 }), (batches) => {
      const spreader = new TickSpreader('kegboard.flow0');
      let now = 1_000;
      let last = Number.NEGATIVE_INFINITY;
      for (const batch of batches) {
        const reports = batch.map(({ ticks, afterMs, isContinuous }) => {
          now += afterMs;
          return report(ticks, now, { isContinuous });
        });
        const stamps = Array.from(spreader.spread(reports, 100).stampsMonoMs);
        expect(stamps).toHaveLength(reports.reduce((sum, { ticks }) => sum + ticks, 0));
        for (const stamp of stamps) {
          expect(stamp).toBeGreaterThanOrEqual(last);
          expect(stamp).toBeLessThanOrEqual(now);
          last = stamp;
        }
      }
    }),
  );
});

/** A serial meter on a feed with a manual clock. */
function createTap() {
  let nowMs = 10_000;
  const pulses = new SerialPulses({ nowMonoMs: () => nowMs });
  const ended: EndedPour[] = [];
  const bus = createEventBus((fault) => {
    throw fault;
  });
  bus.on('pour.ended', ({ pour }) => ended.push(pour));
  let id = 0;
  const feed = createMeterFeed({
    input: pulses,
    meters: [],
    bus,
    ids: { next: () => `p${++id}` },
    bootId: 'boot-a',
    judgement: { noiseShare: 0.2, simultaneousMs: 20 },
    onFault: (fault) => {
      throw fault;
    },
  });
  feed.addMeter({ name: 'kegboard.flow0', minGapMs: 0, idleMs: 5_000, minTicks: 3, maxMs: 300_000 });
  return {
    ended,
    stall: (ms: number) => {
      nowMs += ms;
    },
    pass(ms: number) {
      for (const untilMs = nowMs + ms; nowMs < untilMs; ) {
        nowMs += 50;
        feed.poll();
      }
    },
    takeReport: (ticks: number) => pulses.take('kegboard.flow0', report(ticks, nowMs), 18),
  };
}

test('3 s of flow, reported every 100 ms, are one pour of that length', () => {
  const { ended, pass, takeReport } = createTap();
  for (let n = 0; n < 30; n++) {
    takeReport(13);
    pass(100);
  }
  pass(6_000);
  expect(ended).toMatchObject([{ ticks: 390, ticksLost: 0, doubts: [] }]);
  expect(ended[0]!.durationMs).toBeGreaterThan(2_900);
  expect(ended[0]!.durationMs).toBeLessThan(3_100);
});

test('a pour stays one pour when the main loop stalls for eight seconds and the reports arrive together', () => {
  const { ended, pass, takeReport, stall } = createTap();
  for (let n = 0; n < 20; n++) {
    takeReport(13);
    pass(100);
  }
  stall(8_000);
  // Timers run before bytes are read, as in the real event loop.
  pass(50);
  for (let n = 0; n < 79; n++) takeReport(13);
  pass(6_000);
  expect(ended).toMatchObject([{ ticks: 99 * 13 }]);
  expect(ended[0]!.durationMs).toBeGreaterThan(9_800);
});

test('a pour ends after a proven silence, so two flows with a pause between them are two pours', () => {
  const { ended, pass, takeReport } = createTap();
  takeReport(40);
  pass(5_800);
  takeReport(40);
  pass(4_000);
  expect(ended).toHaveLength(1);
  pass(3_000);
  expect(ended.map(({ ticks }) => ticks)).toEqual([40, 40]);
});
