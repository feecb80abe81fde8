import { maxWeightG, minWeightG } from './scale-level.ts';

/** How the messages of a scale are read. */
export interface WeightFormat {
  /** Name of the weight in a JSON message, with dots for nested objects; empty for a plain number. */
  readonly payloadField: string;
  readonly unit: 'g' | 'kg';
}

/** A message with a weight, or why it has none. */
export type WeightMessage =
  | { readonly kind: 'weight'; readonly weightG: number; readonly tempC: number | null }
  | { readonly kind: 'broken'; readonly fault: WeightFault };

/** Why a message has no weight. */
export type WeightFault = 'too_long' | 'not_json' | 'no_field' | 'not_a_number' | 'out_of_range';

/** Mosquitto ends the connection at a topic of more than 200 levels. */
const maxTopicLevels = 100;
/** Longer messages are of something else, bytes. */
export const maxWeightBytes = 4_096;
/** Names of a temperature in °C beside the weight, as keg sensors publish it. */
const tempNames = ['temp_c', 'temperature', 'temp', 'temperature_c', 'keg_temperature'];
const minTempC = -50;
const maxTempC = 125;
/** An empty platform drifts below zero; it is empty all the same, grams. */
const zeroToleranceG = 2_000;

/** Reads the payload of a scale: a plain number, or a field of a JSON object. */
export function parseWeight(payload: string, { payloadField, unit }: WeightFormat): WeightMessage {
  if (payload.length > maxWeightBytes) return broken('too_long');
  if (payloadField === '') return toWeight(toNumber(payload.trim()), unit, null);
  let message: unknown;
  try {
    message = JSON.parse(payload);
  } catch {
    return broken('not_json');
  }
  if (typeof message !== 'object' || message === null) return broken('not_json');
  const value = readField(message, payloadField);
  if (value === undefined) return broken('no_field');
  return toWeight(toFieldNumber(value), unit, readTemp(message));
}

/** Why a text is no topic to subscribe to; null when it is one, or empty. */
export function mqttTopicFault(topic: string): string | null {
  if (topic === '') return null;
  const isTopic = !/[+#\0]/.test(topic) && !topic.startsWith('$');
  if (!isTopic) return 'must be a topic without + and #';
  return topic.split('/').length > maxTopicLevels ? `must have at most ${maxTopicLevels} levels` : null;
}

function toWeight(value: number, unit: 'g' | 'kg', tempC: number | null): WeightMessage {
  if (!Number.isFinite(value)) return broken('not_a_number');
  const weightG = unit === 'kg' ? value * 1_000 : value;
  if (weightG < minWeightG - zeroToleranceG || weightG > maxWeightG) return broken('out_of_range');
  return { kind: 'weight', weightG: Math.max(minWeightG, weightG), tempC };
}

/** Strict: `Number` would read an empty text as 0 and `0x10` as 16. */
const toNumber = (text: string): number =>
  /^[+-]?\d{1,9}(?:\.\d{1,20})?(?:e[+-]?\d{1,2})?$/i.test(text) ? Number(text) : Number.NaN;

/** Some devices write numbers as texts. */
function toFieldNumber(value: unknown): number {
  if (typeof value === 'string') return toNumber(value.trim());
  return typeof value === 'number' ? value : Number.NaN;
}

function readField(message: object, path: string): unknown {
  // A name may contain dots itself.
  if (Object.hasOwn(message, path)) return (message as Record<string, unknown>)[path];
  let value: unknown = message;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function readTemp(message: object): number | null {
  for (const name of tempNames) {
    const value = toFieldNumber(readField(message, name));
    if (value >= minTempC && value <= maxTempC) return value;
  }
  return null;
}

const broken = (fault: WeightFault): WeightMessage => ({ kind: 'broken', fault });
