import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pourStarts, type TimedTicks } from '../../../src/core/measurement/pour-starts.ts';
import { TickSeries } from '../../../src/core/pours/tick-series.ts';

/** A pour of 5.4 ticks per millilitre with these spans of one rate each: milliseconds, ticks per second. */
function poured(...spans: readonly (readonly [ms: number, hz: number])[]): TimedTicks {
  const series = new TickSeries();
  let [fromMs, ticks, lastMs] = [0, 0, 0];
  for (const [ms, hz] of spans) {
    for (let at = fromMs; hz > 0 && at < fromMs + ms; at += 1_000 / hz) {
      series.add(at);
      [ticks, lastMs] = [ticks + 1, at];
    }
    fromMs += ms;
  }
  return {
    ticks,
    gasTicks: 0,
    foamTicks: 0,
    series: series.toString(),
    durationMs: lastMs,
    volumeMl: ticks / 5.4,
  };
}

const still = (ms: number) => [ms, 0] as const;

test('a steady pour has one start, at its rate', () => {
  const { riseHz, flowMs } = pourStarts(poured([5_000, 300]));
  expect(riseHz).toBeGreaterThan(295);
  expect(riseHz).toBeLessThan(315);
  expect(flowMs).toBeCloseTo(5_000, -2);
});

test('each start after a pause counts, and the pause is no time of flow', () => {
  const three = poured([1_000, 300], still(1_500), [1_000, 300], still(800), [1_000, 300]);
  const { riseHz, flowMs } = pourStarts(three);
  expect(riseHz).toBeGreaterThan(880);
  expect(riseHz).toBeLessThan(950);
  expect(flowMs).toBeGreaterThan(2_800);
  expect(flowMs).toBeLessThan(3_400);
});

test('a tap that is opened further rises by the difference', () => {
  const { riseHz } = pourStarts(poured([2_000, 100], [2_000, 300]));
  expect(riseHz).toBeLessThan(315);
});

test('a slow flow through a coarse meter is one start', () => {
  // 10 mL/s at 0.45 ticks per millilitre: a tick every 222 ms.
  const { riseHz, flowMs } = pourStarts(poured([30_000, 4.5]));
  expect(riseHz).toBeLessThan(7);
  expect(flowMs).toBeGreaterThan(29_000);
});

test('without a series it is one start at the mean rate, without a duration one at the usual flow', () => {
  const whole = { ticks: 2_700, gasTicks: 0, foamTicks: 0, series: null, volumeMl: 500 };
  expect(pourStarts({ ...whole, durationMs: 9_000 })).toEqual({ riseHz: 300, flowMs: 9_000 });
  expect(pourStarts({ ...whole, durationMs: 0 })).toEqual({ riseHz: 324, flowMs: 500_000 / 60 });
});

test('gas at the end begins no start', () => {
  const pour = poured([3_000, 300], [3_000, 900]);
  const { riseHz } = pourStarts({ ...pour, gasTicks: 2_700 });
  expect(riseHz).toBeLessThan(330);
});

test('property: starts and time of flow are finite, and no longer than the pour', () => {
  const pairs = fc.array(fc.record({ ms: fc.nat(90_000_000), ticks: fc.nat(500) }), { maxLength: 50 });
  fc.assert(
    fc.property(pairs, fc.nat(86_400_000), fc.nat(3_000), fc.nat(3_000), (list, durationMs, gas, foam) => {
      const ticks = list.reduce((sum, pair) => sum + pair.ticks, 0);
      const gasTicks = Math.min(gas, ticks);
      const foamTicks = Math.min(foam, ticks - gasTicks);
      const series = list.map(({ ms, ticks: count }) => `${ms}:${count}`).join(' ');
      const found = pourStarts({ ticks, gasTicks, foamTicks, series, durationMs, volumeMl: ticks / 5 });
      expect(found.riseHz).toBeGreaterThanOrEqual(0);
      expect(Number.isFinite(found.riseHz)).toBe(true);
      if (durationMs > 0 && ticks - gasTicks > foamTicks + 1)
        expect(found.flowMs).toBeLessThanOrEqual(Math.max(1, durationMs));
      expect(found.flowMs).toBeGreaterThanOrEqual(0);
    }),
  );
});
