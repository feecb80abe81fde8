/** Random numbers that depend on a seed only. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** Evenly from `low` to `high`. */
  between(low: number, high: number): number;
  /** Normal, with mean 0 and standard deviation 1. */
  normal(): number;
  /** A waiting time of events that are independent of one another. */
  exponential(mean: number): number;
}

/** Mulberry32: enough for simulated pours, and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  let spare: number | null = null;

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Box–Muller, which makes two at a time. */
  function normal(): number {
    if (spare !== null) {
      const value = spare;
      spare = null;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - next()));
    const angle = 2 * Math.PI * next();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  return {
    next,
    normal,
    between: (low, high) => low + (high - low) * next(),
    exponential: (mean) => -Math.log(1 - next()) * mean,
  };
}

/** Noise that forgets itself after `tauMs` (Ornstein–Uhlenbeck), sampled every `stepMs`. */
export function createDrift(
  { sigma, tauMs, stepMs }: { readonly sigma: number; readonly tauMs: number; readonly stepMs: number },
  random: Random,
): () => number {
  const kept = Math.exp(-stepMs / tauMs);
  const fresh = sigma * Math.sqrt(1 - kept * kept);
  let value = sigma * random.normal();
  return () => {
    value = kept * value + fresh * random.normal();
    return value;
  };
}
