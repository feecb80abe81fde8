import { foamBeerShare } from '../../../core/measurement/fresh-foam.ts';
import { beerViscosity, flowFactor, nominalTemperatureC, waterViscosity } from './liquid.ts';
import { createDrift, type Random } from './random.ts';
import type { FlowKind, FlowScenario, FoamSlug } from './scenario.ts';

/** Length of a step of the model. */
export const stepMs = 1;

/** The noise of the flow is drawn this often: it changes within 300 ms. */
const noiseStepMs = 10;
const unsteadyMs = 300;

/** Gas sputters: it carries drops along, and foam is uneven. */
const sputter = { sigma: 0.25, tauMs: 80 };
const foamUnevenness = { sigma: 0.1, tauMs: 80 };

/** Foam comes at 60 % of beer's flow and reaches that of beer before the gas. */
const firstFoamShare = 0.6;
const lastFoamShare = 1.1;

/** A handle opens and closes a tap within this time. */
const defaultValveMs = 120;

/** The float of a foam-on-beer detector shuts the line within this time. */
const fobShutMs = 150;

/** The liquid in the hose swings with this period, and half of the swing is lost in each. */
const swingMs = 180;

/** The flow of one step. */
export interface Flow {
  /** Negative backwards, mL/s. */
  readonly mlPerS: number;
  readonly kind: FlowKind;
  /** Beer in it, 0 to 1. */
  readonly beerShare: number;
  /** Viscosity as a multiple of that of beer at the nominal temperature. */
  readonly thickness: number;
}

/** The liquid and gas that come to a meter, step by step. */
export class FlowSource {
  readonly #scenario: FlowScenario;
  readonly #random: Random;
  readonly #openFlow: number;
  readonly #beerThickness: number;
  readonly #noise: () => number;
  readonly #sputter: () => number;
  readonly #foamNoise: () => number;
  readonly #freshNoise: () => number;
  /** The present noises; each is drawn again every `noiseStepMs`. */
  #wobble = { beer: 0, gas: 0, foam: 0, fresh: 0 };
  #valve = 0;
  #beerLeftMl: number;
  /** What is left of the gas and foam before the beer of a fresh keg. */
  #fresh: { gasMl: number; foamMl: number };
  /** Time that foam has flowed since the keg was empty. */
  #foamedMs = 0;
  #shutAtMs: number | null = null;
  #nextDripMs: number;
  #dripEndMs = 0;

  constructor(scenario: FlowScenario, random: Random) {
    this.#scenario = scenario;
    this.#random = random;
    const { temperatureC = nominalTemperatureC, pressureBar = 1, unsteadiness = 0.015 } = scenario;
    this.#openFlow = scenario.flowMlPerS * flowFactor(temperatureC, pressureBar);
    this.#beerThickness = beerViscosity(temperatureC) / beerViscosity(nominalTemperatureC);
    this.#noise = createDrift({ sigma: unsteadiness, tauMs: unsteadyMs, stepMs: noiseStepMs }, random);
    this.#sputter = createDrift({ ...sputter, stepMs: noiseStepMs }, random);
    const { freshKeg } = scenario;
    this.#foamNoise = createDrift({ ...foamUnevenness, stepMs: noiseStepMs }, random);
    // Drawn for fresh kegs only: the other scenarios keep their edges.
    this.#freshNoise = freshKeg
      ? createDrift({ ...foamUnevenness, sigma: freshKeg.unevenness, stepMs: noiseStepMs }, random)
      : () => 0;
    this.#fresh = { gasMl: freshKeg?.gasMl ?? 0, foamMl: freshKeg?.foamMl ?? 0 };
    this.#beerLeftMl = scenario.keg?.volumeMl ?? Number.POSITIVE_INFINITY;
    this.#nextDripMs = this.#nextDrip(0);
  }

