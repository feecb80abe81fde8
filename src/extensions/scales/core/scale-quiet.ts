import { fitQuietTime, type QuietFit, type QuietPoint, type TempCoefficient } from './scale-drift.ts';

/** A slow loss while nobody poured. */
export interface QuietLoss {
  readonly lossGPerDay: number;
  readonly uGPerDay: number;
  readonly hours: number;
}

/** One point in this time is enough, milliseconds. */
const pointEveryMs = 5 * 60_000;
/** Points of a day; older ones are dropped. */
const maxPoints = 288;
/** A loss that is this certain teaches nothing about the temperature. */
const certainLoss = 3;
const hourMs = 3_600_000;

/** Collects stable weights while nobody pours. */
export class QuietTime {
  #points: QuietPoint[] = [];
  #fit: QuietFit | null = null;
  #coefficient: TempCoefficient;

  constructor(coefficient: TempCoefficient) {
    this.#coefficient = coefficient;
  }

  get coefficient(): TempCoefficient {
    return this.#coefficient;
  }

  /** What the weight did so far; null between the points, and in the first hours. */
  add(point: QuietPoint): QuietLoss | null {
    const last = this.#points.at(-1);
    if (last !== undefined && point.monoMs - last.monoMs < pointEveryMs) return null;
    this.#points.push(point);
    if (this.#points.length > maxPoints) this.#points.shift();
    this.#fit = fitQuietTime(this.#points, this.#coefficient);
    if (this.#fit === null) return null;
    const { lossGPerDay, uGPerDay } = this.#fit;
    return { lossGPerDay, uGPerDay, hours: (point.monoMs - this.#points[0]!.monoMs) / hourMs };
  }

  /** Ends this time; returns the coefficient if it taught one. */
  restart(): TempCoefficient | null {
    const fit = this.#fit;
    this.#points = [];
    this.#fit = null;
    if (fit === null || Math.abs(fit.lossGPerDay) > certainLoss * fit.uGPerDay) return null;
    if (fit.coefficient.uGPerK >= this.#coefficient.uGPerK) return null;
    this.#coefficient = fit.coefficient;
    return fit.coefficient;
  }
}
