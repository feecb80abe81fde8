import Type, { type Static } from 'typebox';
import { actorContext } from '../../auth/actor-context.ts';
import { AnyId, toId } from '../../routes/any-id.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, Id, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import { validationError } from '../../routes/validation-error.ts';
import {
  ControllerJson,
  controllerJson,
  MeterJson,
  meterJson,
  ToggleJson,
  toggleJson,
} from './hardware-views.ts';

const params = Open({ id: Id });
const emptyReply = { status: 200, body: Closed({}) };

const controllerName = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[^.]*$',
  description: 'Unique, without a dot: it is the first part of its meters’ names.',
});
const detailFields = {
  model_name: Maybe(Nullable(Type.String({ maxLength: 128 }))),
  serial_number: Maybe(Nullable(Type.String({ maxLength: 128 }))),
};
const NewControllerJson = named('NewController', Closed({ name: controllerName, ...detailFields }));
const ControllerChangeJson = named(
  'ControllerChange',
  Closed({ name: Maybe(controllerName), ...detailFields }),
);

const PortName = Type.String({ minLength: 1, maxLength: 128, description: 'Such as `flow0` or `relay0`.' });
const TicksPerMl = Type.Number({
  minimum: 0.001,
  maximum: 1_000,
  unit: 'ticks/mL',
  description: 'A new meter without it gets the default, marked as uncalibrated.',
});
/** Both names are accepted; a meter or toggle cannot move to another controller later. */
const ownerFields = { controller: Maybe(AnyId), controller_id: Maybe(AnyId) };
const NewMeterJson = named(
  'NewFlowMeter',
  Closed({ ...ownerFields, port_name: PortName, ticks_per_ml: Maybe(TicksPerMl) }),
);
const MeterChangeJson = named(
  'FlowMeterChange',
  Closed({ port_name: Maybe(PortName), ticks_per_ml: Maybe(TicksPerMl) }),
);
const MeterReplaceJson = named(
  'FlowMeterReplacement',
  Closed({ port_name: PortName, ticks_per_ml: Maybe(TicksPerMl) }),
);
const NewToggleJson = named('NewFlowToggle', Closed({ ...ownerFields, port_name: PortName }));
const ToggleChangeJson = named('FlowToggleChange', Closed({ port_name: Maybe(PortName) }));
const ToggleReplaceJson = named('FlowToggleReplacement', Closed({ port_name: PortName }));

const controllerRoutes = [
  defineRoute({
    id: 'createController',
    method: 'post',
    path: '/controllers',
    summary: 'Create a controller',
    access: 'staff',
    accepts: { body: NewControllerJson },
    replies: { status: 201, body: Closed({ controller: ControllerJson }) },
    run: (context, { body }) => ({
      controller: controllerJson(
        context.engine.hardware.createController(
          { ...toControllerFields(body), name: body.name },
          actorContext(context),
        ),
      ),
    }),
  }),
  ...(['put', 'patch'] as const).map((method) =>
    defineRoute({
      id: method === 'put' ? 'replaceController' : 'changeController',
      method,
      path: '/controllers/{id}',
      summary:
        'Change a controller. Fields left out keep their values. A name that comes from the configuration file or a plugged-in board cannot be changed',
      access: 'staff',
      accepts: { params, body: method === 'put' ? NewControllerJson : ControllerChangeJson },
      replies: { status: 200, body: Closed({ controller: ControllerJson }) },
      run: (context, { params: { id }, body }) => ({
        controller: controllerJson(
          context.engine.hardware.changeController(id, toControllerFields(body), actorContext(context)),
        ),
      }),
    }),
  ),
  defineRoute({
    id: 'removeController',
    method: 'delete',
    path: '/controllers/{id}',
    summary:
      'Delete a controller with its meters, toggles and token; drinks stay. Refused for a controller in the configuration file or plugged in. A network kegboard has to be paired again',
    access: 'staff',
    accepts: { params },
    replies: emptyReply,
    run(context, { params: { id } }) {
      context.engine.hardware.removeController(id, actorContext(context));
      return {};
    },
  }),
];