  /** The flow from `nowMs` to the next step. */
  step(nowMs: number): Flow {
    if (nowMs % noiseStepMs === 0) {
      const [beer, gas, foam] = [this.#noise(), this.#sputter(), this.#foamNoise()];
      this.#wobble = { beer, gas, foam, fresh: this.#freshNoise() };
    }
    const cleaning = this.#scenario.cleaning?.find((one) => isDuring(one, nowMs));
    if (cleaning !== undefined) {
      const { flowMlPerS, temperatureC = 20 } = cleaning;
      const thickness = waterViscosity(temperatureC) / beerViscosity(nominalTemperatureC);
      return { mlPerS: flowMlPerS * (1 + this.#wobble.beer), kind: 'water', beerShare: 0, thickness };
    }
    this.#moveValve(nowMs);
    if (this.#valve === 0) return this.#past(nowMs);
    return this.#poured(nowMs);
  }

  /** The valve moves evenly to where the newest step wants it. */
  #moveValve(nowMs: number): void {
    const { steps, valveMs = defaultValveMs } = this.#scenario;
    const wanted = steps.findLast(({ atMs }) => atMs <= nowMs)?.valve ?? 0;
    const before = this.#valve;
    const most = valveMs <= 0 ? 1 : stepMs / valveMs;
    this.#valve += Math.min(Math.max(wanted - before, -most), most);
    if (this.#valve < 1e-9) this.#valve = 0;
    if (before > 0 && this.#valve === 0) this.#shutAtMs = nowMs;
    if (this.#valve > 0) this.#shutAtMs = null;
  }

  #poured(nowMs: number): Flow {
    const open = this.#openFlow * this.#valve;
    const thickness = this.#beerThickness;
    const steady = 1 + this.#wobble.beer;
    if (this.#beerLeftMl > 0) {
      const slug = this.#scenario.foam?.find((one: FoamSlug) => isDuring(one, nowMs));
      if (slug !== undefined) {
        const mlPerS = Math.max(0, open * slug.ratio * (1 + this.#wobble.foam));
        this.#beerLeftMl -= (mlPerS * foamBeerShare * stepMs) / 1_000;
        return { mlPerS, kind: 'foam', beerShare: foamBeerShare, thickness };
      }
      if (this.#fresh.gasMl > 0 || this.#fresh.foamMl > 0) return this.#beforeBeer(open);
      const mlPerS = Math.max(0, open * steady);
      this.#beerLeftMl -= (mlPerS * stepMs) / 1_000;
      return { mlPerS, kind: 'beer', beerShare: 1, thickness };
    }
    return this.#afterBeer(open, steady);
  }

  /** Gas, then foam that comes ever faster. */
  #beforeBeer(open: number): Flow {
    const { gasRatio, foamMl, beerShare } = this.#scenario.freshKeg!;
    const thickness = this.#beerThickness;
    if (this.#fresh.gasMl > 0) {
      const mlPerS = Math.max(0, open * gasRatio * (1 + this.#wobble.gas));
      this.#fresh.gasMl -= (mlPerS * stepMs) / 1_000;
      return { mlPerS, kind: 'gas', beerShare: 0, thickness };
    }
    const share = 1 - (1 - firstFoamShare) * (this.#fresh.foamMl / foamMl);
    const mlPerS = Math.max(0, open * share * (1 + this.#wobble.fresh));
    this.#fresh.foamMl -= (mlPerS * stepMs) / 1_000;
    this.#beerLeftMl -= (mlPerS * beerShare * stepMs) / 1_000;
    return { mlPerS, kind: 'foam', beerShare, thickness };
  }

  /** Foam, then gas; or a detector that shuts the line. */
  #afterBeer(open: number, steady: number): Flow {
    const { gasRatio, foamMs, hasFob } = this.#scenario.keg!;
    const thickness = this.#beerThickness;
    this.#foamedMs += stepMs;
    if (hasFob) {
      const share = Math.max(0, 1 - this.#foamedMs / fobShutMs);
      return { mlPerS: open * steady * share, kind: 'beer', beerShare: 1, thickness };
    }
    if (this.#foamedMs <= foamMs) {
      const share = firstFoamShare + (lastFoamShare - firstFoamShare) * (this.#foamedMs / foamMs);
      const mlPerS = Math.max(0, open * share * (1 + this.#wobble.foam));
      return { mlPerS, kind: 'foam', beerShare: foamBeerShare, thickness };
    }
    const mlPerS = Math.max(0, open * gasRatio * (1 + this.#wobble.gas));
    return { mlPerS, kind: 'gas', beerShare: 0, thickness };
  }

  /** What passes a shut valve: a leak, gushes, and the swing after it has shut. */
  #past(nowMs: number): Flow {
    const { leakMlPerS = 0, drips, reboundMl = 0, swings } = this.#scenario;
    let mlPerS = leakMlPerS;
    if (drips !== undefined && nowMs >= this.#nextDripMs) {
      this.#dripEndMs = nowMs + drips.ms;
      this.#nextDripMs = this.#nextDrip(nowMs + drips.ms);
    }
    if (drips !== undefined && nowMs < this.#dripEndMs) mlPerS += (drips.ml * 1_000) / drips.ms;
    if (reboundMl > 0 && this.#shutAtMs !== null) mlPerS -= swingFlow(reboundMl, nowMs - this.#shutAtMs);
    for (const { atMs, ml } of swings ?? []) mlPerS -= swingFlow(ml, nowMs - atMs);
    this.#beerLeftMl -= (Math.max(0, mlPerS) * stepMs) / 1_000;
    return { mlPerS, kind: 'beer', beerShare: 1, thickness: this.#beerThickness };
  }

  #nextDrip(fromMs: number): number {
    const { drips } = this.#scenario;
    return drips === undefined ? Number.POSITIVE_INFINITY : fromMs + this.#random.exponential(drips.everyMs);
  }
}

/** Flow of a swing that begins with so much; its first half moves about `ml` back. */
function swingFlow(ml: number, sinceMs: number): number {
  if (sinceMs < 0 || sinceMs >= 8 * swingMs) return 0;
  const swing = Math.sin((2 * Math.PI * sinceMs) / swingMs) * 0.5 ** (sinceMs / swingMs);
  return ((ml * Math.PI * 1_000) / swingMs) * swing;
}

const isDuring = (
  { atMs, durationMs }: { readonly atMs: number; readonly durationMs: number },
  nowMs: number,
): boolean => nowMs >= atMs && nowMs < atMs + durationMs;
