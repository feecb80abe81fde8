import type { Moment } from '../../core/clock/moment.ts';
import type { FlowEnd } from '../../core/pours/flow-end.ts';
import type { Drink } from '../../core/records.ts';

/** A reading of a sensor of this machine, with the sensor's offset. */
export interface SensorReading {
  readonly name: string;
  readonly tempC: number;
  readonly at: Moment;
}

/** Where the base tells the extensions that are on what is recorded. Each may write in the transaction of the record. */
export interface RecordingHooks {
  /** A drink became valid: recorded as such, or a held pour that staff keep. Not for what an import adds. */
  drinkRecorded(drink: Drink, end: FlowEnd): void;
  /** Readings of sensors of this machine were stored. */
  temperaturesRead(readings: readonly SensorReading[]): void;
}

/** Calls the hooks of every extension that is on, in the order of `use`. */
export function createRecordingHooks() {
  let drinkRecorded: readonly RecordingHooks['drinkRecorded'][] = [];
  let temperaturesRead: readonly RecordingHooks['temperaturesRead'][] = [];
  return {
    /** From now on these are called. */
    use(all: readonly Partial<RecordingHooks>[]): void {
      drinkRecorded = all.flatMap((hooks) => hooks.drinkRecorded ?? []);
      temperaturesRead = all.flatMap((hooks) => hooks.temperaturesRead ?? []);
    },
    drinkRecorded(drink: Drink, end: FlowEnd): void {
      for (const hook of drinkRecorded) hook(drink, end);
    },
    temperaturesRead(readings: readonly SensorReading[]): void {
      for (const hook of temperaturesRead) hook(readings);
    },
  };
}
