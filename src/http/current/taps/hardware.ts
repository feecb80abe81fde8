import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { paginate } from '../../../engine/engine.ts';
import { AnyId, toId, validationError } from '../../routes/input-values.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, errorWords, Maybe, Nullable, named } from '../../routes/schemas.ts';
import { toPageRequest } from '../shared/paging.ts';
import { readableResource } from '../shared/resource.ts';
import {
  ControllerJson,
  controllerJson,
  MeterJson,
  meterJson,
  ToggleJson,
  toggleJson,
} from './hardware-views.ts';

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
const NewControllerJson = named(
  'NewController',
  Closed({ name: controllerName, ...detailFields }, { description: 'A new controller.' }),
);
const ControllerChangeJson = named(
  'ControllerChange',
  Closed({ name: Maybe(controllerName), ...detailFields }, { description: 'Changes of a controller.' }),
);

const PortName = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'Port of the controller, such as `flow0` or `relay0`.',
});
const TicksPerMl = Type.Number({
  minimum: 0.001,
  maximum: 1_000,
  'x-unit': 'ticks/mL',
  description:
    'Calibration factor in ticks per millilitre. A new meter without it gets 2.724 and is marked as uncalibrated.',
});
/** Both names are accepted; a meter or toggle cannot move to another controller later. */
const OwnerId = {
  ...AnyId,
  description: 'Id of its controller; `controller` and `controller_id` are the same.',
};
const ownerFields = { controller: Maybe(OwnerId), controller_id: Maybe(OwnerId) };
const NewMeterJson = named(
  'NewFlowMeter',
  Closed(
    { ...ownerFields, port_name: PortName, ticks_per_ml: Maybe(TicksPerMl) },
    { description: 'A new flow meter.' },
  ),
);
const MeterChangeJson = named(
  'FlowMeterChange',
  Closed(
    { port_name: Maybe(PortName), ticks_per_ml: Maybe(TicksPerMl) },
    { description: 'Changes of a flow meter.' },
  ),
);
const MeterReplaceJson = named(
  'FlowMeterReplacement',
  Closed(
    { port_name: PortName, ticks_per_ml: Maybe(TicksPerMl) },
    { description: 'New values of a flow meter.' },
  ),
);
const NewToggleJson = named(
  'NewFlowToggle',
  Closed({ ...ownerFields, port_name: PortName }, { description: 'A new flow toggle.' }),
);
const ToggleChangeJson = named(
  'FlowToggleChange',
  Closed({ port_name: Maybe(PortName) }, { description: 'Changes of a flow toggle.' }),
);
const ToggleReplaceJson = named(
  'FlowToggleReplacement',
  Closed({ port_name: PortName }, { description: 'New values of a flow toggle.' }),
);

/** Hardware that the configuration file or a plugged-in board names cannot be changed. */
const claimed = { conflict: ['in_configuration', 'on_serial_port'] } as const;
const claimedErrors = { change: claimed, remove: claimed };

const controllers = readableResource({
  name: 'Controller',
  noun: 'controller',
  path: '/controllers',
  access: 'staff',
  item: 'controller',
  items: 'controllers',
  json: ControllerJson,
  errors: claimedErrors,
  show: controllerJson,
});

const controllerRoutes = [
  controllers.list(
    {
      summary: 'List controllers, which own meters and toggles',
      description:
        'A controller is this machine, a serial board, a network kegboard or a client of the legacy API. All are ' +
        'listed.',
    },
    ({ hardware }, query) => paginate(hardware.controllers(), toPageRequest(query)),
  ),
  controllers.get(
    {
      summary: 'Get a controller',
      description: 'Its meters and toggles are those with its id as `controller_id`.',
    },
    ({ hardware }, id) => findById(hardware.controllers(), id),
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
      return context.engine.hardware.createController(fields, actorContext(context));
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
      context.engine.hardware.changeController(id, toControllerFields(body), actorContext(context)),
  ),
  controllers.remove(
    {
      summary:
        'Delete a controller with its meters, toggles and token; drinks stay. Refused for a controller in the configuration file or plugged in. A network kegboard has to be paired again',
      description: 'Written to the audit log.',
    },
    (context, { id }) => context.engine.hardware.removeController(id, actorContext(context)),
  ),
];

const meters = readableResource({
  name: 'Meter',
  noun: 'flow meter',
  path: '/flow-meters',
  access: 'staff',
  item: 'flow_meter',
  items: 'flow_meters',
  json: MeterJson,
  errors: claimedErrors,
  show: meterJson,
});

