import { toKegDensity } from '../../../../src/core/kegs/keg-density.ts';
import { coverage, pourUncertainty } from '../../../../src/core/measurement/uncertainty.ts';
import {
  KegScale,
  type MeterState,
  type ScaleStep,
} from '../../../../src/extensions/scales/core/keg-scale.ts';
import { type FindingChange, ScaleJudge } from '../../../../src/extensions/scales/core/scale-findings.ts';

export const density = toKegDensity(null);
export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;

/** Standard uncertainty of a calibrated meter, as a share. */
const uFactor = 0.006;
const ticksPerMl = 5.4;

export interface BenchOptions {
  /** Between 0 and 1. */
  readonly random: () => number;
  /** Of one reading, standard deviation; HX711: 0.5 g of 100 kg, people and pumps shake the rest, grams. */
  readonly noiseG?: number;
  /** Of the zero by temperature: 50 g per 10 K, grams per kelvin. */
  readonly driftGPerK?: number;
  /** Of the instrument, grams per day: 150 is one standard uncertainty. */
  readonly creepGPerDay?: number;
  /** Beer that runs out before the meter, millilitres per day. */
  readonly leakMlPerDay?: number;
  /** Counted ticks as a share of those that the factor expects. */
  readonly countedShare?: number;
  /** Time between two readings. */
  readonly everyMs?: number;
  /** Temperature at a time, °C. */
  readonly tempC?: (monoMs: number) => number;
  /** False where the sender knows no temperature. */
  readonly sendsTemp?: boolean;
}

/** A keg on a scale, a tap with a meter, and what was found. Time passes by `wait` and `pour`. */
export function openScaleBench(options: BenchOptions) {
  const { random, noiseG = 3, driftGPerK = 5, creepGPerDay = 0, leakMlPerDay = 0 } = options;
  const { everyMs = secondMs, tempC = () => 5, sendsTemp = true } = options;
  let countedShare = options.countedShare ?? 1;
  const scale = new KegScale();
  const judge = new ScaleJudge();
  const steps: ScaleStep[] = [];
  const open = new Map<string, NonNullable<FindingChange['figures']>>();
  const everFound = new Set<string>();
  let monoMs = 0;
  let kegG = 60_000;
  let ticks = 0;
  let isPouring = false;

  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const uMeterMl = (volumeMl: number) =>
    pourUncertainty({ ticksPerMl, uFactor }, { volumeMl, ticksLost: 0 }) / coverage;

  function read(): void {
    const days = monoMs / (24 * hourMs);
    const temp = tempC(monoMs);
    const weightG = kegG + driftGPerK * (temp - 5) + creepGPerDay * days + noiseG * gaussian();
    const meter: MeterState = { ticks, ticksPerMl, isPouring };
    const found = scale.step({ weightG, tempC: sendsTemp ? temp : null, monoMs }, meter);
    steps.push(...found);
    for (const change of found.flatMap((step) => judge.step(step, density, uMeterMl))) {
      if (change.figures === null) open.delete(change.kind);
      else {
        open.set(change.kind, change.figures);
        everFound.add(change.kind);
      }
    }
  }

  function pass(ms: number, perMs: (stepMs: number) => void = () => {}): void {
    for (const endMs = monoMs + ms; monoMs < endMs; ) {
      monoMs += everyMs;
      kegG -= (leakMlPerDay * density.kgPerL * everyMs) / (24 * hourMs);
      perMs(everyMs);
      read();
    }
  }

  return {
    steps,
    open,
    everFound,
    scale,
    get kegG() {
      return kegG;
    },
    /** Nobody pours. */
    wait: (ms: number) => pass(ms),
    /** Pours at 60 mL/s; the ticks are stored five seconds after the end. */
    pour(volumeMl: number): void {
      isPouring = true;
      let leftMl = volumeMl;
      pass((volumeMl / 60) * secondMs, (ms) => {
        const ml = Math.min(leftMl, (60 * ms) / secondMs);
        leftMl -= ml;
        kegG -= ml * density.kgPerL;
      });
      kegG -= leftMl * density.kgPerL;
      pass(5 * secondMs);
      isPouring = false;
      // Repeatability of the meter 0.5 %, and 1 mL of a wheel that starts late.
      ticks += Math.max(
        0,
        Math.round((volumeMl * (1 + 0.005 * gaussian()) + gaussian()) * ticksPerMl * countedShare),
      );
    },
    /** Pours while the meter counts nothing. */
    pourUncounted(volumeMl: number): void {
      pass((volumeMl / 60) * secondMs, (ms) => {
        kegG -= ((60 * ms) / secondMs) * density.kgPerL;
      });
    },
    /** Somebody puts something on the scale, or takes it off. */
    move(grams: number): void {
      kegG += grams;
    },
    /** From now on the meter counts another share. */
    count(share: number): void {
      countedShare = share;
    },
    /** The tap drips: the meter counts a few ticks and no pour. */
    drip(): void {
      ticks += 3;
    },
  };
}
