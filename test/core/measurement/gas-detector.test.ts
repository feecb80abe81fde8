import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findGas, GasDetector, type GasFinding } from '../../../src/core/measurement/gas-detector.ts';
import { parseTickSeries, TickSeries } from '../../../src/core/pours/tick-series.ts';
import { createRandom, type GeneratedPour, generatePour, type Scenario } from './pulse-generator.ts';

/** A tap of 270 ticks per second: 60 mL/s through a meter of 4.5 ticks per mL. */
const open = { ticksPerS: 270, isLearned: true } as const;

/** Evenly spaced ticks: `[seconds, ticks per second]` one after the other. */
function pulses(...parts: readonly (readonly [seconds: number, hz: number])[]): number[] {
  const stamps: number[] = [];
  let from = 0;
  for (const [seconds, hz] of parts) {
    for (let i = 0; i < seconds * hz; i++) stamps.push(from + (i * 1_000) / hz);
    from += seconds * 1_000;
  }
  return stamps;
}

/** A keg that may be empty, unless `certainTicks` are certainly left. */
function detect(
  stamps: readonly number[],
  rate: { ticksPerS: number; isLearned: boolean } = open,
  certainTicks = 0,
) {
  const detector = new GasDetector(rate, { certainTicks });
  for (const stamp of stamps) detector.add(stamp - stamps[0]!);
  return detector;
}

const judge = (...input: Parameters<typeof detect>) => detect(...input).finding;

describe('gas', () => {
  test('starts where the rate doubles for the rest of the pour', () => {
    const finding = judge(pulses([5, 270], [2, 540]))!;
    expect(finding.class).toBe('gas');
    expect(finding.onsetMs).toBeCloseTo(5_000, -2);
    expect(finding.ticks).toBeGreaterThan(1_000);
    expect(finding.ticks).toBeLessThan(1_120);
    expect(finding.ratio).toBeCloseTo(2, 1);
  });

  test('is nothing in a pour at the usual rate, throttled and opened fully again', () => {
    expect(judge(pulses([3, 120], [4, 270]))).toBeNull();
    expect(judge(pulses([2, 270], [1, 0], [3, 270]))).toBeNull();
    expect(judge(pulses([5, 300]))).toBeNull();
  });

  test('is foam, and its ticks are beer, when the jump is short', () => {
    expect(judge(pulses([3, 270], [0.3, 540], [3, 270]))).toMatchObject({ class: 'foamy', ticks: 0 });
  });

  test('ends when the usual rate returns: a pocket of gas passed, and beer follows', () => {
    const finding = judge(pulses([3, 270], [2, 600], [6, 270]))!;
    expect(finding.class).toBe('gas');
    expect(finding.ticks).toBeGreaterThan(1_000);
    expect(finding.ticks).toBeLessThan(1_500);
  });

  test('is not a pour that is fast from its first tick: a hand, a pressure or a meter may be', () => {
    expect(judge(pulses([3, 600]))).toBeNull();
    expect(judge(pulses([3, 600]), { ...open, isLearned: false })).toBeNull();
    // Faster than that by the same factor it is gas.
    expect(judge(pulses([3, 600], [2, 1_200]))).toMatchObject({ class: 'gas' });
  });

  test('follows a second of beer, whether the tap’s rate is known or not', () => {
    for (const isLearned of [true, false])
      expect(judge(pulses([3, 270], [2, 600]), { ...open, isLearned })).toMatchObject({ class: 'gas' });
  });

  test('is found above the edge filter’s limit by the edges that it rejects', () => {
    const detector = new GasDetector(open, { certainTicks: 0 });
    for (const stamp of pulses([3, 270])) detector.add(stamp);
    // 900 edges per second, of which the filter accepts every second one.
    for (let i = 0; i < 900; i++) {
      detector.add(3_000 + (i * 1_000) / 450, 1, 2);
    }
    const finding = detector.finding!;
    expect(finding.class).toBe('gas');
    expect(finding.ratio).toBeCloseTo(900 / 270, 0);
    expect(finding.ticks).toBeGreaterThan(840);
    expect(finding.ticks).toBeLessThanOrEqual(910);
  });

  test('is the same for a finished pour’s series as while it ran, and in coarser buckets of a long pour', () => {
    for (const seconds of [5, 60]) {
      const stamps = pulses([seconds, 270], [4, 600]);
      const series = new TickSeries();
      for (const stamp of stamps) series.add(stamp);
      const [live, later] = [
        judge(stamps)!,
        findGas(parseTickSeries(series.toString())!, open, { certainTicks: 0 })!,
      ];
      expect(later.class).toBe('gas');
      expect(Math.abs(later.onsetMs - live.onsetMs)).toBeLessThanOrEqual(400);
      expect(Math.abs(later.ticks - live.ticks)).toBeLessThan(250);
    }
  });

  test('of a silent minute between ticks needs no work for each of its bins', () => {
    const stamps = [...pulses([2, 270]), 60_000_000];
    expect(judge(stamps)).toBeNull();
  });
});

