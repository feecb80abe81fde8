import { expect, test } from 'vitest';
import { createLineHealth } from '../../../src/engine/taps/line-health.ts';
import { at, hour, minute, pour } from '../bar.ts';
import { day, openLineBar, pourEvening } from './line-bar.ts';

const noonAfter = (evenings: number) => at((evenings - 1) * day + 18 * hour);

function findingsAfter(bar: ReturnType<typeof openLineBar>, evenings: number) {
  const taps = bar.engine.taps.lineHealth.all(noonAfter(evenings));
  return taps.map(({ findings }) => findings.map(({ kind, sinceDate }) => `${kind} ${sinceDate}`));
}

test('the evenings of a tap have its rate, and the share left in its keg', () => {
  const bar = openLineBar(3);
  const [left, right] = bar.engine.taps.lineHealth.all(noonAfter(3));
  expect(left!.evenings.map(({ date, pours, rateMlPerS }) => [date, pours, rateMlPerS])).toEqual([
    ['2026-05-01', 6, 60],
    ['2026-05-02', 6, 60],
    ['2026-05-03', 6, 60],
  ]);
  // Two evenings of 6 × 240 mL and three pours more, from 30 L.
  expect(left!.evenings[2]!.kegLeft).toBeCloseTo(1 - (2 * 6 * 240 + 3 * 240) / 30_000, 5);
  expect(left!.usual).toBeNull();
  expect(right!.evenings.map(({ rateMlPerS, kegLeft }) => [rateMlPerS, kegLeft])).toEqual([
    [50, null],
    [50, null],
    [50, null],
  ]);
});

test('a line that flows at two thirds is found after the second evening is over, not before', () => {
  const bar = openLineBar(8);
  for (const number of [8, 9]) {
    pourEvening(bar, number, { meter: 'pi.flow0', ticksPerS: 40 });
    pourEvening(bar, number, { meter: 'pi.flow1', ticksPerS: 100 });
  }
  expect(findingsAfter(bar, 9)).toEqual([[], []]);
  expect(bar.engine.taps.lineHealth.all(at(9 * day + 2 * hour))[0]!.findings).toEqual([]);
  expect(findingsAfter(bar, 10)).toEqual([['blocked_line 2026-05-09'], []]);
});

test('both taps at two thirds are low pressure', () => {
  const bar = openLineBar(8);
  for (const number of [8, 9]) {
    pourEvening(bar, number, { meter: 'pi.flow0', ticksPerS: 40 });
    pourEvening(bar, number, { meter: 'pi.flow1', ticksPerS: 70 });
  }
  expect(findingsAfter(bar, 10)).toEqual([['low_pressure 2026-05-09'], ['low_pressure 2026-05-09']]);
});

test('evenings with fewer than five clean pours, entered, reported and recovered pours do not count', () => {
  const bar = openLineBar(0);
  pourEvening(bar, 0, { meter: 'pi.flow0', ticksPerS: 60, pours: 4 });
  const series = Array.from({ length: 40 }, (_, bin) => `${bin * 100}:6`).join(' ');
  const good = { ticks: 240, durationMs: 3_990, series };
  for (let i = 0; i < 6; i++) {
    const now = at(2 * hour + i * minute);
    bar.engine.drinks.pours.record(pour(now, { ...good, recovered: true }), 'pin', now);
  }
  expect(bar.engine.taps.lineHealth.all(noonAfter(1))[0]!.evenings).toEqual([]);
});

test('an evening is read again when its pours are corrected', () => {
  const bar = openLineBar(1);
  const now = noonAfter(1);
  const [before] = bar.engine.taps.lineHealth.all(now);
  expect(before!.evenings.map(({ pours }) => pours)).toEqual([6]);
  // The drinks of both taps in turn: two of the left one.
  for (const id of [1, 2]) bar.engine.drinks.cancel(id, { spilled: false }, now);
  expect(bar.engine.taps.lineHealth.all(now)[0]!.evenings).toEqual([]);
});

test('a meter that was replaced by one with another factor flows as before', () => {
  const bar = openLineBar(8);
  const [meter] = bar.engine.taps.hardware.meters();
  bar.engine.drinks.calibrate(meter!.id, { ticksPerMl: 2, kegId: null }, at(7 * day + 12 * hour));
  for (const number of [8, 9]) pourEvening(bar, number, { meter: 'pi.flow0', ticksPerS: 120 });
  expect(findingsAfter(bar, 10)).toEqual([[], []]);
});

