import type { TempCoefficient } from './scale-drift.ts';
import type { ScaleFigures } from './scale-findings.ts';

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
