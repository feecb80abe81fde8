import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { hardwareTexts } from '../../../core/taps/meter-record.ts';
import { paginate } from '../../../engine/engine.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, errorWords, Maybe, Nullable, named } from '../../routes/schemas.ts';
import { correctionOf } from '../shared/correction-id.ts';
import { toPageRequest } from '../shared/paging.ts';
import { recordChangeSchemas, toFields } from '../shared/record-schemas.ts';
import { readableResource } from '../shared/resource.ts';
import { claimedErrors, findById } from './hardware-fields.ts';
import { ControllerJson, controllerJson } from './hardware-views.ts';

const controllerName = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[^.]*$',
  description: 'Unique, without a dot: it is the first part of its meters’ names.',
  ...errorWords('must not contain a dot', { name: 'no_dot' }),
});
const detailFields = {
  model_name: Maybe(
    Nullable(
      Type.String({ maxLength: 128, description: 'Model, at most 128 characters; null when unknown.' }),
    ),
  ),
  serial_number: Maybe(
    Nullable(
      Type.String({
        maxLength: 128,
        description: 'Serial number, at most 128 characters; null when unknown.',
      }),
    ),
  ),
};
const texts = recordChangeSchemas(hardwareTexts);
const NewControllerJson = named(
  'NewController',
  Closed({ name: controllerName, ...detailFields, ...texts }, { description: 'A new controller.' }),
);
const ControllerChangeJson = named(
  'ControllerChange',
  Closed(
    { name: Maybe(controllerName), ...detailFields, ...texts },
    { description: 'Changes of a controller.' },
  ),
);
const controllers = readableResource({
  name: 'Controller',
  noun: 'controller',
  path: '/controllers',
  access: 'staff',
  item: 'controller',
  items: 'controllers',
  json: ControllerJson,
  errors: claimedErrors,
  undoneAs: { kind: 'controller', as: 'device' },
  show: controllerJson,
});

/** Routes of controllers, for staff. */
export const controllerRoutes = [
  controllers.list(
    {
      summary: 'List controllers, which own meters and toggles',
      description:
        'A controller is this machine, a serial board, a network kegboard or a client of the legacy API. All are ' +
        'listed.',
    },
    ({ taps: { hardware } }, query) => paginate(hardware.controllers(), toPageRequest(query)),
  ),
  controllers.get(
    {
      summary: 'Get a controller',
      description: 'Its meters and toggles are those with its id as `controller_id`.',
    },
    ({ taps: { hardware } }, id) => findById(hardware.controllers(), id),
  ),
  controllers.create(
    {
      summary: 'Create a controller',
      description:
        'For a client that reports pours through the legacy API. The name is the first part of its meters’ names and ' +
        'must be unique: another controller with it is a 400. Written to the audit log.',
    },
    NewControllerJson,
    (context, body) => {
      const fields = { ...toControllerFields(body), name: body.name };
      return context.engine.taps.hardware.createController(fields, actorContext(context));
    },
  ),
  ...controllers.change(
    {
      summary:
        'Change a controller. Fields left out keep their values. A name that comes from the configuration file or a plugged-in board cannot be changed',
      description:
        'A new name changes the full names of its meters and toggles. A text of null is removed. Written to the audit ' +
        'log.',
    },
    { put: NewControllerJson, patch: ControllerChangeJson },
    (context, { id }, { body }) =>
      context.engine.taps.hardware.changeController(id, toControllerFields(body), actorContext(context)),
  ),
  controllers.removeWithUndo(
    {
      summary:
        'Delete a controller with its meters, toggles and token; drinks stay. Refused for a controller in the configuration file or plugged in. A network kegboard has to be paired again',
      description: 'Can be undone, except for the access of a network kegboard. Written to the audit log.',
    },
    (context, { id }) => {
      context.engine.taps.hardware.removeController(id, actorContext(context));
      return correctionOf(context.engine, 'device', { kind: 'controller', id });
    },
  ),
];

function toControllerFields(body: Static<typeof ControllerChangeJson>) {
  const { name, model_name: modelName, serial_number: serialNumber } = body;
  return omitUndefined({
    name,
    modelName: modelName === null ? '' : modelName,
    serialNumber: serialNumber === null ? '' : serialNumber,
    ...toFields(hardwareTexts, body),
  });
}