test('a calibration that makes each tick less is no blocked line', () => {
  const bar = openLineBar(8);
  const [meter] = bar.engine.taps.hardware.meters();
  bar.engine.drinks.calibrate(meter!.id, { ticksPerMl: 1.5, kegId: null }, at(7 * day + 12 * hour));
  for (const number of [8, 9]) pourEvening(bar, number, { meter: 'pi.flow0', ticksPerS: 60 });
  expect(findingsAfter(bar, 10)).toEqual([[], []]);
});

test('the temperature of an evening is the mean of its sensor while beer was poured', () => {
  const bar = openLineBar(0);
  const sensor = '28-0000000000a1';
  for (const [hours, tempC] of [
    [-3, 20],
    [0.1, 5],
    [0.5, 6],
    [5, 20],
  ] as const)
    bar.engine.temperatures.log({ sensor, tempC }, at(hours * hour));
  bar.engine.taps.connectThermo(bar.left.id, 1);
  pourEvening(bar, 0, { meter: 'pi.flow0', ticksPerS: 60 });
  expect(bar.engine.taps.lineHealth.all(noonAfter(1))[0]!.evenings[0]!.tempC).toBeCloseTo(5.5);
});

test('nothing is judged while the clock is not set', () => {
  const bar = openLineBar(3);
  expect(
    bar.engine.taps.lineHealth.all(at(4 * day, { synced: false })).flatMap(({ evenings }) => evenings),
  ).toEqual([]);
});

test('the flow of one tap is read twenty evenings at a time, its own first; what changed is told when all are read', () => {
  const bar = openLineBar(28);
  for (const number of [28, 29]) {
    pourEvening(bar, number, { meter: 'pi.flow0', ticksPerS: 40 });
    pourEvening(bar, number, { meter: 'pi.flow1', ticksPerS: 100 });
  }
  const now = noonAfter(30);
  const read = () => {
    const { evenings, findings } = bar.engine.taps.lineHealth.ofTap(bar.left.id, now)!;
    return [evenings.length, evenings.at(-1)!.date, findings.map(({ kind }) => kind)];
  };
  expect(read()).toEqual([20, '2026-05-30', []]);
  expect(read()).toEqual([30, '2026-05-30', []]);
  expect(read()).toEqual([30, '2026-05-30', ['blocked_line']]);
  expect(bar.engine.taps.lineHealth.ofTap(99, now)).toBeNull();
});

/** The flow of that many taps like the left one, and how often the evenings of any were looked up and read. */
function countLookUps(bar: ReturnType<typeof openLineBar>, tapCount: number) {
  const counts = { versions: 0, reads: 0 };
  const { store } = bar;
  const tapFlow: typeof store.taps.flow = {
    ...store.taps.flow,
    version: () => `${++counts.versions > 0}`,
    pours: () => {
      counts.reads++;
      return [];
    },
  };
  const [view] = bar.engine.taps.list();
  const views = Array.from({ length: tapCount }, (_, i) => ({ ...view!, tap: { ...view!.tap, id: i + 1 } }));
  const parts = { store: { ...store, taps: { ...store.taps, flow: tapFlow } } };
  const health = createLineHealth(parts, { list: () => views });
  const countedBy = (work: () => void) => {
    const { versions, reads } = counts;
    work();
    return { versions: counts.versions - versions, reads: counts.reads - reads };
  };
  return { health, countedBy };
}

test('after a pour only the last finished evening of each tap is looked up again, after a correction all', () => {
  const bar = openLineBar(1);
  const { health, countedBy } = countLookUps(bar, 3);
  const now = noonAfter(1);
  expect(countedBy(() => health.all(now))).toEqual({ versions: 3 * 42, reads: 3 * 42 });
  expect(countedBy(() => health.all(now))).toEqual({ versions: 0, reads: 0 });
  bar.engine.drinks.pours.record(pour(now, { ticks: 240 }), 'pin', now);
  expect(countedBy(() => health.all(now))).toEqual({ versions: 3, reads: 0 });
  bar.engine.drinks.cancel(1, { spilled: false }, now);
  expect(countedBy(() => health.all(now))).toEqual({ versions: 3 * 42, reads: 0 });
});

test('the evenings of 60 taps stay cached; on the next day one of each is read', () => {
  const bar = openLineBar(1);
  const { health, countedBy } = countLookUps(bar, 60);
  expect(countedBy(() => health.all(noonAfter(1))).reads).toBe(60 * 42);
  bar.engine.drinks.cancel(1, { spilled: false }, noonAfter(1));
  expect(countedBy(() => health.all(noonAfter(1))).reads).toBe(0);
  expect(countedBy(() => health.all(noonAfter(2))).reads).toBe(60);
});
