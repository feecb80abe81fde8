/** A meter, a tap and one way to pour from it; rates in millilitres per second, times in milliseconds. */
export interface Scenario {
  readonly ticksPerMl: number;
  readonly flow: number;
  /** Opening of the valve, 0…1, from `atMs` on. */
  readonly steps: readonly { readonly atMs: number; readonly valve: number }[];
  readonly durationMs: number;
  /** When the keg runs empty, with the foam and the gas that follow. */
  readonly empty?: { readonly atMs: number; readonly foamMs: number; readonly gasRatio: number };
}

export interface GeneratedPour {
  readonly stampsMs: number[];
  /** Ticks of beer and foam. */
  readonly beerTicks: number;
  readonly gasFromMs: number | null;
}

/** A seeded generator of numbers in 0…1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Stamps of a turbine meter, simulated in steps of one millisecond. */
export function generatePour(scenario: Scenario, random: () => number): GeneratedPour {
  const { ticksPerMl, flow, steps, durationMs, empty } = scenario;
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const sigma = 0.005 + 0.025 * random();
  const [upMs, downMs] = [50 + 100 * random(), 50 + 70 * random()];
  const magnets = 1 + Math.floor(random() * 4);
  const uneven = Array.from({ length: magnets }, () => 0.15 * (random() - 0.5));
  const gasFromMs = empty === undefined ? null : empty.atMs + empty.foamMs;
  const stampsMs: number[] = [];
  let beerTicks = 0;
  let [wheel, phase, drift, sputter, step] = [0, 0, 0, 0, 0];
  for (let ms = 0; ms < durationMs + 600; ms++) {
    while (step + 1 < steps.length && steps[step + 1]!.atMs <= ms) step++;
    const valve = ms < durationMs ? steps[step]!.valve : 0;
    drift += -drift / 300 + sigma * Math.sqrt(2 / 300) * normal();
    let ratio = 1;
    if (empty !== undefined && ms >= empty.atMs) {
      if (ms % 100 === 0) sputter = 0.25 * normal();
      ratio = ms < gasFromMs! ? 0.6 + 0.5 * random() : Math.max(0.2, empty.gasRatio * (1 + sputter));
    }
    const target = flow * valve * ratio * (1 + drift);
    wheel += (target - wheel) / (target > wheel ? upMs : downMs);
    if (wheel < 0.5) continue;
    phase += (wheel * ticksPerMl) / 1_000;
    const needed = 1 + uneven[stampsMs.length % magnets]!;
    if (phase < needed) continue;
    phase -= needed;
    stampsMs.push(ms + random() + 0.05 * normal());
    if (gasFromMs === null || ms < gasFromMs) beerTicks++;
  }
  return { stampsMs: stampsMs.sort((a, b) => a - b), beerTicks, gasFromMs };
}
