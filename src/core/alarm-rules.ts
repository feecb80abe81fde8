/** How a thing looks now: in trouble, well, between the two, or not to be seen at all. */
export type ConditionState = 'bad' | 'good' | 'between' | 'unknown';

/** For how long it has looked so without a break, milliseconds; null where it does not. */
export interface ConditionDuration {
  readonly badForMs: number | null;
  readonly goodForMs: number | null;
}

/**
 * Watches one thing that may flutter. What lies between neither begins nor breaks anything: a cooler at its limit is not
 * told as an alarm every time its door opens, nor as mended every time it shuts. What cannot be seen has no past.
 */
export class ConditionTimer {
  #badSinceMs: number | null = null;
  #goodSinceMs: number | null = null;

  /** `monoMs` of one boot, never less than before. */
  step(state: ConditionState, monoMs: number): ConditionDuration {
    if (state === 'bad') this.#badSinceMs ??= monoMs;
    if (state === 'good') this.#goodSinceMs ??= monoMs;
    if (state === 'good' || state === 'unknown') this.#badSinceMs = null;
    if (state === 'bad' || state === 'unknown') this.#goodSinceMs = null;
    return {
      badForMs: this.#badSinceMs === null || state === 'between' ? null : monoMs - this.#badSinceMs,
      goodForMs: this.#goodSinceMs === null || state === 'between' ? null : monoMs - this.#goodSinceMs,
    };
  }
}

/** So much below the limit a cooler is cool again, °C. */
const tempSlackC = 1;

/** How a temperature looks against its limit. */
export function toTempCondition(tempC: number, limitC: number): ConditionState {
  if (tempC > limitC) return 'bad';
  return tempC <= limitC - tempSlackC ? 'good' : 'between';
}