const meterRoutes = [
  meters.list(
    {
      summary: 'List flow meters with their calibration',
      description: 'All meters of all controllers, also those that no tap has.',
    },
    ({ hardware }, query) => paginate(hardware.meters(), toPageRequest(query)),
  ),
  meters.get(
    { summary: 'Get a flow meter', description: 'With its calibration factor in ticks per millilitre.' },
    ({ hardware }, id) => findById(hardware.meters(), id),
  ),
  meters.create(
    {
      summary: 'Create a flow meter on a controller, given by `controller` or `controller_id`',
      description:
        'The full name of the meter is the controller’s name, a dot and the port. The port must be unique on its ' +
        'controller, otherwise 400. Without `ticks_per_ml` it gets the default of 2.724 and is marked as ' +
        'uncalibrated. Written to the audit log.',
    },
    NewMeterJson,
    (context, body) => {
      const { port_name: portName, ticks_per_ml: ticksPerMl } = body;
      const fields = { controllerId: toControllerId(body), portName, ...omitUndefined({ ticksPerMl }) };
      return context.engine.hardware.createMeter(fields, actorContext(context));
    },
  ),
  ...meters.change(
    {
      summary:
        'Change port or calibration of a flow meter. Fields left out keep their values; past drinks do not change',
      description:
        'A new factor applies to pours from then on and marks the meter as calibrated; `POST ' +
        '/api/flow-meters/{id}/calibrate` can apply it to past drinks. Written to the audit log.',
    },
    { put: MeterReplaceJson, patch: MeterChangeJson },
    (context, { id }, { body: { port_name: portName, ticks_per_ml: ticksPerMl } }) =>
      context.engine.hardware.changeMeter(id, { portName, ticksPerMl }, actorContext(context)),
  ),
  meters.remove(
    {
      summary:
        'Delete a flow meter; its tap has none then, and drinks stay. A meter that its controller reports is created again',
      description: 'Written to the audit log.',
    },
    (context, { id }) => context.engine.hardware.removeMeter(id, actorContext(context)),
  ),
];

const toggles = readableResource({
  name: 'Toggle',
  noun: 'flow toggle',
  path: '/flow-toggles',
  access: 'staff',
  item: 'flow_toggle',
  items: 'flow_toggles',
  json: ToggleJson,
  errors: claimedErrors,
  show: toggleJson,
});

const toggleRoutes = [
  toggles.list(
    {
      summary: 'List flow toggles (relays that open valves)',
      description: 'All toggles of all controllers, also those that no tap has.',
    },
    ({ hardware }, query) => paginate(hardware.toggles(), toPageRequest(query)),
  ),
  toggles.get(
    {
      summary: 'Get a flow toggle',
      description: 'Its state is in `GET /api/admin/valves` while it is open.',
    },
    ({ hardware }, id) => findById(hardware.toggles(), id),
  ),
  toggles.create(
    {
      summary: 'Create a flow toggle on a controller, given by `controller` or `controller_id`',
      description:
        'The full name of the toggle is the controller’s name, a dot and the port, which must be unique on its ' +
        'controller. Written to the audit log.',
    },
    NewToggleJson,
    (context, body) => {
      const fields = { controllerId: toControllerId(body), portName: body.port_name };
      return context.engine.hardware.createToggle(fields, actorContext(context));
    },
  ),
  ...toggles.change(
    {
      summary: 'Change the port of a flow toggle',
      description: 'The port must be unique on its controller, otherwise 400. Written to the audit log.',
    },
    { put: ToggleReplaceJson, patch: ToggleChangeJson },
    (context, { id }, { body }) =>
      context.engine.hardware.changeToggle(id, { portName: body.port_name }, actorContext(context)),
  ),
  toggles.remove(
    {
      summary: 'Delete a flow toggle. One that its controller reports is created again',
      description: 'Its tap has no valve then. Written to the audit log.',
    },
    (context, { id }) => context.engine.hardware.removeToggle(id, actorContext(context)),
  ),
];

/** Routes of controllers, flow meters and flow toggles, for staff. */
export const hardwareRoutes = [...controllerRoutes, ...meterRoutes, ...toggleRoutes];

const findById = <T extends { readonly id: number }>(all: readonly T[], id: number): T | undefined =>
  all.find((one) => one.id === id);

function toControllerFields(body: Static<typeof ControllerChangeJson>) {
  const { name, model_name: modelName, serial_number: serialNumber } = body;
  return omitUndefined({
    name,
    modelName: modelName === null ? '' : modelName,
    serialNumber: serialNumber === null ? '' : serialNumber,
  });
}

function toControllerId({ controller, controller_id: controllerId }: Static<typeof NewToggleJson>): number {
  const id = controller ?? controllerId;
  if (id === undefined) throw validationError('controller', 'is required', { name: 'required' });
  if (controller !== undefined && controllerId !== undefined && toId(controller) !== toId(controllerId)) {
    throw validationError('controller_id', 'must be the same as controller');
  }
  return toId(id);
}
