import { expect, test } from 'vitest';
import { median, type PourFlow, toPourFlow } from '../../../src/core/measurement/pour-flow.ts';
import { parseTickSeries, TickSeries } from '../../../src/core/pours/tick-series.ts';
import { drawMeter } from '../../../src/devices/simulated/flow-model/meter-traits.ts';
import { createRandom } from '../../../src/devices/simulated/flow-model/random.ts';
import { simulateFlow } from '../../../src/devices/simulated/flow-model/simulate-flow.ts';

/** The flow of a pour with so many ticks in each tenth of a second. */
function flowOf(counts: readonly number[]): PourFlow | null {
  const pairs = counts.flatMap((ticks, i) => (ticks === 0 ? [] : [{ ms: i * 100, ticks }]));
  return toPourFlow(pairs, counts.length * 100);
}
const steady = (bins: number, ticks = 20) => new Array<number>(bins).fill(ticks);

test('a steady pour has its rate, no delay and no stops', () => {
  expect(flowOf(steady(40))).toEqual({ ticksPerS: 200, riseMs: 0, dips: { count: 0, ms: 4_000 } });
});

test('a flow that needs a second to begin evenly is half a second late', () => {
  const rising = Array.from({ length: 10 }, (_, i) => 2 * i + 1);
  expect(flowOf([...rising, ...steady(30)])!.riseMs).toBe(500);
});

test('a pour below a second says nothing, one below two seconds nothing of its beginning', () => {
  expect(flowOf(steady(9))).toBeNull();
  expect(flowOf(steady(19))).toMatchObject({ riseMs: null });
});

test('stops of up to 0.3 s are counted, longer ones are the hand', () => {
  const withStops = (...lengths: readonly number[]) =>
    flowOf(
      lengths.flatMap((length) => [...steady(10), ...new Array<number>(length).fill(0)]).concat(steady(10)),
    )!.dips!.count;
  expect(withStops(1, 2, 3)).toBe(3);
  expect(withStops(4, 8)).toBe(0);
});

test('the end of a pour is no stop', () => {
  expect(flowOf([...steady(30), 5, 1, 1])!.dips!.count).toBe(0);
});

test('a meter with less than four ticks in 0.3 s shows no stops, one with less than 15 in 1.5 s no beginning', () => {
  expect(flowOf(steady(40, 1))).toMatchObject({ dips: null, riseMs: 0 });
  expect(flowOf([...steady(20, 1), ...steady(20, 0)].map((_, i) => (i % 2 === 0 ? 1 : 0)))).toMatchObject({
    riseMs: null,
  });
});

test.each([
  { ticksPerMl: 0.45, minLPerMin: 1, maxHz: 225 },
  { ticksPerMl: 5.4, minLPerMin: 0.5, maxHz: 2_030 },
])(
  'pours of the flow model at $ticksPerMl ticks/mL show their rate and a valve that opens slowly',
  (model) => {
    const random = createRandom(Math.round(10 * model.ticksPerMl));
    const meter = drawMeter(model, random);
    const flows = (valveMs: number) =>
      Array.from({ length: 12 }, () => {
        const steps = [
          { atMs: 100, valve: 1 },
          { atMs: 5_000, valve: 0 },
        ];
        const { stampsMs } = simulateFlow(
          { meter, flowMlPerS: 60, valveMs, steps },
          Math.floor(random.next() * 1e9),
        );
        const series = new TickSeries();
        for (const at of stampsMs) series.add(at - stampsMs[0]!);
        return toPourFlow(parseTickSeries(series.toString())!, stampsMs.at(-1)! - stampsMs[0]!)!;
      });
    const [usual, slow] = [flows(120), flows(1_200)];
    const rate = median(usual.map(({ ticksPerS }) => ticksPerS / model.ticksPerMl));
    expect(rate).toBeGreaterThan(54);
    expect(rate).toBeLessThan(68);
    expect(median(usual.map(({ riseMs }) => riseMs!))).toBeLessThan(200);
    expect(
      median(slow.map(({ riseMs }) => riseMs!)) - median(usual.map(({ riseMs }) => riseMs!)),
    ).toBeGreaterThan(250);
    expect(usual.map(({ dips }) => dips!.count)).toEqual(usual.map(() => 0));
  },
);
