import { foamBeerShare } from '../../core/measurement/fresh-foam.ts';
import { type MeterFigures, typicalMeter } from './flow-model/meter-traits.ts';
import type { SimulatedFlow } from './flow-model/scenario.ts';
import { simulateFlow } from './flow-model/simulate-flow.ts';

/** How much faster gas flows than beer, unless said otherwise. */
const usualGasRatio = 2;

/** Foam between the last beer and the gas. */
const usualFoamMs = 800;

/** Unevenness of the foam of a fresh keg. */
const usualUnevenness = 0.25;

/** A pour at a tap with real behaviour. */
export interface PourPlan {
  /** What is poured while there is beer; the tap is open for as long as that takes. */
  readonly volumeMl: number;
  readonly flowMlPerS: number;
  /** After so much beer the keg is empty: foam and gas follow. */
  readonly kegEmptiesAfterMl?: number | undefined;
  readonly gasRatio?: number | undefined;
  /** So much gas and foam, half of each, come before the beer of a fresh keg. */
  readonly foamFirstMl?: number | undefined;
  readonly seed: number;
}

/** What a meter sees of a pour at the tap. */
export function simulatePour(figures: MeterFigures, plan: PourPlan): SimulatedFlow {
  const { volumeMl, flowMlPerS, kegEmptiesAfterMl, gasRatio = usualGasRatio, seed } = plan;
  const halfMl = (plan.foamFirstMl ?? 0) / 2;
  const fresh = { gasMl: halfMl, foamMl: halfMl, beerShare: foamBeerShare, unevenness: usualUnevenness };
  return simulateFlow(
    {
      meter: typicalMeter(figures),
      flowMlPerS,
      steps: [
        { atMs: 0, valve: 1 },
        { atMs: Math.round((volumeMl / flowMlPerS) * 1_000), valve: 0 },
      ],
      ...(kegEmptiesAfterMl === undefined
        ? {}
        : { keg: { volumeMl: kegEmptiesAfterMl, gasRatio, foamMs: usualFoamMs, hasFob: false } }),
      ...(halfMl > 0 ? { freshKeg: { ...fresh, gasRatio } } : {}),
    },
    seed,
  );
}
