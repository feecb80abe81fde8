import { validateNumber, validateText, validationError } from '../../../engine/shared/bounds.ts';
import type { Scale } from '../core/records.ts';
import { maxWeightG, minWeightG } from '../core/scale-level.ts';
import { mqttTopicFault } from '../core/weight-payload.ts';
import type { ScaleDatabase } from '../store/scales-store.ts';
import type { ScaleFields } from '../store/scales-table.ts';

/** Editable fields of a scale; those left out have their defaults. */
export type ScaleRequest = Pick<ScaleFields, 'name'> & Partial<ScaleFields>;

interface ScaleRules {
  readonly store: ScaleDatabase;
  /** Whether this program itself publishes to that topic. */
  readonly publishesTo: (topic: string) => boolean;
}

/** More than the taps of any bar. */
const maxScales = 200;

/** `own` is the scale being changed. Throws `invalid_request` with the field. */
export function validateScale(
  { store, publishesTo }: ScaleRules,
  request: ScaleRequest,
  own: Scale | null,
): ScaleFields {
  const { name, tapId = null, topic = '', payloadField = '', unit = 'g', emptyWeightG = null } = request;
  const fields = {
    name: validateText('name', name, { max: 128 }),
    tapId,
    topic: validateText('topic', topic, { min: 0, max: 256 }),
    payloadField: validateText('payload_field', payloadField, { min: 0, max: 128 }),
    unit,
    emptyWeightG:
      emptyWeightG === null
        ? null
        : validateNumber('empty_weight_g', emptyWeightG, { min: minWeightG, max: maxWeightG }),
  };
  const fault = mqttTopicFault(fields.topic);
  if (fault !== null) throw validationError('topic', fault);
  // What is published here would come back as a weight.
  if (publishesTo(fields.topic)) throw validationError('topic', 'must not be a topic that Tapster publishes');
  const others = store.scales.all().filter(({ id }) => id !== own?.id);
  if (own === null && others.length >= maxScales)
    throw validationError('name', `is not needed: there are ${maxScales} scales`);
  if (tapId !== null) requireFreeTap(store, tapId, others);
  const isTaken = ({ topic: other, payloadField: field }: Scale) =>
    other === fields.topic && field === fields.payloadField;
  if (fields.topic !== '' && others.some(isTaken))
    throw validationError('topic', 'is taken by another scale', { name: 'taken' });
  return fields;
}

function requireFreeTap(store: ScaleDatabase, tapId: number, others: readonly Scale[]): void {
  if (store.taps.byId(tapId) === null)
    throw validationError('tap_id', 'must be the id of a tap', { name: 'exists', what: 'tap' });
  if (others.some((other) => other.tapId === tapId))
    throw validationError('tap_id', 'has another scale', { name: 'taken' });
}
