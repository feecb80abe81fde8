/** After so many missed readings the last value is stale. */
export const missesUntilStale = 3;

/** Another Tapster reports its temperatures every ten minutes, kegboards and clients more often, milliseconds. */
export const reportIntervalMs = 600_000;

/** Stored readings have the time of their minute, milliseconds. */
const storedStepMs = 60_000;

/** A usable reading of a thermo sensor. */
interface Reading {
  readonly tempC: number;
  /** Unix milliseconds. */
  readonly timeMs: number;
}

/** The newest usable reading of a thermo sensor, and whether the sensor has vanished since. */
export interface SensorReading extends Reading {
  /** True when the sensor has missed three readings: by its reading interval, or one after the other. */
  readonly isStale: boolean;
}

/** Whether a reading is so old that its sensor has missed three since. */
export const isOldReading = (timeMs: number, nowMs: number, intervalMs = reportIntervalMs): boolean =>
  nowMs - timeMs > missesUntilStale * intervalMs + storedStepMs;

/**
 * The newest reading of a sensor: from memory for one of our own, which are stored in batches, else the stored one. This is
 * the only rule by which a sensor counts as vanished.
 */
export function newestReading(
  stored: Reading | null,
  inMemory: SensorReading | undefined,
  nowMs: number,
): SensorReading | null {
  if (inMemory !== undefined && inMemory.timeMs >= (stored?.timeMs ?? 0)) return inMemory;
  if (stored === null) return null;
  const { tempC, timeMs } = stored;
  return { tempC, timeMs, isStale: isOldReading(timeMs, nowMs) };
}
