/** Chance that comes out the same every time: the same seed throws the same dice. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  /** From 0 up to, not including, 1 (mulberry32). */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    /** True once in so many throws. */
    oneIn: (times: number): boolean => below(times) === 0,
    pick: <T>(from: readonly T[]): T => from[below(from.length)]!,
    /** So many things made one after the other. */
    arrayOf: <T>(max: number, make: () => T): T[] => Array.from({ length: below(max + 1) }, make),
    bytes: (length: number): Buffer => Buffer.from(Array.from({ length }, () => below(256))),
  };
}

export type Random = ReturnType<typeof createRandom>;
