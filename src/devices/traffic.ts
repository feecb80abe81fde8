/** Mean wait between two guests of the whole bar. */
const meanWaitMs = 90_000;

/** Nobody comes sooner than this after the guest before. */
const leastWaitMs = 5_000;

/** What guests ask for, millilitres. */
const glassesMl = [200, 300, 330, 400, 500] as const;

/** Beer runs at 50 to 70 mL/s; hands differ. */
const slowestMlPerS = 50;
const fastestMlPerS = 70;

/** Share of a glass by which a guest misses the mark, to either side. */
const careless = 0.08;

/** A meter coarser or finer than any real one is played at a rate that pins and filter can take. */
const leastHz = 1;
const mostHz = 800;
const mostTicks = 10_000;

/** A simulated tap the guests may choose. */
export interface TrafficMeter {
  readonly name: string;
  readonly ticksPerMl: number;
}

/** Pulses one guest makes. */
export interface GuestPour {
  readonly meter: string;
  readonly ticks: number;
  readonly hz: number;
}

/** Simulated guests who pour now and then (`demo.traffic`). */
export interface Traffic {
  /** Who has come to the taps by `monoMs`; at most one guest a step, and none at the first. */
  step(monoMs: number): GuestPour | null;
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
    return Math.min(Math.max(waitMs, leastWaitMs), 5 * meanWaitMs);
  }

  return {
    step(monoMs) {
      nextMonoMs ??= monoMs + wait();
      if (monoMs < nextMonoMs) return null;
      nextMonoMs = monoMs + wait();
      const meter = meters[Math.floor(random() * meters.length)];
      return meter === undefined ? null : guestAt(meter, random);
    },
  };
}

function guestAt({ name, ticksPerMl }: TrafficMeter, random: () => number): GuestPour {
  const glassMl = glassesMl[Math.floor(random() * glassesMl.length)] ?? glassesMl[0];
  const volumeMl = glassMl * (1 + careless * (2 * random() - 1));
  const mlPerS = slowestMlPerS + (fastestMlPerS - slowestMlPerS) * random();
  const ticks = Math.min(Math.max(Math.round(volumeMl * ticksPerMl), 1), mostTicks);
  const hz = Math.min(Math.max(mlPerS * ticksPerMl, leastHz), mostHz);
  return { meter: name, ticks, hz };
}
