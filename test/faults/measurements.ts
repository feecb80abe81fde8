import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import type { TestContext } from 'vitest';

/** One row of the result table: what was measured, the value, and its bound. */
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

/** Adds a row to the table printed at the end of the run. */
export function recordMeasurement({ task }: TestContext, measurement: Measurement): void {
  task.meta.measurements = [...(task.meta.measurements ?? []), measurement];
}

/** Reads a whole number from an environment variable such as `TAPSTER_FAULT_KILLS`; `fallback` when it is not set. */
export function readNumber(name: string, fallback: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number.`);
  return Number(text);
}

/** Reproducible random numbers in [0, 1); `TAPSTER_FAULT_SEED` sets the seed. */
export function seededRandom(seed = readNumber('TAPSTER_FAULT_SEED', 1)): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Factor for time limits: load average per core, at least 1. */
export const loadFactor = (): number => Math.max(1, loadavg()[0]! / availableParallelism());

/** Times of a process's main thread since its start, milliseconds. */
export interface ProcessorTimes {
  readonly usedMs: number;
  /** Ready, but another process had the processor. */
  readonly waitedMs: number;
}

export function readProcessorTimes(pid: number): ProcessorTimes {
  const [used, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ').map(Number);
  return { usedMs: used! / 1e6, waitedMs: waited! / 1e6 };
}

/** How many times longer the work of a process took because others had the processor. */
export const toSlowdown = (before: ProcessorTimes, after: ProcessorTimes): number =>
  1 + (after.waitedMs - before.waitedMs) / (after.usedMs - before.usedMs);
