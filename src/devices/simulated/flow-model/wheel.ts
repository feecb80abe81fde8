import type { Random } from './random.ts';
import type { SimulatedMeter } from './scenario.ts';

/** A wheel that stands starts at this multiple of the flow at which it stops: static friction is greater. */
const startShare = 1.2;

/** Below this speed, mL/s, a wheel that is no longer driven stands. */
const standstillMlPerS = 0.05;

/** The wheel of a meter: follows the flow with a lag, loses a little to friction, and ticks at each magnet. */
export class Wheel {
  readonly #meter: SimulatedMeter;
  readonly #random: Random;
  /** Position of each magnet of a turn, in ticks. */
  readonly #magnets: readonly number[];
  readonly #up: number;
  readonly #down: number;
  /** Speed as the flow that it would follow, mL/s; negative backwards. */
  #speed = 0;
  /** Position in ticks. */
  #at: number;

  constructor(meter: SimulatedMeter, stepMs: number, random: Random) {
    this.#meter = meter;
    this.#random = random;
    const { magnets, unevenness } = meter;
    this.#magnets = Array.from({ length: magnets }, (_, i) => i + (unevenness / 2) * (2 * random.next() - 1));
    this.#up = 1 - Math.exp(-stepMs / meter.tauUpMs);
    this.#down = 1 - Math.exp(-stepMs / meter.tauDownMs);
    this.#at = random.between(0, magnets);
  }

  get isStanding(): boolean {
    return this.#speed === 0;
  }

  /**
   * Turns the wheel by the flow of one step and adds the stamps of its ticks. `thickness` is the viscosity as a multiple of
   * that at which the meter's friction is given.
   */
  step(flowMlPerS: number, thickness: number, startMs: number, stepMs: number, stamps: number[]): void {
    const { stallMlPerS, ticksPerMl, rollOffMlPerS, maxHz } = this.#meter;
    const limit = this.#speed === 0 ? stallMlPerS * startShare : stallMlPerS;
    const driven = Math.abs(flowMlPerS) < limit ? 0 : flowMlPerS;
    const isRising = Math.abs(driven) > Math.abs(this.#speed);
    this.#speed += (driven - this.#speed) * (isRising ? this.#up : this.#down);
    if (driven === 0 && Math.abs(this.#speed) < standstillMlPerS) this.#speed = 0;
    if (this.#speed === 0) return;
    const speed = Math.abs(this.#speed);
    // Friction takes the whole speed at most: a wheel that coasts does not turn back.
    const hz = ticksPerMl * Math.max(0, speed - rollOffMlPerS * thickness);
    const rate = (maxHz === null ? hz : Math.min(hz, maxHz)) * Math.sign(this.#speed);
    this.#turn((rate * stepMs) / 1_000, startMs, stepMs, stamps);
  }

  /** Moves by so many ticks; a magnet counts in both directions. */
  #turn(ticks: number, startMs: number, stepMs: number, stamps: number[]): void {
    if (ticks === 0) return;
    const from = this.#at;
    const to = from + ticks;
    const [low, high] = ticks > 0 ? [from, to] : [to, from];
    const { magnets, jitterMs } = this.#meter;
    for (let turn = Math.floor(low / magnets) - 1; turn * magnets <= high + 1; turn++) {
      for (const magnet of this.#magnets) {
        const position = turn * magnets + magnet;
        if (position <= low || position > high) continue;
        const share = (position - from) / ticks;
        stamps.push(startMs + share * stepMs + jitterMs * this.#random.normal());
      }
    }
    // Kept small, so that the fraction stays exact in a long scenario.
    this.#at = to - Math.floor(to / magnets) * magnets;
  }
}
