import type { MeterCurve } from './measurement/meter-curve.ts';
import type { TempCoefficient } from '../extensions/scales/core/scale-drift.ts';
import type { ScaleFigures } from '../extensions/scales/core/scale-findings.ts';
import type { MeasuredBy } from './measurement/uncertainty.ts';
import type { HardwareTexts, MeterFields } from './taps/meter-record.ts';

export interface Controller extends HardwareTexts {
  readonly id: number;
  readonly name: string;
  readonly modelName: string | null;
  readonly serialNumber: string | null;
  /** When it last reported or counted a pour, Unix milliseconds; null when it never did. */
  readonly lastSeenMs: number | null;
}

export interface FlowMeter extends MeterFields {
  readonly id: number;
  /** `<controller>.<port>`. */
  readonly name: string;
  /** Factors at several rates; null where `ticksPerMl` serves all. */
  readonly curve: MeterCurve | null;
  /** The pours by which `ticksPerMl` was measured; null where nobody measured it. */
  readonly measuredBy: MeasuredBy | null;
}

/** The fields of a meter that do not change while it counts. */
export type MeterConfig = Omit<FlowMeter, 'ticksTotal' | 'lastCountedMs'>;

export interface FlowToggle {
  readonly id: number;
  readonly controllerId: number;
  readonly portName: string;
  readonly name: string;
  readonly tapId: number | null;
}

export interface ThermoSensor {
  readonly id: number;
  /** Name on the bus or given by the sender, unique. */
  readonly rawName: string;
  readonly niceName: string;
  /** What it measures besides taps, such as a fridge; may be empty. */
  readonly place: string;
  /** Added to each reading when it is received, −10 to 10 °C. */
  readonly offsetC: number;
}

/** A stored reading: at most one per sensor and minute. */
export interface ThermoLog {
  readonly id: number;
  readonly sensorId: number;
  readonly tempC: number;
  /** Unix milliseconds, truncated to the minute. */
  readonly timeMs: number;
}

/** A scale under a keg: a second measurement beside the flow meter. */
export interface Scale {
  readonly id: number;
  readonly name: string;
  /** The tap whose keg stands on it; null for none. */
  readonly tapId: number | null;
  /** MQTT topic with its weights; empty for none. */
  readonly topic: string;
  /** Name of the weight in a JSON message; empty where the message is a plain number. */
  readonly payloadField: string;
  /** Unit of the weights in its MQTT messages. */
  readonly unit: 'g' | 'kg';
  /** What it shows with an empty keg, grams; null when nobody weighed one. */
  readonly emptyWeightG: number | null;
  readonly coefficient: TempCoefficient;
}

/** A disagreement of a scale with the meter or with the record of the keg. */
export interface ScaleFinding extends ScaleFigures {
  readonly id: number;
  readonly scaleId: number;
  /** One of `scaleFindingKinds`; a database of a newer program may hold others. */
  readonly kind: string;
  readonly kegId: number | null;
  readonly startedMs: number;
  readonly updatedMs: number;
  /** Null while it is open. */
  readonly endedMs: number | null;
}
