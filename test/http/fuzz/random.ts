/** Creates a random number generator that returns the same sequence for the same seed. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  /** Returns a number from 0 up to, but not including, 1 (mulberry32). */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    /** True with a probability of 1 / `times`. */
    oneIn: (times: number): boolean => below(times) === 0,
    pick: <T>(from: readonly T[]): T => from[below(from.length)]!,
    /** Returns an array of at most `max` items. */
    arrayOf: <T>(max: number, make: () => T): T[] => Array.from({ length: below(max + 1) }, make),
    bytes: (length: number): Buffer => Buffer.from(Array.from({ length }, () => below(256))),
  };
}

export type Random = ReturnType<typeof createRandom>;
