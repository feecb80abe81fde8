/** The jump for which the test is made, as a multiple of the open rate. */
export const jumpRatio = 1.35;

/** Spread of the counts of a turning wheel, as a share of a Poisson process's. */
const dispersion = 0.4;

/** Sum of evidence above which a jump is suspected. */
const suspectLevel = 8;

/** One bin cannot prove a jump: three are needed. */
const maxStep = suspectLevel / 2.01;

/** A place in the pour: milliseconds after the first tick, and what was counted until then. */
export interface Place {
  readonly ms: number;
  readonly ticks: number;
  readonly edges: number;
}

/** Cumulative sum of the evidence that the rate has jumped above an expected one. */
export class JumpSum {
  /** Ticks per bin. */
  expected: number;
  /** Where the sum was 0 last: the rate jumped there, if it did. */
  onset: Place = { ms: 0, ticks: 0, edges: 0 };
  #sum = 0;

  constructor(expected: number) {
    this.expected = expected;
  }

  /** True while nothing speaks for a jump. */
  get isOver(): boolean {
    return this.#sum === 0;
  }

  get isSuspect(): boolean {
    return this.#sum > suspectLevel;
  }

  add(count: number, place: Place): void {
    const step = (count * Math.log(jumpRatio) - this.expected * (jumpRatio - 1)) / dispersion;
    this.#sum = Math.min(Math.max(this.#sum + Math.min(step, maxStep), 0), 2 * suspectLevel);
    if (this.#sum === 0) this.onset = place;
  }

  restart(place: Place): void {
    this.#sum = 0;
    this.onset = place;
  }
}
