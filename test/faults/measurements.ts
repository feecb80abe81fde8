import { availableParallelism, loadavg } from 'node:os';
import type { TestContext } from 'vitest';

/** One line of the table: what was measured, the figure, and what it may be. */
export interface Measurement {
  readonly what: string;
  readonly found: string;
  readonly allowed?: string;
}

declare module 'vitest' {
  interface TaskMeta {
    measurements?: Measurement[];
  }
}

/** Notes a figure for the table at the end of the run. */
export function recordMeasurement({ task }: TestContext, measurement: Measurement): void {
  task.meta.measurements = [...(task.meta.measurements ?? []), measurement];
}

/** A whole number from the environment, such as `TAPSTER_FAULT_KILLS`; `usual` when it is not given. */
export function readNumber(name: string, fallback: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number.`);
  return Number(text);
}

/** Random numbers from 0 up to 1 that a seed repeats; `TAPSTER_FAULT_SEED` gives another run. */
export function seededRandom(seed = readNumber('TAPSTER_FAULT_SEED', 1)): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How many times longer things may take now: 1 on a machine that has no more to do than it has cores. */
export const loadFactor = (): number => Math.max(1, loadavg()[0]! / availableParallelism());
