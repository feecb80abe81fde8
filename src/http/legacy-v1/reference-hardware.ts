import Type, { type Static } from 'typebox';
import type { Controller, FlowMeter, FlowToggle } from '../../core/records.ts';
import { Closed, Id, Nullable, named, TextId } from '../routes/schemas.ts';

export const ControllerReference = named(
  'Controller',
  Closed(
    {
      id: Id,
      name: Type.String({ description: 'Unique name, the first part of its meters’ names.' }),
      model_name: Nullable(Type.String({ description: 'Model; null when unknown.' })),
      serial_number: Nullable(Type.String({ description: 'Serial number; null when unknown.' })),
    },
    { description: 'A controller, which owns meters and toggles.' },
  ),
);

const port = {
  id: Id,
  name: Type.String({ description: 'Full name, `<controller>.<port>`.' }),
  controller_id: { ...Id, description: 'Id of its controller.' },
  port_name: Type.String({ description: 'Port of the controller, such as `flow0`.' }),
  tap_id: Nullable({ ...TextId, description: 'Id of its tap, as text; null without one.' }),
};

export const MeterReference = named(
  'FlowMeter',
  Closed(
    {
      ...port,
      ticks_per_ml: Type.Number({
        exclusiveMinimum: 0,
        'x-unit': 'ticks/mL',
        description: 'Calibration factor in ticks per millilitre.',
      }),
    },
    { description: 'A flow meter.' },
  ),
);

export const ToggleReference = named(
  'FlowToggle',
  Closed(port, { description: 'A flow toggle: the relay of a valve.' }),
);

export const controllerReference = (controller: Controller): Static<typeof ControllerReference> => ({
  id: controller.id,
  name: controller.name,
  model_name: controller.modelName,
  serial_number: controller.serialNumber,
});

export const meterReference = (meter: FlowMeter): Static<typeof MeterReference> => ({
  ...toggleReference(meter),
  ticks_per_ml: meter.ticksPerMl,
});

export const toggleReference = (toggle: FlowToggle | FlowMeter): Static<typeof ToggleReference> => ({
  id: toggle.id,
  name: toggle.name,
  controller_id: toggle.controllerId,
  port_name: toggle.portName,
  tap_id: toggle.tapId === null ? null : String(toggle.tapId),
});
