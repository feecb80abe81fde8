import { expect, test } from 'vitest';
import { PourTracker } from '../../../src/core/pours/pour-tracker.ts';
import { SimultaneousPours } from '../../../src/core/pours/simultaneous-pours.ts';
import { crosstalk } from '../../../src/devices/simulated/flow-model/disturbances.ts';
import { drawMeter } from '../../../src/devices/simulated/flow-model/meter-traits.ts';
import { createRandom } from '../../../src/devices/simulated/flow-model/random.ts';
import { simulateFlow } from '../../../src/devices/simulated/flow-model/simulate-flow.ts';

const drainMs = 50;
const idleMs = 5_000;
/** Ticks per millilitre, least flow and highest rate of a coarse and of a fine meter. */
const models = [
  { ticksPerMl: 0.45, minLPerMin: 1, maxHz: 225 },
  { ticksPerMl: 5.4, minLPerMin: 0.5, maxHz: 2_030 },
] as const;

type Lines = Readonly<Record<string, ArrayLike<number>>>;

/** Sends the edges of all lines through their trackers in drains of 50 ms and returns the meters whose pour is simultaneous. */
function findSimultaneous(lines: Lines, simultaneousMs = 20): readonly string[] {
  const simultaneous = new SimultaneousPours({ simultaneousMs });
  const taps = Object.entries(lines).map(([meter, stamps]) => ({
    meter,
    stamps: Array.from(stamps),
    tracker: new PourTracker({ idleMs, minTicks: 3, maxMs: 300_000 }),
  }));
  const endMs = Math.max(...taps.flatMap(({ stamps }) => stamps.at(-1) ?? 0)) + idleMs + 2 * drainMs;
  const found: string[] = [];
  for (let untilMs = drainMs; untilMs <= endMs; untilMs += drainMs) {
    const drained = taps.map(({ meter, stamps, tracker }) => {
      const stampsMonoMs = stamps.filter((at) => at > untilMs - drainMs && at <= untilMs);
      return { meter, stampsMonoMs, steps: tracker.step(stampsMonoMs, untilMs) };
    });
    for (const { meter, steps } of drained) for (const step of steps) simultaneous.observe(meter, step);
    simultaneous.observeEdges(drained.filter(({ stampsMonoMs }) => stampsMonoMs.length > 0));
    for (const { meter, steps } of drained) {
      for (const step of steps)
        if (step.kind === 'ended' && simultaneous.isSimultaneous(meter, step.pour)) found.push(meter);
    }
  }
  return found;
}

const steady = (fromMs: number, gapMs: number, count: number) =>
  Array.from({ length: count }, (_, i) => fromMs + i * gapMs);

test('a line whose edges all fall together with another’s is a copy, though it starts 500 ms later', () => {
  const beer = steady(1_000, 7.3, 400);
  const copy = beer.slice(70, 380).map((at) => at + 0.1);
  expect(findSimultaneous({ 'pi.flow0': beer, 'pi.flow1': copy })).toEqual(['pi.flow1']);
});

test('a copy of which each edge falls into the drain after that of the original is one', () => {
  const beer = steady(999.95, 50, 100);
  const copy = beer.map((at) => at + 0.1).slice(2, 97);
  expect(findSimultaneous({ 'pi.flow0': beer, 'pi.flow1': copy })).toEqual(['pi.flow1']);
});

test('a pour that runs while another tap does is none: a part of its edges falls together by chance', () => {
  const lines = { 'pi.flow0': steady(1_000, 7.3, 600), 'pi.flow1': steady(1_400, 3.1, 800) };
  expect(findSimultaneous(lines)).toEqual([]);
});

test('two pours that start and stop within 20 ms are no burst when their edges have different causes', () => {
  const lines = { 'pi.flow0': steady(1_000, 7.3, 500), 'pi.flow1': steady(1_001, 3.1, 1_177) };
  expect(findSimultaneous(lines)).toEqual([]);
});

test('a pour beside gas that turns a wheel 2000 times a second is none: there each moment is close to an edge', () => {
  expect(
    findSimultaneous({ 'pi.flow0': steady(1_000, 0.4, 10_000), 'pi.flow1': steady(1_500, 3.1, 500) }),
  ).toEqual([]);
});

test('five edges of a coarse meter that all fall together are a copy, four of a fine one are none', () => {
  const coarse = steady(1_000, 37, 60);
  expect(findSimultaneous({ a: coarse, b: coarse.slice(10, 15) })).toEqual(['b']);
  const fine = steady(1_000, 3, 600);
  expect(findSimultaneous({ a: fine, b: fine.slice(10, 14) })).toEqual([]);
});

test('zero turns the check off', () => {
  const beer = steady(1_000, 7.3, 400);
  expect(findSimultaneous({ 'pi.flow0': beer, 'pi.flow1': beer.slice(70, 380) }, 0)).toEqual([]);
});

test.each(models)(
  'at $ticksPerMl ticks/mL all crosstalk without up to 15 % of the edges is found, and no pour at two taps at once',
  (model) => {
    const random = createRandom(Math.round(100 * model.ticksPerMl));
    for (let i = 0; i < 20; i++) {
      const meter = drawMeter(model, random);
      const flowMlPerS = random.between(45, 75);
      const openFor = (ms: number) => ({
        meter,
        flowMlPerS,
        steps: [
          { atMs: 100, valve: 1 },
          { atMs: 100 + ms, valve: 0 },
        ],
      });
      const seed = () => Math.floor(random.next() * 1e9);
      const openMs = random.between(600, 5_000);
      const { stampsMs } = simulateFlow(openFor(openMs), seed());
      const copy = crosstalk(stampsMs, { share: random.between(0.85, 1), lagMs: 0.1 }, random);
      const stamped = copy.map((at) => at + random.between(-0.05, 0.05)).sort();
      expect(findSimultaneous({ own: stamped, other: stampsMs })).toContain('own');
      const second = simulateFlow(openFor(openMs + random.between(-30, 30)), seed());
      expect(findSimultaneous({ own: second.stampsMs, other: stampsMs })).toEqual([]);
    }
  },
  60_000,
);
