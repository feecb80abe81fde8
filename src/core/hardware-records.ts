import type { MeterCurve } from './measurement/meter-curve.ts';
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
