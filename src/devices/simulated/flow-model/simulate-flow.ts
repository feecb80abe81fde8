import { disturb } from './disturbances.ts';
import { FlowSource, stepMs } from './flow-source.ts';
import { createRandom } from './random.ts';
import type { FlowKind, FlowPhase, FlowScenario, SimulatedFlow } from './scenario.ts';
import { Wheel } from './wheel.ts';

/** Time after the last event, for coasting and swinging. */
const settleMs = 2_000;

/** Less flow than this is none, mL/s: a phase is what flows. */
const leastFlow = 0.01;

/** Longest scenario: a day. */
const maxDurationMs = 86_400_000;

/**
 * Computes in steps of 1 ms what a meter sees of a scenario. The same seed gives the same edges. What the model leaves out is in
 * `docs/accuracy.md`.
 */
export function simulateFlow(scenario: FlowScenario, seed: number): SimulatedFlow {
  const random = createRandom(seed);
  const source = new FlowSource(scenario, random);
  const wheel = new Wheel(scenario.meter, stepMs, random);
  const durationMs = Math.min(
    Math.max(0, Math.ceil(scenario.durationMs ?? defaultDuration(scenario))),
    maxDurationMs,
  );
  const edges: number[] = [];
  const phases = new PhaseList();
  const volumes: Record<FlowKind, number> = { beer: 0, foam: 0, gas: 0, water: 0 };
  let [foamBeerMl, backMl] = [0, 0];

  for (let nowMs = 0; nowMs < durationMs; nowMs += stepMs) {
    const { mlPerS, kind, beerShare, thickness } = source.step(nowMs);
    const ml = (mlPerS * stepMs) / 1_000;
    if (ml > 0) volumes[kind] += ml;
    else backMl -= ml;
    if (kind === 'foam') foamBeerMl += ml * beerShare;
    phases.add(mlPerS > leastFlow ? kind : null, nowMs);
    wheel.step(mlPerS, thickness, nowMs, stepMs, edges);
  }
  const wheelTicks = edges.length;
  const others = (scenario.disturbances ?? []).flatMap((one) => disturb(one, edges, random));
  return {
    // Jitter and bounce change the order of neighbours.
    stampsMs: Float64Array.from(edges.concat(others)).sort(),
    wheelTicks,
    beerMl: volumes.beer,
    foamMl: volumes.foam,
    gasMl: volumes.gas,
    waterMl: volumes.water,
    foamBeerMl,
    backMl: backMl + 0,
    phases: phases.end(durationMs),
    durationMs,
  };
}

/** Joins neighbouring steps in which the same thing flows. */
class PhaseList {
  readonly #ended: FlowPhase[] = [];
  #kind: FlowKind | null = null;
  #startMs = 0;

  add(kind: FlowKind | null, nowMs: number): void {
    if (kind === this.#kind) return;
    this.end(nowMs);
    this.#kind = kind;
    this.#startMs = nowMs;
  }

  end(nowMs: number): readonly FlowPhase[] {
    if (this.#kind !== null) this.#ended.push({ kind: this.#kind, startMs: this.#startMs, endMs: nowMs });
    this.#kind = null;
    return this.#ended;
  }
}

function defaultDuration({
  steps,
  cleaning = [],
  foam = [],
  swings = [],
  disturbances = [],
}: FlowScenario): number {
  const spans = [...cleaning, ...foam, ...disturbances.flatMap((one) => (one.kind === 'bounce' ? [] : one))];
  const ends = [
    ...[...steps, ...swings].map(({ atMs }) => atMs),
    ...spans.map(({ atMs, durationMs }) => atMs + durationMs),
  ];
  return Math.max(0, ...ends) + settleMs;
}
