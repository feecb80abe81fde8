import type { Evidence } from '../../../src/core/measurement/meter-learning.ts';
import type { MeasuredPour } from '../../../src/core/measurement/weighed-pours.ts';

/** Random numbers from a seed (mulberry32): uniform, and normal with mean 0 and deviation 1. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

type Random = ReturnType<typeof createRandom>;

/** A pour as a meter of the true factor counts it and a scale with a resolution of 1 g weighs it. */
export function simulatePour(
  random: Random,
  { ticksPerMl, ml, scatter = 0.005 }: { ticksPerMl: number; ml: number; scatter?: number },
): MeasuredPour {
  const ticks = Math.round(ticksPerMl * ml * (1 + scatter * random.normal()));
  return { ticks, volumeMl: ml + random.normal(), uMl: 1 };
}

/** A 50 L keg that ran dry. `bias`: share that the brewery fills in besides what is stated. */
export function simulateEmptiedKeg(
  random: Random,
  { ticksPerMl, bias, timeMs }: { ticksPerMl: number; bias: number; timeMs: number },
): Evidence {
  const statedMl = 50_000 * 0.9925;
  const ticks = Math.round(ticksPerMl * statedMl * Math.exp(bias + 0.005 * random.normal()));
  return { kind: 'emptied_keg', ticks, volumeMl: statedMl, u: 0.005, fillGroup: 'brewery/euro-half', timeMs };
}

/** Runs `run` with the seeds from 1 and returns the share that is true. */
export const share = (runs: number, run: (seed: number) => boolean): number =>
  Array.from({ length: runs }, (_, i) => run(i + 1)).filter(Boolean).length / runs;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
