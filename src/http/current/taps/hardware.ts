import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { meterFields as declared, hardwareTexts } from '../../../core/taps/meter-record.ts';
import { paginate } from '../../../engine/engine.ts';
import { AnyId, toId, validationError } from '../../routes/input-values.ts';
import type { Route } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, Maybe, Nullable, named } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { correctionOf } from '../shared/correction-id.ts';
import { toPageRequest } from '../shared/paging.ts';
import { recordChangeSchemas, toFields } from '../shared/record-schemas.ts';
import { readableResource } from '../shared/resource.ts';
import { claimedErrors, findById } from './hardware-fields.ts';
import { MeterJson, meterJson, ToggleJson, toggleJson } from './hardware-views.ts';
import { endMovedPours, Moves } from './moved-meters.ts';

type Services = Pick<RouteServices, 'counting'>;

const PortName = Type.String({
  minLength: 1,
  maxLength: declared.portName.max,
  description: 'Port of the controller, such as `flow0` or `relay0`.',
});
const TicksPerMl = Type.Number({
  minimum: declared.ticksPerMl.min,
  maximum: declared.ticksPerMl.max,
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
const meterFields = {
  ticks_per_ml: Maybe(TicksPerMl),
  ...recordChangeSchemas(hardwareTexts),
  tap_id: Maybe(
    Nullable({ ...AnyId, description: 'Id of its tap, which loses its present meter; null for none.' }),
  ),
  move: Moves,
};
const MeterChangeJson = named(
  'FlowMeterChange',
  Closed({ port_name: Maybe(PortName), ...meterFields }, { description: 'Changes of a flow meter.' }),
);
const MeterReplaceJson = named(
  'FlowMeterReplacement',
  Closed({ port_name: PortName, ...meterFields }, { description: 'New values of a flow meter.' }),
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

const meters = readableResource({
  name: 'Meter',
  noun: 'flow meter',
  path: '/flow-meters',
  access: 'staff',
  item: 'flow_meter',
  items: 'flow_meters',
  json: MeterJson,
  errors: {
    ...claimedErrors,
    change: { conflict: [...claimedErrors.change.conflict, 'meter_on_other_tap'] },
  },
  undoneAs: { kind: 'flow_meter', as: 'device' },
  show: meterJson,
});

const meterRoutes = (services: Services): readonly Route[] => [
  meters.list(
    {
      summary: 'List flow meters with their calibration',
      description: 'All meters of all controllers, also those that no tap has.',
    },
    ({ taps: { hardware } }, query) => paginate(hardware.meters(), toPageRequest(query)),
  ),
  meters.get(
    { summary: 'Get a flow meter', description: 'With its calibration factor in ticks per millilitre.' },
    ({ taps: { hardware } }, id) => findById(hardware.meters(), id),
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
      return context.engine.taps.hardware.createMeter(fields, actorContext(context));
    },
  ),
  ...meters.change(
    {
      summary:
        'Change port, calibration, texts or tap of a flow meter. Fields left out keep their values; past drinks do not change',
      description:
        'A new factor applies to pours from then on and marks the meter as calibrated; `POST ' +
        '/api/flow-meters/{id}/calibrate` can apply it to past drinks. Written to the audit log, and can be undone.',
    },
    { put: MeterReplaceJson, patch: MeterChangeJson },
    (context, { id }, { body }) => {
      const { port_name: portName, ticks_per_ml: ticksPerMl, tap_id: tap, move: moves } = body;
      const tapId = tap === undefined || tap === null ? tap : toId(tap);
      const fields = omitUndefined({ portName, ticksPerMl, tapId, moves, ...toFields(hardwareTexts, body) });
      if (tapId != null)
        endMovedPours(context.engine, services, { meterId: id, tapId, moves: moves ?? false });
      return context.engine.taps.hardware.changeMeter(id, fields, actorContext(context));
    },
  ),
  meters.removeWithUndo(
    {
      summary:
        'Delete a flow meter; its tap has none then, and drinks stay. A meter that its controller reports is created again',
      description: 'Can be undone. Written to the audit log.',
    },
    (context, { id }) => {
      context.engine.taps.hardware.removeMeter(id, actorContext(context));
      return correctionOf(context.engine, 'device', { kind: 'flow_meter', id });
    },
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
  undoneAs: { kind: 'flow_toggle', as: 'device' },
  show: toggleJson,
});

const toggleRoutes = [
  toggles.list(
    {
      summary: 'List flow toggles (relays that open valves)',
      description: 'All toggles of all controllers, also those that no tap has.',
    },
    ({ taps: { hardware } }, query) => paginate(hardware.toggles(), toPageRequest(query)),
  ),
  toggles.get(
    {
      summary: 'Get a flow toggle',
      description: 'Its state is in `GET /api/admin/valves` while it is open.',
    },
    ({ taps: { hardware } }, id) => findById(hardware.toggles(), id),
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
      return context.engine.taps.hardware.createToggle(fields, actorContext(context));
    },
  ),
  ...toggles.change(
    {
      summary: 'Change the port of a flow toggle',
      description: 'The port must be unique on its controller, otherwise 400. Written to the audit log.',
    },
    { put: ToggleReplaceJson, patch: ToggleChangeJson },
    (context, { id }, { body }) =>
      context.engine.taps.hardware.changeToggle(id, { portName: body.port_name }, actorContext(context)),
  ),
  toggles.removeWithUndo(
    {
      summary: 'Delete a flow toggle. One that its controller reports is created again',
      description: 'Its tap has no valve then. Can be undone. Written to the audit log.',
    },
    (context, { id }) => {
      context.engine.taps.hardware.removeToggle(id, actorContext(context));
      return correctionOf(context.engine, 'device', { kind: 'flow_toggle', id });
    },
  ),
];

/** Routes of flow meters and flow toggles, for staff. */
export const hardwareRoutes = (services: Services): readonly Route[] => [
  ...meterRoutes(services),
  ...toggleRoutes,
];

function toControllerId({ controller, controller_id: controllerId }: Static<typeof NewToggleJson>): number {
  const id = controller ?? controllerId;
  if (id === undefined) throw validationError('controller', 'is required', { name: 'required' });
  if (controller !== undefined && controllerId !== undefined && toId(controller) !== toId(controllerId)) {
    throw validationError('controller_id', 'must be the same as controller');
  }
  return toId(id);
}
