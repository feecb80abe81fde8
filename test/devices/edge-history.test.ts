import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventBus } from '../../src/core/event-bus.ts';
import type { Drained } from '../../src/devices/device-interfaces.ts';
import { createEdgeHistory } from '../../src/devices/edge-history.ts';
import { createMeterChannel } from '../../src/devices/meter-channel.ts';
import { createMeterFeed } from '../../src/devices/meter-feed.ts';
import { createSimulatedPins } from '../../src/devices/simulated/simulated-pins.ts';

const drained = (untilMonoMs: number, ...stampsMonoMs: number[]): Drained => ({
  untilMonoMs,
  lines: stampsMonoMs.length === 0 ? [] : [{ meter: 'pi.flow0', stampsMonoMs, lost: 0 }],
});

const readStamps = (history: ReturnType<typeof createEdgeHistory>) => [
  ...(history.snapshot().stamps.get('pi.flow0') ?? []),
];

test('edges are kept from the first snapshot on', () => {
  const history = createEdgeHistory();
  history.record(drained(1_000, 980, 990));
  expect(history.snapshot()).toMatchObject({ sinceMonoMs: null, untilMonoMs: 1_000 });
  history.record(drained(1_050, 1_010, 1_020));
  expect(readStamps(history)).toEqual([1_010, 1_020]);
  expect(history.snapshot().sinceMonoMs).toBe(1_000);
});

test('recording stops and the edges are dropped after five seconds without a snapshot', () => {
  const history = createEdgeHistory();
  history.record(drained(1_000));
  history.snapshot();
  history.record(drained(2_000, 1_500));
  history.record(drained(6_100, 6_050));
  history.record(drained(6_200, 6_150));
  expect(history.snapshot()).toMatchObject({ sinceMonoMs: null });
  expect(readStamps(history)).toEqual([]);
});

test('edges older than ten seconds are dropped, and a flood keeps its newest edges in order', () => {
  const history = createEdgeHistory();
  history.record(drained(1_000));
  for (let at = 2_000; at <= 20_000; at += 1_000) {
    history.snapshot();
    history.record(drained(at, at - 10));
  }
  expect(readStamps(history)).toEqual(Array.from({ length: 10 }, (_, i) => 10_990 + i * 1_000));
  history.record(drained(21_000, ...Array.from({ length: 9_000 }, (_, i) => 20_000 + i / 10), 20_899.95));
  const flood = readStamps(history);
  expect(flood).toHaveLength(2_048);
  expect(flood.slice(-2)).toEqual([20_899.9, 20_899.95]);
});

test('a feed counts every edge as tick or rejected, and a snapshot has the newest', () => {
  const clock = { ms: 0 };
  const pins = createSimulatedPins({
    meters: [
      { name: 'pi.flow0', pin: 17 },
      { name: 'pi.flow1', pin: 27 },
    ],
    toggles: [],
    nowMonoMs: () => clock.ms,
  });
  const feed = createMeterFeed({
    input: pins,
    meters: ['pi.flow0', 'pi.flow1'].map((name) => ({
      name,
      minGapMs: 1.2,
      idleMs: 5_000,
      minTicks: 3,
      maxMs: 300_000,
    })),
    bus: createEventBus((fault) => {
      throw fault;
    }),
    ids: { next: () => 'p' },
    bootId: 'boot-a',
    judgement: { noiseShare: 0.2, simultaneousMs: 20 },
    onFault: (fault) => {
      throw fault;
    },
  });
  pins.pulse('pi.flow0', 10, 2_000);
  clock.ms = 100;
  feed.poll();
  // Of pulses 0.5 ms apart every third is 1.5 ms after the last counted one.
  expect(feed.snapshot().meters).toMatchObject([
    { meter: 'pi.flow0', ticks: 4, refused: 6, stampsMonoMs: new Float64Array(0) },
    { meter: 'pi.flow1', ticks: 0, refused: 0 },
  ]);
  pins.pulse('pi.flow1', 3, 100, ['pi.flow0']);
  clock.ms = 200;
  feed.poll();
  const { meters, sinceMonoMs, untilMonoMs } = feed.snapshot();
  expect(meters.map(({ stampsMonoMs }) => [...Array.from(stampsMonoMs)])).toEqual([
    [100, 110, 120],
    [100, 110, 120],
  ]);
  expect([sinceMonoMs, untilMonoMs]).toEqual([100, 200]);
});

test('a simulated pin is low for the first 20 ms of each slow pulse, and high at rest', () => {
  const clock = { ms: 0 };
  const pins = createSimulatedPins({
    meters: [{ name: 'pi.flow0', pin: 17 }],
    toggles: [],
    nowMonoMs: () => clock.ms,
  });
  const level = () => pins.lines()[0]?.level;
  expect(level()).toBe(1);
  pins.pulse('pi.flow0', 2, 10);
  expect(level()).toBe(0);
  clock.ms = 19;
  expect(level()).toBe(0);
  clock.ms = 20;
  expect(level()).toBe(1);
  clock.ms = 110;
  expect(level()).toBe(0);
  clock.ms = 300;
  expect(level()).toBe(1);
});

test('a simulated pin is low for the first half of each fast pulse', () => {
  const clock = { ms: 0 };
  const pins = createSimulatedPins({
    meters: [{ name: 'pi.flow0', pin: 17 }],
    toggles: [],
    nowMonoMs: () => clock.ms,
  });
  pins.pulse('pi.flow0', 2, 100);
  const levels = [0, 4, 5, 9, 10, 14, 15, 20].map((ms) => {
    clock.ms = ms;
    return pins.lines()[0]?.level;
  });
  expect(levels).toEqual([0, 0, 1, 1, 0, 0, 1, 1]);
});

test('every edge is either counted or rejected in any sequence', () => {
  const edges = fc.array(fc.double({ min: 0, max: 60_000, noNaN: true }), { maxLength: 200 });
  fc.assert(
    fc.property(fc.array(edges, { maxLength: 20 }), (drains) => {
      const settings = { name: 'pi.flow0', minGapMs: 1.2, idleMs: 500, minTicks: 3, maxMs: 10_000 };
      const channel = createMeterChannel(settings, { ids: { next: () => 'p' }, bootId: 'boot-a' });
      let untilMonoMs = 0;
      for (const stamps of drains) {
        const stampsMonoMs = stamps.toSorted((a, b) => a - b);
        untilMonoMs = Math.max(untilMonoMs, ...stampsMonoMs);
        channel.step({ meter: 'pi.flow0', stampsMonoMs, lost: 0 }, untilMonoMs);
      }
      const { ticks, refused } = channel.counts;
      expect(ticks + refused).toBe(drains.flat().length);
    }),
  );
});
