import { expect, test } from 'vitest';
import { CoincidentEdges } from '../../../src/core/pours/coincident-edges.ts';
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

interface Bar {
  readonly simultaneousMs?: number;
  /** Meters that counted while the valve of their tap was shut. */
  readonly shut?: readonly string[];
  /** The usual rates of taps that are known. */
  readonly rates?: Readonly<Record<string, number>>;
}

/** Sends the edges of all lines through their trackers in drains of 50 ms and returns the meters whose pour is simultaneous. */
function findSimultaneous(
  lines: Lines,
  { simultaneousMs = 20, shut = [], rates = {} }: Bar = {},
): readonly string[] {
  const simultaneous = new SimultaneousPours({ simultaneousMs, isShut: (meter) => shut.includes(meter) });
  const findFacts = (meter: string) => {
    const ticksPerS = rates[meter];
    const openRate = ticksPerS === undefined ? null : { ticksPerS, isLearned: true };
    return { minTicks: 3, openRate, certainTicks: Number.POSITIVE_INFINITY };
  };
  const taps = Object.entries(lines).map(([meter, stamps]) => ({
    meter,
    stamps: Array.from(stamps),
    tracker: new PourTracker({ idleMs, minTicks: 3, maxMs: 300_000, hasExactStamps: true }, () =>
      findFacts(meter),
    ),
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
        if (step.kind === 'ended' && simultaneous.isSimultaneous(meter, step.pour, step.isWheel))
          found.push(meter);
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

test('the pour whose edges a neighbour picked up but a few is no copy of them', () => {
  const beer = steady(1_000, 7.3, 400);
  const copy = beer.slice(3, 397).map((at) => at + 0.1);
  expect(findSimultaneous({ 'pi.flow0': beer, 'pi.flow1': copy }, { simultaneousMs: 1 })).toEqual([
    'pi.flow1',
  ]);
  expect(findSimultaneous({ 'pi.flow0': copy, 'pi.flow1': beer }, { simultaneousMs: 1 })).toEqual([
    'pi.flow0',
  ]);
});

test('a copy without single edges is one, however the edges fall into drains', () => {
  for (let offsetMs = 0; offsetMs < drainMs; offsetMs += 7) {
    const beer = steady(1_000 + offsetMs, 61, 60);
    const copy = beer.filter((_, i) => i > 0 && i % 13 !== 0).map((at) => at + 0.1);
    expect(findSimultaneous({ 'pi.flow0': beer, 'pi.flow1': copy })).toEqual(['pi.flow1']);
  }
});

test('of two lines with the same edges nothing tells the copy: both are held', () => {
  const beer = steady(1_000, 7.3, 400);
  expect(findSimultaneous({ 'pi.flow0': beer, 'pi.flow1': beer.map((at) => at + 0.1) })).toEqual([
    'pi.flow0',
    'pi.flow1',
  ]);
});

/** Gaps of a wheel: 7 ms once it turns, each off by up to 5 %. */
function wheel(count: number, random = createRandom(7)) {
  let at = 1_000;
  return Array.from({ length: count }, (_, i) => {
    at += (7 + 20 / (i + 1)) * random.between(0.95, 1.05);
    return at;
  });
}
/** What a neighbouring cable picks up: every n-th edge is missing, but neither the first nor the last ones. */
const picked = (stamps: readonly number[], everyNth: number) =>
  stamps.filter((_, i) => i % everyNth !== 3).map((at) => at + 0.1);

test('a wheel’s pour is not held with its copy, which starts and stops with it but has fewer edges', () => {
  const beer = wheel(300);
  expect(findSimultaneous({ a: beer, b: picked(beer, 40), c: picked(beer, 15) })).toEqual(['b', 'c']);
});

test('the line with most edges of a burst is held too: no wheel made them', () => {
  const random = createRandom(3);
  let at = 1_000;
  const burst = Array.from({ length: 300 }, () => {
    at += random.exponential(7);
    return at;
  });
  expect(findSimultaneous({ a: burst, b: picked(burst, 40) })).toEqual(['a', 'b']);
  const converter = steady(1_000, 7, 300);
  expect(findSimultaneous({ a: converter, b: picked(converter, 40) })).toEqual(['a', 'b']);
});

test('with too few edges to show a wheel both are held', () => {
  const beer = wheel(20);
  expect(findSimultaneous({ a: beer, b: picked(beer, 14) })).toEqual(['a', 'b']);
});

test('a copy with all edges is told by the shut valve of its tap, or because no beer of its tap flows so fast', () => {
  const beer = wheel(600);
  const lines = { a: beer, b: beer.map((at) => at + 0.1) };
  expect(findSimultaneous(lines)).toEqual(['a', 'b']);
  expect(findSimultaneous(lines, { shut: ['b'] })).toEqual(['b']);
  expect(findSimultaneous(lines, { shut: ['a'] })).toEqual(['a']);
  expect(findSimultaneous(lines, { shut: ['a', 'b'] })).toEqual(['a', 'b']);
  expect(findSimultaneous(lines, { rates: { a: 140, b: 40 } })).toEqual(['b']);
  expect(findSimultaneous(lines, { rates: { a: 40, b: 40 } })).toEqual(['a', 'b']);
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

test('edges are compared with the pour that runs, not with the drips before it', () => {
  let reads = 0;
  const countReads = (stamps: number[]): ArrayLike<number> =>
    new Proxy(stamps, {
      get: (target, key) => {
        if (key !== 'length') reads++;
        return Reflect.get(target, key);
      },
    });
  const readsAfter = (drips: number) => {
    const simultaneous = new SimultaneousPours({ simultaneousMs: 20 });
    for (let i = 0; i < drips; i++)
      simultaneous.observe('a', { kind: 'drip', ticks: 1, startedMonoMs: 10_000 * i, durationMs: 0 });
    simultaneous.observe('a', { kind: 'started', startedMonoMs: 500_000 });
    simultaneous.observe('a', { kind: 'flowing', ticks: 3, lastTickMonoMs: 500_020 });
    reads = 0;
    const stampsMonoMs = countReads([500_000, 500_010, 500_020]);
    simultaneous.observeEdges([
      { meter: 'a', stampsMonoMs },
      { meter: 'b', stampsMonoMs: [500_003] },
    ]);
    return reads;
  };
  expect(readsAfter(15)).toBe(readsAfter(0));
});

test('zero turns the check off', () => {
  const beer = steady(1_000, 7.3, 400);
  expect(
    findSimultaneous({ 'pi.flow0': beer, 'pi.flow1': beer.slice(70, 380) }, { simultaneousMs: 0 }),
  ).toEqual([]);
});

test.each(models)(
  'at $ticksPerMl ticks/mL all crosstalk without up to 15 % of the edges is found, but not its original, and no pour at two taps at once',
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
      const isWhole = stamped.length === stampsMs.length;
      const found = findSimultaneous({ own: stamped, other: stampsMs });
      expect(found).toContain('own');
      // Fewer edges do not show a wheel.
      if (!isWhole && stampsMs.length > 20) expect(found).toEqual(['own']);
      // By the edges alone.
      expect(findSimultaneous({ own: stamped, other: stampsMs }, { simultaneousMs: 0.01 })).toEqual(
        isWhole ? ['own', 'other'] : ['own'],
      );
      const second = simulateFlow(openFor(openMs + random.between(-30, 30)), seed());
      expect(findSimultaneous({ own: second.stampsMs, other: stampsMs })).toEqual([]);
    }
  },
  60_000,
);

test.each([
  [30, 17, true],
  [30, 18, false],
  [29, 0, false],
  [29, 17, false],
])(
  'of %s edges %s fell together with another line’s: its own flow is certain: %s',
  (count, together, isCertain) => {
    const own = steady(1_000, 10, count);
    const other = own.map((at, i) => (i < together ? at : at + 5));
    const edges = new CoincidentEdges();
    edges.add(own, [{ meter: 'other', stampsMonoMs: other, earlierEdges: 0 }], 1_000, own.at(-1)!);
    expect(edges.isIndependentOf('other')).toBe(isCertain);
    expect(edges.isIndependentOf('a line without edges')).toBe(false);
  },
);

test.each([
  [90, 100, true],
  [89, 100, false],
  // A copy has no edges of its own: the line with more of them is none.
  [99, 99, false],
])('of 100 edges %s fell together with those of a line with %s: a copy: %s', (together, count, isCopy) => {
  const own = steady(1_000, 10, 100);
  const other = own.slice(0, count).map((at, i) => (i < together ? at : at + 5));
  const edges = new CoincidentEdges();
  edges.add(own, [{ meter: 'other', stampsMonoMs: other, earlierEdges: 0 }], 1_000, own.at(-1)! + 5);
  expect(edges.isCopyOf('other', 1_000)).toBe(isCopy);
});
