import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { paginate } from '../../../engine/engine.ts';
import { correctionOf } from '../../../http/current/shared/correction-id.ts';
import { toPageRequest } from '../../../http/current/shared/paging.ts';
import { readableResource } from '../../../http/current/shared/resource.ts';
import { AnyId, toId } from '../../../http/routes/input-values.ts';
import type { Route } from '../../../http/routes/route.ts';
import { actorContext } from '../../../http/routes/route-context.ts';
import { Closed, Maybe, Nullable, named } from '../../../http/routes/schemas.ts';
import type { ScaleRouteParts } from './route-parts.ts';
import { ScaleJson, scaleJson, WeightG } from './scale-views.ts';

const Name = Type.String({ minLength: 1, maxLength: 128, description: 'Name of the scale.' });

const fields = {
  tap_id: Maybe(
    Nullable({
      ...AnyId,
      description: 'The tap whose keg stands on it; null for none. A tap has one scale.',
    }),
  ),
  topic: Maybe(
    Type.String({
      maxLength: 256,
      description: 'MQTT topic with its weights, without + and #; empty for none.',
    }),
  ),
  payload_field: Maybe(
    Type.String({
      maxLength: 128,
      description:
        'Name of the weight in a JSON message, `a.b` in a nested one; empty where the message is a plain number.',
    }),
  ),
  unit: Maybe(
    Type.Enum(['g', 'kg'], { description: 'Unit of the weights in its messages; grams by default.' }),
  ),
  empty_weight_g: Maybe(
    Nullable({
      ...WeightG,
      description: 'What it shows with an empty keg, grams; null when it is not known.',
    }),
  ),
};

const NewScaleJson = named(
  'NewScale',
  Closed({ name: Name, ...fields }, { description: 'A new scale under a keg.' }),
);
const ScaleChangeJson = named(
  'ScaleChange',
  Closed({ name: Maybe(Name), ...fields }, { description: 'Changes of a scale.' }),
);

const scales = readableResource({
  name: 'Scale',
  noun: 'scale',
  path: '/scales',
  access: 'staff',
  item: 'scale',
  items: 'scales',
  json: ScaleJson,
  undoneAs: { kind: 'scale', as: 'scale' },
  show: scaleJson,
});

/** Scales under kegs, for staff. */
export const scaleRecordRoutes = ({ servicesOf }: ScaleRouteParts): readonly Route[] => [
  scales.list(
    {
      summary: 'List the scales under kegs, with what they show',
      description: 'What is left in the keg by the scale stands beside what is left by the meter.',
    },
    (engine, query) => paginate(servicesOf(engine).scales.list(), toPageRequest(query)),
  ),
  scales.get(
    { summary: 'Get a scale under a keg', description: 'With its last weight and its open findings.' },
    (engine, id) => servicesOf(engine).scales.find(id),
  ),
  scales.create(
    {
      summary: 'Create a scale for the keg of a tap',
      description:
        'A scale whose weights come by `POST /api/taps/{ref}/keg-weight` is created by the first one. Written to the audit log.',
    },
    NewScaleJson,
    (context, { name, ...body }) => {
      const { id } = servicesOf(context.engine).scales.create(
        { name, ...toFields(body) },
        actorContext(context),
      );
      return servicesOf(context.engine).scales.find(id)!;
    },
  ),
  ...scales.change(
    {
      summary: 'Change a scale. Fields left out keep their values',
      description:
        'A new MQTT topic is subscribed to at once; a broken message is counted in `broken_messages`. Written to the audit log, and can be undone.',
    },
    { put: NewScaleJson, patch: ScaleChangeJson },
    (context, { id }, { body: { name, ...body } }) => {
      servicesOf(context.engine).scales.change(
        id,
        { ...omitUndefined({ name }), ...toFields(body) },
        actorContext(context),
      );
      return servicesOf(context.engine).scales.find(id)!;
    },
  ),
  scales.removeWithUndo(
    {
      summary: 'Delete a scale. It is created again by a weight that is posted for its tap',
      description: 'Can be undone, with the weights of the last 30 days. Written to the audit log.',
    },
    (context, { id }) => {
      servicesOf(context.engine).scales.remove(id, actorContext(context));
      return correctionOf(context.engine, 'scale', { kind: 'scale', id });
    },
  ),
];

function toFields(body: Omit<Static<typeof ScaleChangeJson>, 'name'>) {
  const { tap_id: tap, topic, payload_field: payloadField, unit, empty_weight_g: emptyWeightG } = body;
  const tapId = tap === undefined || tap === null ? tap : toId(tap);
  return omitUndefined({ tapId, topic, payloadField, unit, emptyWeightG });
}
