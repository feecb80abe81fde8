/**
 * State of a monitored condition: over its limit, well within it, inside the hysteresis band, or not
 * measurable.
 */
export type ConditionState = 'bad' | 'good' | 'between' | 'unknown';

/** Milliseconds for which the condition has been continuously bad or good; null where it is not. */
interface ConditionDuration {
  readonly badForMs: number | null;
  readonly goodForMs: number | null;
}

/**
 * Measures how long a condition has been bad or good. The state `between` neither starts nor resets a
 * duration: a cooler at its limit raises no alarm each time its door opens and clears none each time it
 * closes. `unknown` resets both.
 */
export class ConditionTimer {
  #badSinceMs: number | null = null;
  #goodSinceMs: number | null = null;

  /** `monoMs` belongs to one boot and never decreases. */
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

/** Hysteresis: a cooler counts as cool again this far below its limit, °C. */
const tempHysteresisC = 1;

/** Compares a temperature with its limit. */
export function toTempCondition(tempC: number, limitC: number): ConditionState {
  if (tempC > limitC) return 'bad';
  return tempC <= limitC - tempHysteresisC ? 'good' : 'between';
}