const meterRoutes = [
  defineRoute({
    id: 'createMeter',
    method: 'post',
    path: '/flow-meters',
    summary: 'Create a flow meter on a controller, given by `controller` or `controller_id`',
    access: 'staff',
    accepts: { body: NewMeterJson },
    replies: { status: 201, body: Closed({ flow_meter: MeterJson }) },
    run(context, { body }) {
      const { port_name: portName, ticks_per_ml: ticksPerMl } = body;
      const meter = { controllerId: toControllerId(body), portName };
      const calibration = ticksPerMl === undefined ? {} : { ticksPerMl };
      return {
        flow_meter: meterJson(
          context.engine.hardware.createMeter({ ...meter, ...calibration }, actorContext(context)),
        ),
      };
    },
  }),
  ...(['put', 'patch'] as const).map((method) =>
    defineRoute({
      id: method === 'put' ? 'replaceMeter' : 'changeMeter',
      method,
      path: '/flow-meters/{id}',
      summary:
        'Change port or calibration of a flow meter. Fields left out keep their values; past drinks do not change',
      access: 'staff',
      accepts: { params, body: method === 'put' ? MeterReplaceJson : MeterChangeJson },
      replies: { status: 200, body: Closed({ flow_meter: MeterJson }) },
      run: (context, { params: { id }, body: { port_name: portName, ticks_per_ml: ticksPerMl } }) => ({
        flow_meter: meterJson(
          context.engine.hardware.changeMeter(id, { portName, ticksPerMl }, actorContext(context)),
        ),
      }),
    }),
  ),
  defineRoute({
    id: 'removeMeter',
    method: 'delete',
    path: '/flow-meters/{id}',
    summary:
      'Delete a flow meter; its tap has none then, and drinks stay. A meter that its controller reports is created again',
    access: 'staff',
    accepts: { params },
    replies: emptyReply,
    run(context, { params: { id } }) {
      context.engine.hardware.removeMeter(id, actorContext(context));
      return {};
    },
  }),
];

const toggleRoutes = [
  defineRoute({
    id: 'createToggle',
    method: 'post',
    path: '/flow-toggles',
    summary: 'Create a flow toggle on a controller, given by `controller` or `controller_id`',
    access: 'staff',
    accepts: { body: NewToggleJson },
    replies: { status: 201, body: Closed({ flow_toggle: ToggleJson }) },
    run: (context, { body }) => ({
      flow_toggle: toggleJson(
        context.engine.hardware.createToggle(
          { controllerId: toControllerId(body), portName: body.port_name },
          actorContext(context),
        ),
      ),
    }),
  }),
  ...(['put', 'patch'] as const).map((method) =>
    defineRoute({
      id: method === 'put' ? 'replaceToggle' : 'changeToggle',
      method,
      path: '/flow-toggles/{id}',
      summary: 'Change the port of a flow toggle',
      access: 'staff',
      accepts: { params, body: method === 'put' ? ToggleReplaceJson : ToggleChangeJson },
      replies: { status: 200, body: Closed({ flow_toggle: ToggleJson }) },
      run: (context, { params: { id }, body }) => ({
        flow_toggle: toggleJson(
          context.engine.hardware.changeToggle(id, { portName: body.port_name }, actorContext(context)),
        ),
      }),
    }),
  ),
  defineRoute({
    id: 'removeToggle',
    method: 'delete',
    path: '/flow-toggles/{id}',
    summary: 'Delete a flow toggle. One that its controller reports is created again',
    access: 'staff',
    accepts: { params },
    replies: emptyReply,
    run(context, { params: { id } }) {
      context.engine.hardware.removeToggle(id, actorContext(context));
      return {};
    },
  }),
];

/** Routes that change controllers, flow meters and flow toggles, for staff. */
export const hardwareChangeRoutes = [...controllerRoutes, ...meterRoutes, ...toggleRoutes];

function toControllerFields(body: Static<typeof ControllerChangeJson>) {
  const { name, model_name: modelName, serial_number: serialNumber } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(modelName === undefined ? {} : { modelName: modelName ?? '' }),
    ...(serialNumber === undefined ? {} : { serialNumber: serialNumber ?? '' }),
  };
}

function toControllerId({ controller, controller_id: controllerId }: Static<typeof NewToggleJson>): number {
  const id = controller ?? controllerId;
  if (id === undefined) throw validationError('controller', 'is required', { name: 'required' });
  if (controller !== undefined && controllerId !== undefined && toId(controller) !== toId(controllerId)) {
    throw validationError('controller_id', 'must be the same as controller');
  }
  return toId(id);
}
