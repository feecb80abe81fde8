/** Mean wait between two guests of the whole bar. */
const meanWaitMs = 90_000;

/** Nobody comes sooner than this after the guest before. */
const minWaitMs = 5_000;

/** What guests ask for, millilitres. */
const drinkSizesMl = [200, 300, 330, 400, 500] as const;

/** Beer runs at 50 to 70 mL/s; hands differ. */
const minMlPerS = 50;
const maxMlPerS = 70;

/** Share of a glass by which a guest misses the mark, to either side. */
const sizeError = 0.08;

/** A meter coarser or finer than any real one is played at a rate that pins and filter can take. */
const minHz = 1;
const maxHz = 800;
const maxTicks = 10_000;

/** A simulated tap the guests may choose. */
export interface TrafficMeter {
  readonly name: string;
  readonly ticksPerMl: number;
}

/** Pulses one guest makes. */
export interface SimulatedPour {
  readonly meter: string;
  readonly ticks: number;
  readonly hz: number;
}

/** Simulated guests who pour now and then (`demo.traffic`). */
export interface Traffic {
  /** Who has come to the taps by `monoMs`; at most one guest a step, and none at the first. */
  step(monoMs: number): SimulatedPour | null;
}

/** `random` gives numbers from 0 up to, not including, 1; the same numbers bring the same guests. */
export function createTraffic({
  meters,
  random,
}: {
  readonly meters: readonly TrafficMeter[];
  readonly random: () => number;
}): Traffic {
  let nextMonoMs: number | null = null;

  function wait(): number {
    // Guests arrive independently of one another, so the waits between them are exponential.
    const waitMs = -Math.log(1 - random()) * meanWaitMs;
    return Math.min(Math.max(waitMs, minWaitMs), 5 * meanWaitMs);
  }

  return {
    step(monoMs) {
      nextMonoMs ??= monoMs + wait();
      if (monoMs < nextMonoMs) return null;
      nextMonoMs = monoMs + wait();
      const meter = meters[Math.floor(random() * meters.length)];
      return meter === undefined ? null : createPour(meter, random);
    },
  };
}

function createPour({ name, ticksPerMl }: TrafficMeter, random: () => number): SimulatedPour {
  const sizeMl = drinkSizesMl[Math.floor(random() * drinkSizesMl.length)] ?? drinkSizesMl[0];
  const volumeMl = sizeMl * (1 + sizeError * (2 * random() - 1));
  const mlPerS = minMlPerS + (maxMlPerS - minMlPerS) * random();
  const ticks = Math.min(Math.max(Math.round(volumeMl * ticksPerMl), 1), maxTicks);
  const hz = Math.min(Math.max(mlPerS * ticksPerMl, minHz), maxHz);
  return { meter: name, ticks, hz };
}
