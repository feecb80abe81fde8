/** Mean wait between two guests of the whole bar. */
const meanWaitMs = 90_000;

/** Least wait between two guests. */
const minWaitMs = 5_000;

/** Sizes that guests pour, millilitres. */
const drinkSizesMl = [200, 300, 330, 400, 500] as const;

/** Beer flows at 50 to 70 mL/s, depending on the guest. */
const minMlPerS = 50;
const maxMlPerS = 70;

/** Share of the size by which a guest pours too much or too little. */
const sizeError = 0.08;

/** A simulated tap that guests may choose. */
interface TrafficMeter {
  readonly name: string;
  readonly ticksPerMl: number;
}

/** One pour of a simulated guest. */
interface GuestPour {
  readonly meter: string;
  readonly ticksPerMl: number;
  readonly volumeMl: number;
  readonly flowMlPerS: number;
  /** Of the pour's details. */
  readonly seed: number;
}

/** Simulated guests who pour at random times (`demo.traffic`). */
interface Traffic {
  /** The pour that starts by `monoMs`; at most one per step, none at the first. */
  step(monoMs: number): GuestPour | null;
}

/** `random` returns numbers from 0 up to, but not including, 1; the same numbers give the same pours. */
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

function createPour({ name, ticksPerMl }: TrafficMeter, random: () => number): GuestPour {
  const sizeMl = drinkSizesMl[Math.floor(random() * drinkSizesMl.length)] ?? drinkSizesMl[0];
  const volumeMl = sizeMl * (1 + sizeError * (2 * random() - 1));
  const flowMlPerS = minMlPerS + (maxMlPerS - minMlPerS) * random();
  return { meter: name, ticksPerMl, volumeMl, flowMlPerS, seed: Math.floor(random() * 2 ** 31) };
}