describe('while the keg certainly has beer', () => {
  const certain = Number.POSITIVE_INFINITY;

  test('a jump that lasts is a hand that opens further: beer, from which the tap’s rate is learned', () => {
    expect(judge(pulses([3, 270], [4, 600]), open, certain)).toBeNull();
    expect(judge(pulses([3, 270], [4, 600], [3, 270]), open, certain)).toBeNull();
    expect(judge(pulses([3, 270], [1, 600]), open, certain)).toBeNull();
  });

  test('a jump that ends soon is foam, and its ticks are beer', () => {
    expect(judge(pulses([3, 270], [0.4, 600], [4, 270]), open, certain)).toMatchObject({
      class: 'foamy',
      ticks: 0,
      onsetMs: expect.closeTo(3_000, -2),
    });
  });

  test('its rate is one of beer later in the pour, when the keg may be empty', () => {
    // 2 400 ticks are left for certain: 3 s at 270 and 3 s at 540. After them the same rate goes on.
    expect(judge(pulses([3, 270], [6, 540]), open, 2_400)).toBeNull();
    const finding = judge(pulses([3, 270], [4, 540], [2, 1_100]), open, 2_400);
    expect(finding).toMatchObject({ class: 'gas', onsetMs: expect.closeTo(7_000, -3) });
  });

  test('gas comes after it at the place of the jump', () => {
    expect(judge(pulses([5, 270], [2, 540]), open, 1_300)).toMatchObject({
      class: 'gas',
      onsetMs: expect.closeTo(5_000, -2),
    });
  });

  test('tells that it was faster than the tap is, for crosstalk: only where the tap’s rate is known', () => {
    expect(detect(pulses([3, 600]), open, certain).isFast).toBe(true);
    expect(detect(pulses([3, 300]), open, certain).isFast).toBe(false);
    expect(detect(pulses([3, 600]), { ...open, isLearned: false }, certain).isFast).toBe(false);
  });

  test('property: no ticks before those that are certain are gas', () => {
    const part = fc.tuple(fc.double({ min: 0.2, max: 4, noNaN: true }), fc.integer({ min: 5, max: 900 }));
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 4_000 }),
        (parts, left) => {
          const stamps = pulses(...parts);
          const finding = judge(stamps, open, left);
          expect(stamps.length - (finding?.ticks ?? 0)).toBeGreaterThanOrEqual(Math.min(left, stamps.length));
        },
      ),
    );
  });
});

/** Pours of one kind on twelve taps; their learned rates are off by up to 10 %. */
function judgePours(
  ticksPerMl: number,
  pours: number,
  make: (flow: number, random: () => number) => Scenario,
) {
  const random = createRandom(Math.round(ticksPerMl * 1_000) + pours);
  const results: { pour: GeneratedPour; finding: GasFinding | null; delayMs: number | null }[] = [];
  for (let i = 0; i < pours; i++) {
    const flow = 40 + 40 * random();
    const pour = generatePour(make(flow * (0.9 + 0.2 * random()), random), random);
    const detector = new GasDetector({ ticksPerS: flow * ticksPerMl, isLearned: true }, { certainTicks: 0 });
    let provenAtMs: number | null = null;
    for (const stamp of pour.stampsMs) {
      detector.add(stamp - pour.stampsMs[0]!);
      if (detector.isGas) provenAtMs ??= stamp;
    }
    const delayMs = provenAtMs === null ? null : provenAtMs - (pour.gasFromMs ?? 0);
    results.push({ pour, finding: detector.finding, delayMs });
  }
  return results;
}

const gasShare = (results: ReturnType<typeof judgePours>): number =>
  results.filter(({ finding }) => finding?.class === 'gas').length / results.length;

describe.each([0.45, 2.7, 5.4])('with a meter of %d ticks per mL', (ticksPerMl) => {
  test('no clean, throttled or interrupted pour contains gas', () => {
    const results = judgePours(ticksPerMl, 60, (flow, random) => ({
      ticksPerMl,
      flow,
      steps: [
        { atMs: 0, valve: 0.3 + 0.7 * random() },
        { atMs: 2_500, valve: random() < 0.5 ? 0 : 1 },
        { atMs: 3_500, valve: 1 },
      ],
      durationMs: 6_000,
    }));
    expect(gasShare(results)).toBe(0);
  });

  test('gas of twice the rate and more is found, in time and at its onset', () => {
    const results = judgePours(ticksPerMl, 60, (flow, random) => {
      const atMs = 1_500 + 4_000 * random();
      const empty = { atMs, foamMs: 200 + 1_800 * random(), gasRatio: 2 + 2 * random() };
      return { ticksPerMl, flow, steps: [{ atMs: 0, valve: 1 }], durationMs: atMs + 5_000, empty };
    });
    expect(gasShare(results)).toBe(1);
    const delays = results.map(({ delayMs }) => delayMs!).sort((a, b) => a - b);
    expect(delays[Math.floor(delays.length * 0.95)]).toBeLessThan(ticksPerMl >= 0.9 ? 700 : 1_200);
    const late = results.filter(
      ({ pour, finding }) => Math.abs(finding!.onsetMs + pour.stampsMs[0]! - pour.gasFromMs!) > 300,
    );
    expect(late.length).toBeLessThanOrEqual(2);
  });

  test('foam at the end of a keg, stopped by a float, is not gas', () => {
    const results = judgePours(ticksPerMl, 60, (flow, random) => {
      const atMs = 1_500 + 3_000 * random();
      const foamMs = 200 + 1_800 * random();
      const empty = { atMs, foamMs: foamMs + 1, gasRatio: 1 };
      return { ticksPerMl, flow, steps: [{ atMs: 0, valve: 1 }], durationMs: atMs + foamMs, empty };
    });
    expect(gasShare(results)).toBe(0);
  });
});
